#ifndef AF_CPSL_SHIM_H
#define AF_CPSL_SHIM_H
#include <libpsl.h>
#endif
