// Functions of glibc that its headers declare only under _GNU_SOURCE, which Swift's Glibc module is built without.
#ifndef AF_CGNUEXTENSIONS_SHIM_H
#define AF_CGNUEXTENSIONS_SHIM_H

#include <spawn.h>
#include <sys/socket.h>

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// POSIX_SPAWN_SETSID
static const short AF_POSIX_SPAWN_SETSID = 0x80;

#endif
