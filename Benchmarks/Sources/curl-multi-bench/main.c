// The limit for the core: libcurl's multi interface from C, every easy handle used again.
// curl-multi-bench URL COUNT INFLIGHT; arguments and output are those of Workload.swift.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

static double wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static double cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

// Makes `count` requests with the handles given, all of them in flight for as long as there is work.
static void make(CURLM *multi, CURL **handles, long inflight, long count) {
    long started = 0, finished = 0;
    while (started < inflight && started < count) curl_multi_add_handle(multi, handles[started++]);
    while (finished < count) {
        int running, queued;
        curl_multi_perform(multi, &running);
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &queued));) {
            CURL *easy = message->easy_handle;
            if (message->data.result != CURLE_OK) exit(1);
            curl_multi_remove_handle(multi, easy);
            finished++;
            if (started < count && ++started) curl_multi_add_handle(multi, easy);
        }
        if (finished < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
}

int main(int argc, char **argv) {
    long count = argc == 4 ? atol(argv[2]) : 0, inflight = argc == 4 ? atol(argv[3]) : 0;
    if (count <= 0 || inflight <= 0) return fprintf(stderr, "usage: %s URL COUNT INFLIGHT\n", argv[0]), 64;

    CURLM *multi = curl_multi_init();
    CURL **handles = calloc(inflight, sizeof *handles);
    for (long index = 0; index < inflight; index++) {
        handles[index] = curl_easy_init();
        curl_easy_setopt(handles[index], CURLOPT_URL, argv[1]);
        curl_easy_setopt(handles[index], CURLOPT_FAILONERROR, 1L);
        curl_easy_setopt(handles[index], CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(handles[index], CURLOPT_WRITEFUNCTION, discard);
    }
    make(multi, handles, inflight, inflight);

    double wall_start = wall(), cpu_start = cpu();
    make(multi, handles, inflight, count);
    printf("{\"requests\":%ld,\"seconds\":%.6f,\"cpu\":%.6f}\n", count, wall() - wall_start, cpu() - cpu_start);
    return 0;
}
