#ifndef AF_STREAM_RESETS_H
#define AF_STREAM_RESETS_H
#include <stdbool.h>

/* Called with the libcurl handle of a transfer whose stream the server has reset before END_STREAM. */
typedef void (*af_stream_reset_handler)(void *easy);

/* Sets the handler for the libcurl handles that the calling thread drives. */
void af_set_stream_reset_handler(af_stream_reset_handler handler);

/* Whether libcurl's calls to nghttp2 pass through this target. If not, the handler is never called. */
bool af_sees_stream_resets(void);

/* Whether nghttp2, and with it libcurl, is part of the program. */
bool af_nghttp2_is_inside(void);
#endif
