#include "program.h"
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

static const char *const no_arguments[] = {NULL};
static const char *const *arguments = no_arguments;

/* glibc passes what main gets to the functions of .init_array as well. Swift's runtime reads /proc/self/cmdline, which is
   missing in a chroot without /proc. */
__attribute__((constructor)) static void configure_process(int count, const char *const *all) {
    if (count > 0) arguments = all;
    /* A malloc arena for each thread takes memory pages that a small request does not need. */
    if (!getenv("MALLOC_ARENA_MAX")) mallopt(M_ARENA_MAX, 1);
}

const char *const *af_arguments(void) { return arguments; }

const char *af_runtime(void) {
#ifdef AF_RUNTIME
    return AF_RUNTIME;
#else
    return NULL;
#endif
}

const char *af_commit(void) {
#ifdef AF_COMMIT
    return AF_COMMIT;
#else
    return NULL;
#endif
}
