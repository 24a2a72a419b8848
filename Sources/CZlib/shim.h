#ifndef AF_CZLIB_SHIM_H
#define AF_CZLIB_SHIM_H
#include <zlib.h>

/* Macros in zlib, and macros with arguments do not import. */
static inline int af_deflate_init(z_stream *stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY);
}
static inline int af_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }
#endif
