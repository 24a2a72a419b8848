#ifndef AF_CBROTLI_SHIM_H
#define AF_CBROTLI_SHIM_H
#include <brotli/decode.h>
#endif
