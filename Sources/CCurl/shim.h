#ifndef AF_CCURL_SHIM_H
#define AF_CCURL_SHIM_H
#include <curl/curl.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/pem.h>
#endif
