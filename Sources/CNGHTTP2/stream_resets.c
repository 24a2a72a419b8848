/*
 * Reports streams of HTTP/2 that the server resets before END_STREAM.
 *
 * libcurl takes RST_STREAM(NO_ERROR) for the end of the body at any position. RFC 9113 section 8.1 allows it only after
 * a complete response, and libcurl's result does not show the difference. nghttp2 knows it, and calls a callback that
 * libcurl leaves unset. To set it, this file defines the function with which libcurl creates its set of callbacks:
 *
 * - libcurl is a shared library: the dynamic linker finds this definition before nghttp2's, as the program comes first.
 *   It is weak, so that a program with a static nghttp2 of its own still links.
 * - libcurl is linked statically: compile with AF_STATIC_CURL and link with --wrap=nghttp2_session_callbacks_new.
 *
 * The declarations are those of nghttp2.h, parts of its stable ABI: no header is needed to build.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "stream_resets.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef struct nghttp2_session nghttp2_session;
typedef struct nghttp2_session_callbacks nghttp2_session_callbacks;
typedef struct {
    size_t length;
    int32_t stream_id;
    uint8_t type;
    uint8_t flags;
    uint8_t reserved;
} nghttp2_frame_hd;
typedef int (*begin_frame_callback)(nghttp2_session *, const nghttp2_frame_hd *, void *);

enum { rst_stream = 3, out_of_memory = -901 };

static struct {
    int (*make_callbacks)(nghttp2_session_callbacks **);
    void (*set_on_begin_frame)(nghttp2_session_callbacks *, begin_frame_callback);
    int (*is_remote_closed)(nghttp2_session *, int32_t);
    void *(*user_data)(nghttp2_session *, int32_t);
} library;

/* A thread of the program's own may drive libcurl too: its handles mean nothing to the handler. */
static _Thread_local af_stream_reset_handler handler;

void af_set_stream_reset_handler(af_stream_reset_handler new_handler) { handler = new_handler; }

/* Called before nghttp2 itself looks at the frame, which marks the stream as closed. */
static int note_reset(nghttp2_session *session, const nghttp2_frame_hd *head, void *user_data) {
    (void)user_data;
    /* 1: END_STREAM was received; -1: there is no such stream. */
    if (head->type != rst_stream || handler == NULL || library.is_remote_closed(session, head->stream_id) != 0) return 0;
    void *easy = library.user_data(session, head->stream_id);
    if (easy != NULL) handler(easy);
    return 0;
}

static bool is_complete(void) {
    return library.set_on_begin_frame != NULL && library.is_remote_closed != NULL && library.user_data != NULL;
}

static void find_library(void);

static int make_callbacks(nghttp2_session_callbacks **callbacks) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_library);
    if (library.make_callbacks == NULL) return out_of_memory;
    int result = library.make_callbacks(callbacks);
    if (result == 0 && is_complete()) library.set_on_begin_frame(*callbacks, note_reset);
    return result;
}

#ifdef AF_STATIC_CURL
int __real_nghttp2_session_callbacks_new(nghttp2_session_callbacks **);
void nghttp2_session_callbacks_set_on_begin_frame_callback(nghttp2_session_callbacks *, begin_frame_callback);
int nghttp2_session_get_stream_remote_close(nghttp2_session *, int32_t);
void *nghttp2_session_get_stream_user_data(nghttp2_session *, int32_t);

static void find_library(void) {
    library.make_callbacks = __real_nghttp2_session_callbacks_new;
    library.set_on_begin_frame = nghttp2_session_callbacks_set_on_begin_frame_callback;
    library.is_remote_closed = nghttp2_session_get_stream_remote_close;
    library.user_data = nghttp2_session_get_stream_user_data;
}

int __wrap_nghttp2_session_callbacks_new(nghttp2_session_callbacks **) __attribute__((alias("make_callbacks")));

bool af_sees_stream_resets(void) { return true; }
bool af_nghttp2_is_inside(void) { return true; }
#else
#define FIND(member, name) library.member = (__typeof__(library.member))dlsym(RTLD_NEXT, name)

static void find_library(void) {
    FIND(make_callbacks, "nghttp2_session_callbacks_new");
    FIND(set_on_begin_frame, "nghttp2_session_callbacks_set_on_begin_frame_callback");
    FIND(is_remote_closed, "nghttp2_session_get_stream_remote_close");
    FIND(user_data, "nghttp2_session_get_stream_user_data");
}

int nghttp2_session_callbacks_new(nghttp2_session_callbacks **)
    __attribute__((weak, visibility("default"), alias("make_callbacks")));

bool af_sees_stream_resets(void) {
    return dlsym(RTLD_DEFAULT, "nghttp2_session_callbacks_new") == (void *)make_callbacks;
}
bool af_nghttp2_is_inside(void) { return false; }
#endif
