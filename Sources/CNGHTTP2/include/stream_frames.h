#ifndef AF_STREAM_FRAMES_H
#define AF_STREAM_FRAMES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Called with the libcurl handle of a transfer whose HTTP/2 stream has received a frame that nghttp2 accepted as valid:
 * HEADERS, DATA with `body_bytes` bytes, or RST_STREAM with `reset_code`, which is NULL for the others. `is_last` if it has
 * END_STREAM. A GOAWAY has the code AF_UNPROCESSED for each stream that the server will not process (RFC 9113 section 6.8).
 */
#define AF_UNPROCESSED UINT32_MAX
/* The code for each stream of a connection on which the server has sent SETTINGS: it speaks HTTP/2. */
#define AF_SETTINGS 4294967294U
typedef void (*af_stream_frame_handler)(void *easy, size_t body_bytes, bool is_last, const uint32_t *reset_code);

/* Sets the handler for the libcurl handles that the calling thread drives, before it creates any. */
void af_set_stream_frame_handler(af_stream_frame_handler handler);

/*
 * Returns what a server has done wrong on a connection of the calling thread since the last call; NULL if nothing. Valid
 * until the next call.
 */
const char *af_take_protocol_error(void);

/* Whether libcurl's calls to nghttp2 pass through this target. If not, the handler is never called. */
bool af_sees_stream_frames(void);

/* Whether nghttp2, and with it libcurl, is part of the program. */
bool af_nghttp2_is_inside(void);
#endif
