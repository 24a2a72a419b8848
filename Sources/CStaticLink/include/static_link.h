#ifndef AF_STATIC_LINK_H
#define AF_STATIC_LINK_H
/* Nothing to call: the sources define functions that the static libcurl calls and no archive has. */
#endif
