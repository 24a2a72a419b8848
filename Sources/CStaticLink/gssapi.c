/*
 * Forwards the GSS-API of Negotiate (RFC 2744) to the system's Kerberos library, which exists as a shared library only and
 * is loaded by the first call. Without it gss_import_name, libcurl's first call, fails, and so does the authentication.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t length;
    void *elements;
} gss_OID_desc, *gss_OID;
typedef struct {
    size_t length;
    void *value;
} *gss_buffer_t;
typedef void *gss_ctx_id_t, *gss_name_t, *gss_cred_id_t, *gss_channel_bindings_t;

/* {iso(1) member-body(2) us(840) mit(113554) infosys(1) gssapi(2) generic(1) service_name(4)}: RFC 2744, section 4.1 */
static gss_OID_desc hostbased_service = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};
gss_OID GSS_C_NT_HOSTBASED_SERVICE = &hostbased_service;

/* Forwarded by hand, below. */
#define SPECIAL_FUNCTIONS(X) \
    X(display_status, \
      (uint32_t *minor, uint32_t status, int kind, gss_OID mechanism, uint32_t *more, gss_buffer_t text), \
      (minor, status, kind, mechanism, more, text)) \
    X(release_buffer, (uint32_t *minor, gss_buffer_t text), (minor, text))

/* All are found, or none is called. */
#define FUNCTIONS(X) \
    X(delete_sec_context, (uint32_t *minor, gss_ctx_id_t *context, gss_buffer_t token), (minor, context, token)) \
    X(display_name, (uint32_t *minor, gss_name_t name, gss_buffer_t text, gss_OID *type), (minor, name, text, type)) \
    X(import_name, (uint32_t *minor, gss_buffer_t text, gss_OID type, gss_name_t *name), (minor, text, type, name)) \
    X(init_sec_context, \
      (uint32_t *minor, gss_cred_id_t credential, gss_ctx_id_t *context, gss_name_t target, gss_OID mechanism, \
       uint32_t flags, uint32_t seconds, gss_channel_bindings_t bindings, gss_buffer_t input, gss_OID *actual_mechanism, \
       gss_buffer_t output, uint32_t *actual_flags, uint32_t *actual_seconds), \
      (minor, credential, context, target, mechanism, flags, seconds, bindings, input, actual_mechanism, output, \
       actual_flags, actual_seconds)) \
    X(inquire_context, \
      (uint32_t *minor, gss_ctx_id_t context, gss_name_t *source, gss_name_t *target, uint32_t *seconds, \
       gss_OID *mechanism, uint32_t *flags, int *is_local, int *is_open), \
      (minor, context, source, target, seconds, mechanism, flags, is_local, is_open)) \
    X(release_name, (uint32_t *minor, gss_name_t *name), (minor, name)) \
    X(unwrap, \
      (uint32_t *minor, gss_ctx_id_t context, gss_buffer_t input, gss_buffer_t output, int *is_sealed, uint32_t *quality), \
      (minor, context, input, output, is_sealed, quality)) \
    X(wrap, \
      (uint32_t *minor, gss_ctx_id_t context, int seal, uint32_t quality, gss_buffer_t input, int *is_sealed, \
       gss_buffer_t output), \
      (minor, context, seal, quality, input, is_sealed, output))

#define POINTER(name, parameters, arguments) uint32_t(*name) parameters;
static struct {
    FUNCTIONS(POINTER)
    SPECIAL_FUNCTIONS(POINTER)
    int is_complete;
} library;

#define FIND(name, parameters, arguments) \
    library.name = (uint32_t(*) parameters)dlsym(handle, "gss_" #name); \
    if (library.name == NULL) return;
static void load(void) {
    void *handle = dlopen("libgssapi_krb5.so.2", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return;
    FUNCTIONS(FIND)
    SPECIAL_FUNCTIONS(FIND)
    library.is_complete = 1;
}

static int is_loaded(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return library.is_complete;
}

enum { unavailable = 16 << 16 };

/* libcurl repeats gss_display_status until it says that there is no more text. */
static uint32_t display_absence(uint32_t *more, gss_buffer_t text) {
    static char message[] = "libgssapi_krb5.so.2 is not installed";
    *more = 0;
    text->value = message;
    text->length = sizeof message - 1;
    return 0;
}

uint32_t gss_display_status(uint32_t *minor, uint32_t status, int kind, gss_OID mechanism, uint32_t *more, gss_buffer_t text);
uint32_t gss_display_status(uint32_t *minor, uint32_t status, int kind, gss_OID mechanism, uint32_t *more, gss_buffer_t text) {
    *minor = 0;
    if (!is_loaded()) return display_absence(more, text);
    return library.display_status(minor, status, kind, mechanism, more, text);
}

uint32_t gss_release_buffer(uint32_t *minor, gss_buffer_t text);
uint32_t gss_release_buffer(uint32_t *minor, gss_buffer_t text) {
    *minor = 0;
    if (is_loaded()) return library.release_buffer(minor, text);
    text->value = NULL;
    text->length = 0;
    return 0;
}

#define FORWARD(name, parameters, arguments) \
    uint32_t gss_##name parameters; \
    uint32_t gss_##name parameters { \
        *minor = 0; \
        return is_loaded() ? library.name arguments : unavailable; \
    }
FUNCTIONS(FORWARD)
