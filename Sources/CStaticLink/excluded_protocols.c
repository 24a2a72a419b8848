/*
 * Debian's libcurl.a refers to the libraries of RTMP, LDAP and SSH, protocols that afcli never allows
 * (CURLOPT_PROTOCOLS_STR is "http,https"). The static link takes these definitions in their place. A call of one is a
 * mistake of ours, and ends the program; six are called for every program, by curl_global_init or curl_version_info.
 *
 * .ci/static-archives compares the names with those that the archives want.
 */
#include <stdio.h>
#include <stdlib.h>

static _Noreturn void end(const char *function) {
    fprintf(stderr, "afcli: this build has no support for the protocol of %s\n", function);
    abort();
}

/* Without parameters, as none is read: the calling conventions of Linux allow that. */
#define EXCLUDE(name) \
    _Noreturn void name(void); \
    void name(void) { end(#name); }

/* librtmp */
EXCLUDE(RTMP_Alloc)
EXCLUDE(RTMP_Close)
EXCLUDE(RTMP_Connect1)
EXCLUDE(RTMP_ConnectStream)
EXCLUDE(RTMP_Free)
EXCLUDE(RTMP_Init)
EXCLUDE(RTMP_Read)
EXCLUDE(RTMP_SetBufferMS)
EXCLUDE(RTMP_SetupURL)
EXCLUDE(RTMP_Write)

/* liblber */
EXCLUDE(ber_bvfree)
EXCLUDE(ber_free)
EXCLUDE(ber_memfree)
EXCLUDE(ber_sockbuf_add_io)

/* libldap */
EXCLUDE(ldap_abandon_ext)
EXCLUDE(ldap_err2string)
EXCLUDE(ldap_free_urldesc)
EXCLUDE(ldap_get_attribute_ber)
EXCLUDE(ldap_get_dn_ber)
EXCLUDE(ldap_init_fd)
EXCLUDE(ldap_msgfree)
EXCLUDE(ldap_msgtype)
EXCLUDE(ldap_parse_result)
EXCLUDE(ldap_parse_sasl_bind_result)
EXCLUDE(ldap_pvt_url_scheme2proto)
EXCLUDE(ldap_result)
EXCLUDE(ldap_sasl_bind)
EXCLUDE(ldap_search_ext)
EXCLUDE(ldap_set_option)
EXCLUDE(ldap_start_tls)
EXCLUDE(ldap_unbind_ext)
EXCLUDE(ldap_url_parse)

/* libssh2 */
EXCLUDE(libssh2_agent_connect)
EXCLUDE(libssh2_agent_disconnect)
EXCLUDE(libssh2_agent_free)
EXCLUDE(libssh2_agent_get_identity)
EXCLUDE(libssh2_agent_init)
EXCLUDE(libssh2_agent_list_identities)
EXCLUDE(libssh2_agent_userauth)
EXCLUDE(libssh2_channel_free)
EXCLUDE(libssh2_channel_read_ex)
EXCLUDE(libssh2_channel_send_eof)
EXCLUDE(libssh2_channel_wait_closed)
EXCLUDE(libssh2_channel_wait_eof)
EXCLUDE(libssh2_channel_write_ex)
EXCLUDE(libssh2_hostkey_hash)
EXCLUDE(libssh2_knownhost_add)
EXCLUDE(libssh2_knownhost_checkp)
EXCLUDE(libssh2_knownhost_del)
EXCLUDE(libssh2_knownhost_free)
EXCLUDE(libssh2_knownhost_get)
EXCLUDE(libssh2_knownhost_init)
EXCLUDE(libssh2_knownhost_readfile)
EXCLUDE(libssh2_knownhost_writefile)
EXCLUDE(libssh2_scp_recv2)
EXCLUDE(libssh2_scp_send64)
EXCLUDE(libssh2_session_abstract)
EXCLUDE(libssh2_session_block_directions)
EXCLUDE(libssh2_session_callback_set)
EXCLUDE(libssh2_session_disconnect_ex)
EXCLUDE(libssh2_session_flag)
EXCLUDE(libssh2_session_free)
EXCLUDE(libssh2_session_handshake)
EXCLUDE(libssh2_session_hostkey)
EXCLUDE(libssh2_session_init_ex)
EXCLUDE(libssh2_session_last_errno)
EXCLUDE(libssh2_session_last_error)
EXCLUDE(libssh2_session_method_pref)
EXCLUDE(libssh2_session_set_blocking)
EXCLUDE(libssh2_sftp_close_handle)
EXCLUDE(libssh2_sftp_init)
EXCLUDE(libssh2_sftp_last_error)
EXCLUDE(libssh2_sftp_mkdir_ex)
EXCLUDE(libssh2_sftp_open_ex)
EXCLUDE(libssh2_sftp_read)
EXCLUDE(libssh2_sftp_readdir_ex)
EXCLUDE(libssh2_sftp_rename_ex)
EXCLUDE(libssh2_sftp_rmdir_ex)
EXCLUDE(libssh2_sftp_seek64)
EXCLUDE(libssh2_sftp_shutdown)
EXCLUDE(libssh2_sftp_stat_ex)
EXCLUDE(libssh2_sftp_statvfs)
EXCLUDE(libssh2_sftp_symlink_ex)
EXCLUDE(libssh2_sftp_unlink_ex)
EXCLUDE(libssh2_sftp_write)
EXCLUDE(libssh2_userauth_authenticated)
EXCLUDE(libssh2_userauth_keyboard_interactive_ex)
EXCLUDE(libssh2_userauth_list)
EXCLUDE(libssh2_userauth_password_ex)
EXCLUDE(libssh2_userauth_publickey_fromfile_ex)

int libssh2_init(int flags);
int libssh2_init(int flags) {
    (void)flags;
    return 0;
}

void libssh2_exit(void);
void libssh2_exit(void) {}

/* NULL: the version found is older than the required one. */
const char *libssh2_version(int required);
const char *libssh2_version(int required) {
    (void)required;
    return NULL;
}

/* -1: LDAP_OPT_ERROR */
int ldap_get_option(void *session, int option, void *value);
int ldap_get_option(void *session, int option, void *value) {
    (void)session, (void)option, (void)value;
    return -1;
}

void ldap_memfree(void *memory);
void ldap_memfree(void *memory) { (void)memory; }

void ber_memvfree(void **vector);
void ber_memvfree(void **vector) { (void)vector; }
