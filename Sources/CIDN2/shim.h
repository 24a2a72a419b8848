#ifndef AF_CIDN2_SHIM_H
#define AF_CIDN2_SHIM_H
#include <idn2.h>
#endif
