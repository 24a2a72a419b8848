#ifndef AF_PROGRAM_H
#define AF_PROGRAM_H

/* The arguments of the process, the program's name first; NULL ends them. */
const char *const *af_arguments(void);

/* The commit that the program was built from, such as "3a414c9d02f1"; NULL if the build did not say. */
const char *af_commit(void);

/* The libraries that the compiler links into the program, such as "Swift/6.3.1 libstdc++/12"; NULL if the build did not
   say. */
const char *af_runtime(void);

#endif
