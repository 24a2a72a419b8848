/*
 * Initializes OpenSSL when the first TLS connection needs it: curl_global_init does it for every process, which costs as
 * much as a small request over plain HTTP. Linked with --wrap=OPENSSL_init_ssl, the first call, which is curl_global_init's,
 * only notes its options. SSL_CTX_new makes the next one. Digests and random numbers need no such call.
 *
 * openssl.cnf is read if OPENSSL_CONF names it: what Debian's file sets does not hold on another system. OpenSSL would read
 * it for the first digest after curl_global_init, so that this is decided there. An earlier digest reads it.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct ossl_init_settings_st OPENSSL_INIT_SETTINGS;
int OPENSSL_init_crypto(uint64_t options, const OPENSSL_INIT_SETTINGS *settings);
int __real_OPENSSL_init_ssl(uint64_t options, const OPENSSL_INIT_SETTINGS *settings);
int __wrap_OPENSSL_init_ssl(uint64_t options, const OPENSSL_INIT_SETTINGS *settings);

/* OPENSSL_INIT_LOAD_CONFIG and OPENSSL_INIT_NO_LOAD_CONFIG */
enum { load_config = 0x40, no_load_config = 0x80 };

/* Of the first call, and a bit of our own that says there was one. */
static _Atomic(uint64_t) noted_options;
static const uint64_t is_noted = (uint64_t)1 << 63;
static int result;

static int reads_configuration(void) {
    const char *path = getenv("OPENSSL_CONF");
    return path != NULL && *path != '\0';
}

static void initialize(void) {
    uint64_t options = atomic_load(&noted_options) & ~is_noted;
    if (!reads_configuration()) options = (options & ~(uint64_t)load_config) | no_load_config;
    result = __real_OPENSSL_init_ssl(options, NULL);
}

int __wrap_OPENSSL_init_ssl(uint64_t options, const OPENSSL_INIT_SETTINGS *settings) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint64_t none = 0;
    if (atomic_compare_exchange_strong(&noted_options, &none, options | is_noted))
        return reads_configuration() ? 1 : OPENSSL_init_crypto(no_load_config, NULL);
    pthread_once(&once, initialize);
    return result == 1 ? __real_OPENSSL_init_ssl(options, settings) : result;
}
