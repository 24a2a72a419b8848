#ifndef AF_PROGRAM_H
#define AF_PROGRAM_H

#include <stddef.h>

/* The arguments of the process, the program's name first; NULL ends them. */
const char *const *af_arguments(void);

/* Overwrites bytes of an argument with asterisks. */
void af_hide_argument(size_t index, size_t offset, size_t length);

/* Sets the number of malloc's arenas, which is 1 at the start of the program; the environment's MALLOC_ARENA_MAX takes
   precedence. glibc reads it once, when the second thread allocates memory. */
void af_limit_arenas(int count);

/* The commit that the program was built from, such as "3a414c9d02f1"; NULL if the build did not say. */
const char *af_commit(void);

/* The libraries that the compiler links into the program, such as "Swift/6.3.1 libstdc++/12"; NULL if the build did not
   say. */
const char *af_runtime(void);

#endif
