#include "program.h"
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const no_arguments[] = {NULL};
static const char *const *arguments = no_arguments;

/* glibc passes what main gets to the functions of .init_array as well. Swift's runtime reads /proc/self/cmdline, which is
   missing in a chroot without /proc. */
__attribute__((constructor)) static void configure_process(int count, const char *const *all) {
    if (count > 0) arguments = all;
    /* A malloc arena for each thread takes memory pages that a small request does not need. */
    af_limit_arenas(1);
}

void af_limit_arenas(int count) {
    if (!getenv("MALLOC_ARENA_MAX")) mallopt(M_ARENA_MAX, count);
}

const char *const *af_arguments(void) { return arguments; }

void af_hide_argument(size_t index, size_t offset, size_t length) {
    /* The memory is the process's own; the list of processes shows its current contents. */
    memset((char *)arguments[index] + offset, '*', length);
}

#ifdef AF_WRAPS_DISPATCH
/* libdispatch reads the state of its registered threads from /proc/self/task, and ends the process if that is missing, as in
   a chroot without /proc. There no thread is registered. The linker replaces libdispatch's functions (--wrap). */
void __real__dispatch_workq_worker_register(void *queue);
void __real__dispatch_workq_worker_unregister(void *queue);

static int has_proc(void) {
    static _Atomic int known;
    if (!known) known = access("/proc/self/task", R_OK) == 0 ? 1 : 2;
    return known == 1;
}

void __wrap__dispatch_workq_worker_register(void *queue) {
    if (has_proc()) __real__dispatch_workq_worker_register(queue);
}

void __wrap__dispatch_workq_worker_unregister(void *queue) {
    if (has_proc()) __real__dispatch_workq_worker_unregister(queue);
}
#endif

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
