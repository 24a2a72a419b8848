#ifndef AF_COPENSSL_SHIM_H
#define AF_COPENSSL_SHIM_H
/* CCurl has these too, but with libcurl's headers, which take the sockets' declarations away from Glibc. */
#include <openssl/evp.h>
#include <openssl/ssl.h>
#endif
