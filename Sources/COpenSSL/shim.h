#ifndef AF_COPENSSL_SHIM_H
#define AF_COPENSSL_SHIM_H
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Lets `callback` see what is written below the TLS connection, with the means to find its socket. */
static inline void af_tls_watch_writes(SSL *tls, int socket, BIO_callback_fn_ex callback) {
    BIO *output = SSL_get_wbio(tls);
    if (output == NULL) return;
    BIO_set_callback_arg(output, (char *)(intptr_t)socket);
    BIO_set_callback_ex(output, callback);
}
static inline int af_bio_socket(const BIO *output) {
    return (int)((intptr_t)BIO_get_callback_arg(output) & INT32_MAX);
}
/* BIO_should_retry and BIO_set_retry_write are macros. */
static inline int af_bio_asks_again(BIO *output) {
    return BIO_should_retry(output);
}
/* Makes a failed write one that is to be tried again. */
static inline void af_bio_ask_again(BIO *output) {
    BIO_set_callback_arg(output, (char *)((intptr_t)BIO_get_callback_arg(output) + ((intptr_t)1 << 32)));
    BIO_set_retry_write(output);
}
/* How often that has been done. */
static inline int af_bio_times_asked(const BIO *output) {
    return (int)((intptr_t)BIO_get_callback_arg(output) >> 32);
}

/* OpenSSL's stack macros do not import. */
static inline int af_tls_chain_count(const SSL *tls) {
    STACK_OF(X509) *chain = SSL_get_peer_cert_chain(tls);
    return chain == NULL ? 0 : sk_X509_num(chain);
}
static inline X509 *af_tls_chain_certificate(const SSL *tls, int place) {
    return sk_X509_value(SSL_get_peer_cert_chain(tls), place);
}

/* Macros over SSL_ctrl do not import either. */
static inline long af_tls_ask_for_stapled_response(void *context) {
    return SSL_CTX_set_tlsext_status_type((SSL_CTX *)context, TLSEXT_STATUSTYPE_ocsp);
}
/* How many bytes the server stapled, -1 for none. They belong to the connection. */
static inline long af_tls_stapled_response(SSL *tls, const unsigned char **bytes) {
    return SSL_get_tlsext_status_ocsp_resp(tls, bytes);
}
#endif
