#ifndef AF_CCURL_SHIM_H
#define AF_CCURL_SHIM_H
#include <curl/curl.h>
#include <dlfcn.h>

/* libcurl's variadic calls, one function for each kind of argument: a wrong width through `...` corrupts silently. */

static inline CURLcode af_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode af_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode af_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode af_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode af_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode af_easy_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}
/* CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION */
static inline CURLcode af_easy_set_write(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode af_easy_set_read(CURL *easy, curl_read_callback value) {
    return curl_easy_setopt(easy, CURLOPT_READFUNCTION, value);
}
static inline CURLcode af_easy_set_seek(CURL *easy, curl_seek_callback value) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}
static inline CURLcode af_easy_set_progress(CURL *easy, curl_xferinfo_callback value) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}
static inline CURLcode af_easy_set_prerequest(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode af_easy_set_debug(CURL *easy, curl_debug_callback value) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, value);
}
static inline CURLcode af_easy_set_open_socket(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode af_easy_set_close_socket(CURL *easy, curl_closesocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

static inline CURLcode af_easy_set_tls_context(CURL *easy, curl_ssl_ctx_callback value) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, value);
}

static inline CURLcode af_easy_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode af_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode af_easy_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode af_easy_get_list(CURL *easy, CURLINFO info, struct curl_slist **value) {
    return curl_easy_getinfo(easy, info, value);
}

/* The certificates of the latest handshake, if CURLOPT_CERTINFO is set. */
static inline const struct curl_certinfo *af_easy_certificates(CURL *easy) {
    struct curl_certinfo *info = NULL;
    return curl_easy_getinfo(easy, CURLINFO_CERTINFO, &info) == CURLE_OK ? info : NULL;
}

static inline CURLMcode af_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode af_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode af_multi_set_socket(CURLM *multi, curl_socket_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}
static inline CURLMcode af_multi_set_timer(CURLM *multi, curl_multi_timer_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}

/* libunistring's, on which libidn2 depends: 0x010203 is 1.2.3; 0 without it. */
extern int _libunistring_version __attribute__((weak));

static inline int af_unistring_version(void) {
    int *version = &_libunistring_version;
    if (version == NULL) version = (int *)dlsym(NULL /* RTLD_DEFAULT */, "_libunistring_version");
    return version == NULL ? 0 : *version;
}

static inline const curl_version_info_data *af_version(void) { return curl_version_info(CURLVERSION_NOW); }

static const long af_max_read_size = CURL_MAX_READ_SIZE;

/* The result code of a finished transfer: Swift imports the union awkwardly. */
static inline CURLcode af_message_result(const CURLMsg *message) {
    return message->data.result;
}

/* The TLS connection that the transfer runs on, if it runs on one and OpenSSL drives it. */
static inline struct ssl_st *af_easy_tls(CURL *easy) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || info == NULL) return NULL;
    return info->backend == CURLSSLBACKEND_OPENSSL ? (struct ssl_st *)info->internals : NULL;
}

/* The macros are casts, which do not import. */
static const long af_auth_basic = (long)CURLAUTH_BASIC;
static const long af_auth_digest = (long)CURLAUTH_DIGEST;
static const long af_auth_ntlm = (long)CURLAUTH_NTLM;
static const long af_auth_negotiate = (long)CURLAUTH_NEGOTIATE;
static const long af_proxy_http10 = (long)CURLPROXY_HTTP_1_0;
static const long af_socket_timeout = (long)CURL_SOCKET_TIMEOUT;
#endif
