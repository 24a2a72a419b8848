// measure OUTPUT COMMAND [ARGUMENT...]: runs the command with standard output in the file OUTPUT and prints
// {"status":N,"wall":S,"cpu":S,"rss":KIB}: exit status, seconds, user + system seconds and peak resident memory of the
// command and of what it waited for.
//
// A program of its own because the kernel counts the memory of the process that forked into the child's peak: the
// driver's interpreter alone is larger than what is measured.
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc < 3) return fprintf(stderr, "usage: measure OUTPUT COMMAND [ARGUMENT...]\n"), 64;
    int output = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (output < 0) return perror(argv[1]), 1;

    double start = wall();
    pid_t child = fork();
    if (child < 0) return perror("fork"), 1;
    if (child == 0) {
        dup2(output, STDOUT_FILENO);
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) < 0) return perror("wait4"), 1;
    double seconds = wall() - start;

    double cpu = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    printf("{\"status\":%d,\"wall\":%.6f,\"cpu\":%.6f,\"rss\":%ld}\n", code, seconds, cpu, usage.ru_maxrss);
    return 0;
}
