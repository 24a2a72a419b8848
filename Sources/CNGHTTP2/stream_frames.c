/*
 * Reports the frames of HTTP/2 streams: what a response has, whether END_STREAM was received, and how a server broke the
 * protocol.
 *
 * libcurl's result does not show that. libcurl 7.88 takes RST_STREAM(NO_ERROR), and the end of a connection on which the
 * server broke the protocol, for the end of the body. A response is complete only with END_STREAM (RFC 9113 section 8.1).
 * nghttp2 passes each frame that it accepts to one callback, which libcurl sets. To get the frames first, this file
 * defines the function with which libcurl sets it:
 *
 * - libcurl is a shared library: the dynamic linker finds this definition before nghttp2's, as the program comes first.
 *   It is weak, so that a program with a static nghttp2 of its own still links.
 * - libcurl is linked statically, with --wrap=nghttp2_session_callbacks_set_on_frame_recv_callback: the linker defines
 *   __real_nghttp2_session_callbacks_set_on_frame_recv_callback, which is NULL otherwise.
 *
 * This needs AF_STREAM_FRAMES, the trait StreamFrames: a library replaces a function of its user's process.
 *
 * The declarations are those of nghttp2.h, parts of its stable ABI: no header is needed to build.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "stream_frames.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef AF_STREAM_FRAMES
void af_set_stream_frame_handler(af_stream_frame_handler new_handler) { (void)new_handler; }
const char *af_take_protocol_error(void) { return NULL; }
bool af_sees_stream_frames(void) { return false; }
bool af_nghttp2_is_inside(void) { return false; }
#else
typedef struct nghttp2_session nghttp2_session;
typedef struct nghttp2_session_callbacks nghttp2_session_callbacks;
typedef struct {
    size_t length;
    int32_t stream_id;
    uint8_t type;
    uint8_t flags;
    uint8_t reserved;
} nghttp2_frame_hd;
/* The union nghttp2_frame, as far as it is read here. */
typedef union {
    nghttp2_frame_hd hd;
    struct {
        nghttp2_frame_hd hd;
        size_t padlen;
    } data;
    struct {
        nghttp2_frame_hd hd;
        int32_t last_stream_id;
        uint32_t error_code;
        const uint8_t *opaque_data;
        size_t opaque_data_len;
    } goaway;
    struct {
        nghttp2_frame_hd hd;
        uint32_t error_code;
    } rst_stream;
} nghttp2_frame;
typedef int (*frame_callback)(nghttp2_session *, const nghttp2_frame *, void *);
typedef int (*error_callback)(nghttp2_session *, int, const char *, size_t, void *);

enum { data = 0, headers = 1, rst_stream = 3, settings = 4, goaway = 7, end_stream = 1, acknowledges = 1, invalid_field = -531 };

static struct {
    void (*set_on_frame_recv)(nghttp2_session_callbacks *, frame_callback);
    void *(*user_data)(nghttp2_session *, int32_t);
    uint32_t (*next_stream_id)(nghttp2_session *);
    void (*set_before_frame_send)(nghttp2_session_callbacks *, frame_callback);
    void (*set_error)(nghttp2_session_callbacks *, error_callback);
    const char *(*error_name)(uint32_t);
} library;

/*
 * The handler, and libcurl's callback, of the sessions of this thread. A thread of the program's own may drive libcurl or
 * nghttp2 too: its sessions keep their callback.
 */
static _Thread_local af_stream_frame_handler handler;
static _Thread_local frame_callback libcurl_callback;
static _Thread_local char protocol_error[200];

void af_set_stream_frame_handler(af_stream_frame_handler new_handler) { handler = new_handler; }

/* Reports a code for the streams of a connection after one. */
static void report_streams(nghttp2_session *session, int32_t last_stream_id, uint32_t code) {
    if (handler == NULL || library.next_stream_id == NULL) return;
    uint32_t end = library.next_stream_id(session);
    /* The streams of a client have odd numbers. */
    for (uint32_t id = ((uint32_t)last_stream_id + 1) | 1; id < end; id += 2) {
        void *easy = library.user_data(session, (int32_t)id);
        if (easy != NULL) handler(easy, 0, false, &code);
    }
}

/* nghttp2 calls this before it closes the stream, whose user data is the handle. */
static int report_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user_data) {
    uint8_t type = frame->hd.type;
    if (handler != NULL && (type == data || type == headers || type == rst_stream)) {
        void *easy = library.user_data(session, frame->hd.stream_id);
        size_t bytes = type == data ? frame->hd.length - frame->data.padlen : 0;
        const uint32_t *code = type == rst_stream ? &frame->rst_stream.error_code : NULL;
        if (easy != NULL) handler(easy, bytes, code == NULL && (frame->hd.flags & end_stream), code);
    }
    if (type == settings && !(frame->hd.flags & acknowledges)) report_streams(session, 0, AF_SETTINGS);
    /* nghttp2 closes these streams after this. */
    if (type == goaway) report_streams(session, frame->goaway.last_stream_id, AF_UNPROCESSED);
    return libcurl_callback(session, frame, user_data);
}

