// The limit for the core: libcurl's multi interface from C, every easy handle used again.
// Arguments and output are those of Workload.swift, without --idle.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

// One request in flight: its handles, for the two URLs in turn, are used one after the other.
struct slot {
    CURL *handles[2];
    int kinds, next;
};

static CURL *next_handle(struct slot *slot) {
    CURL *easy = slot->handles[slot->next];
    slot->next = (slot->next + 1) % slot->kinds;
    return easy;
}

// Sends `count` requests, all slots in flight as long as there is work.
static void send_all(CURLM *multi, struct slot *slots, long inflight, long count) {
    long started = 0, finished = 0;
    while (started < inflight && started < count) curl_multi_add_handle(multi, next_handle(&slots[started++]));
    while (finished < count) {
        int running, queued;
        curl_multi_perform(multi, &running);
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &queued));) {
            CURL *easy = message->easy_handle;
            if (message->data.result != CURLE_OK) {
                fprintf(stderr, "%s\n", curl_easy_strerror(message->data.result));
                exit(1);
            }
            struct slot *slot;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&slot);
            curl_multi_remove_handle(multi, easy);
            finished++;
            if (started < count && ++started) curl_multi_add_handle(multi, next_handle(slot));
        }
        if (finished < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
}

// Returns a JSON object of a size.
static char *json(long size) {
    char *text = malloc(size + 16);
    int start = sprintf(text, "{\"text\":\"");
    memset(text + start, 'x', size > 11 ? size - 11 : 0);
    strcpy(text + (size > 11 ? size - 2 : start), "\"}");
    return text;
}

int main(int argc, char **argv) {
    const char *urls[2] = {argc > 3 ? argv[1] : NULL, NULL}, *authority = NULL;
    char *body = NULL;
    long count = argc > 3 ? atol(argv[2]) : 0, inflight = argc > 3 ? atol(argv[3]) : 0;
    for (int word = 4; word + 1 < argc; word += 2) {
        if (!strcmp(argv[word], "--other")) urls[1] = argv[word + 1];
        else if (!strcmp(argv[word], "--post")) body = json(atol(argv[word + 1]));
        else if (!strcmp(argv[word], "--authority")) authority = argv[word + 1];
        else count = 0;
    }
    if (count <= 0 || inflight <= 0)
        return fprintf(stderr, "usage: %s URL COUNT INFLIGHT [--other URL] [--post BYTES] [--authority FILE]\n", argv[0]), 64;

    CURLM *multi = curl_multi_init();
    struct slot *slots = calloc(inflight, sizeof *slots);
    for (long index = 0; index < inflight; index++) {
        slots[index].kinds = urls[1] ? 2 : 1;
        for (int kind = 0; kind < slots[index].kinds; kind++) {
            CURL *easy = slots[index].handles[kind] = curl_easy_init();
            curl_easy_setopt(easy, CURLOPT_PRIVATE, &slots[index]);
            curl_easy_setopt(easy, CURLOPT_URL, urls[kind]);
            curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
            curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
            curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
            struct curl_slist *fields = NULL;
            if (body) {
                curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
                fields = curl_slist_append(fields, "Content-Type: application/json");
            }
            if (kind == 1) {
                curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
                fields = curl_slist_append(fields, "X-Other: yes");
            }
            if (fields) curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
            if (authority) {
                curl_easy_setopt(easy, CURLOPT_CAINFO, authority);
                curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
                curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
            }
        }
    }
    send_all(multi, slots, inflight, inflight * 2);

    double wall_start = wall(), cpu_start = cpu();
    send_all(multi, slots, inflight, count);
    printf("{\"requests\":%ld,\"seconds\":%.6f,\"cpu\":%.6f}\n", count, wall() - wall_start, cpu() - cpu_start);
    return 0;
}
