#ifndef AF_CLINUX_SHIM_H
#define AF_CLINUX_SHIM_H
#include <errno.h>
#include <linux/rtnetlink.h>
#include <linux/stat.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Kernel calls that Swift's Glibc module leaves out. Where a struct or a macro does not import, a function stands in. */

static const int32_t af_epoll_in = EPOLLIN;
static const int32_t af_epoll_out = EPOLLOUT;
static const int32_t af_epoll_edges = (int32_t)EPOLLET;
static const int32_t af_epoll_trouble = EPOLLERR | EPOLLHUP;

static inline int af_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int af_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t tag) {
    struct epoll_event event = {.events = events, .data.u64 = tag};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}
static inline int af_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t tag) {
    struct epoll_event event = {.events = events, .data.u64 = tag};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}
static inline int af_epoll_remove(int epoll, int descriptor) {
    struct epoll_event event = {0};
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}
static inline uint32_t af_epoll_events(const struct epoll_event *event) { return event->events; }
static inline uint64_t af_epoll_tag(const struct epoll_event *event) { return event->data.u64; }

static inline int af_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* A socket for requests about the network, which also receives the changes of the groups (RTMGRP_LINK and others). */
static inline int af_netlink_open(uint32_t groups) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
    if (descriptor >= 0 && bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

/* Declared by fcntl.h, spawn.h, stdio.h, string.h and sys/mman.h for those alone who define _GNU_SOURCE. */
int fallocate(int descriptor, int mode, off_t offset, off_t length);
int renameat2(int olddirectory, const char *oldpath, int newdirectory, const char *newpath, unsigned int flags);
void *memmem(const void *text, size_t length, const void *pattern, size_t pattern_length);
int memfd_create(const char *name, unsigned int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

int statx(int directory, const char *path, int flags, unsigned int mask, struct statx *status);

/* When an open file was created, in nanoseconds; 0 if its file system does not record that. */
static inline int64_t af_birth_time(int descriptor) {
    struct statx status = {0};
    if (statx(descriptor, "", 0x1000 /* AT_EMPTY_PATH */, STATX_BTIME, &status) != 0) return 0;
    if (!(status.stx_mask & STATX_BTIME)) return 0;
    return status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

/* At most 15 bytes of the name are kept. */
static inline void af_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
#endif
