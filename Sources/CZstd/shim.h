#ifndef AF_CZSTD_SHIM_H
#define AF_CZSTD_SHIM_H
#include <zstd.h>
#endif