const char *af_take_protocol_error(void) {
    static _Thread_local char taken[sizeof protocol_error];
    if (protocol_error[0] == 0) return NULL;
    memcpy(taken, protocol_error, sizeof taken);
    protocol_error[0] = 0;
    return taken;
}

/* "Invalid HTTP header field was received: frame type: 1, stream: 1, name: [te], value: [x]": the value may be a secret. */
static int note_error(nghttp2_session *session, int code, const char *text, size_t length, void *user_data) {
    static const char prefix[] = "Invalid", before[] = "name: [", after[] = "], value: [";
    (void)session, (void)user_data;
    if (code != invalid_field || length < sizeof prefix || memcmp(text, prefix, sizeof prefix - 1) != 0) return 0;
    const char *name = memmem(text, length, before, sizeof before - 1);
    if (name == NULL) return 0;
    name += sizeof before - 1;
    const char *end = memmem(name, (size_t)(text + length - name), after, sizeof after - 1);
    if (end == NULL) return 0;
    snprintf(protocol_error, sizeof protocol_error, "the field '%.*s' is invalid", (int)(end - name), name);
    return 0;
}

/* nghttp2 ends a connection on which the server broke the protocol with GOAWAY and a reason, which may be empty. */
static int note_goaway(nghttp2_session *session, const nghttp2_frame *frame, void *user_data) {
    (void)session, (void)user_data;
    if (frame->hd.type != goaway || frame->goaway.error_code == 0) return 0;
    size_t length = frame->goaway.opaque_data_len;
    const char *reason = (const char *)frame->goaway.opaque_data;
    if (length == 0) {
        reason = library.error_name(frame->goaway.error_code);
        length = strlen(reason);
    }
    snprintf(protocol_error, sizeof protocol_error, "%.*s", (int)length, reason);
    return 0;
}

static void find_library(void);

static void set_on_frame_recv(nghttp2_session_callbacks *callbacks, frame_callback callback) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_library);
    if (handler != NULL && callback != NULL && library.user_data != NULL) {
        libcurl_callback = callback;
        callback = report_frame;
        /* libcurl 8.1 sets the callback on_frame_send, and would replace ours. */
        if (library.set_before_frame_send != NULL && library.error_name != NULL)
            library.set_before_frame_send(callbacks, note_goaway);
        if (library.set_error != NULL) library.set_error(callbacks, note_error);
    }
    if (library.set_on_frame_recv != NULL) library.set_on_frame_recv(callbacks, callback);
}

/* Weak: these are inside only if libcurl is linked statically. */
#define INSIDE __attribute__((weak))
INSIDE void __real_nghttp2_session_callbacks_set_on_frame_recv_callback(nghttp2_session_callbacks *, frame_callback);
INSIDE void *nghttp2_session_get_stream_user_data(nghttp2_session *, int32_t);
INSIDE uint32_t nghttp2_session_get_next_stream_id(nghttp2_session *);
INSIDE void nghttp2_session_callbacks_set_before_frame_send_callback(nghttp2_session_callbacks *, frame_callback);
INSIDE void nghttp2_session_callbacks_set_error_callback2(nghttp2_session_callbacks *, error_callback);
INSIDE const char *nghttp2_http2_strerror(uint32_t);

#define FIND(member, name) library.member = (__typeof__(library.member))dlsym(RTLD_NEXT, name)

static void find_library(void) {
    if (af_nghttp2_is_inside()) {
        library.set_on_frame_recv = __real_nghttp2_session_callbacks_set_on_frame_recv_callback;
        library.user_data = nghttp2_session_get_stream_user_data;
        library.next_stream_id = nghttp2_session_get_next_stream_id;
        library.set_before_frame_send = nghttp2_session_callbacks_set_before_frame_send_callback;
        library.set_error = nghttp2_session_callbacks_set_error_callback2;
        library.error_name = nghttp2_http2_strerror;
        return;
    }
    FIND(set_on_frame_recv, "nghttp2_session_callbacks_set_on_frame_recv_callback");
    FIND(user_data, "nghttp2_session_get_stream_user_data");
    FIND(next_stream_id, "nghttp2_session_get_next_stream_id");
    FIND(set_before_frame_send, "nghttp2_session_callbacks_set_before_frame_send_callback");
    FIND(set_error, "nghttp2_session_callbacks_set_error_callback2");
    FIND(error_name, "nghttp2_http2_strerror");
}

/* For a static libcurl. */
void __wrap_nghttp2_session_callbacks_set_on_frame_recv_callback(nghttp2_session_callbacks *, frame_callback)
    __attribute__((alias("set_on_frame_recv")));
/* For the dynamic linker. */
void nghttp2_session_callbacks_set_on_frame_recv_callback(nghttp2_session_callbacks *, frame_callback)
    __attribute__((weak, visibility("default"), alias("set_on_frame_recv")));

bool af_sees_stream_frames(void) {
    return af_nghttp2_is_inside() ||
           dlsym(RTLD_DEFAULT, "nghttp2_session_callbacks_set_on_frame_recv_callback") == (void *)set_on_frame_recv;
}

bool af_nghttp2_is_inside(void) { return __real_nghttp2_session_callbacks_set_on_frame_recv_callback != NULL; }
#endif
