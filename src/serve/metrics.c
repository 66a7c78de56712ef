#include "serve/metrics.h"

#include "base/strbuf.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const double seconds[] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                 0.25,  0.5,    1,     2.5,  5,     10,   (double)INFINITY};
static const double lines[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, (double)INFINITY};
_Static_assert(sizeof seconds / sizeof *seconds <= METRICS_BUCKETS, "room for all");

/* Status codes of answers; the last one stands for all others. */
static const int codes[] = {200, 204, 304, 400, 403, 404, 405, 408, 413, 429, 500, 503, 504, 0};
enum { CODES = sizeof codes / sizeof *codes };
_Static_assert((int)CODES <= (int)METRICS_CODES, "room for all");

void metrics_init(struct metrics *m)
{
    *m = (struct metrics){.latency = {.bound = seconds}, .batch = {.bound = lines}};
}

void metrics_observe(struct metrics_histogram *h, double value)
{
    int i = 0;
    while (value > h->bound[i])
        i++;
    atomic_fetch_add(&h->bucket[i], 1);
    atomic_fetch_add(&h->micros, lround(value * 1e6));
}

void metrics_count(struct metrics *m, int route, int code)
{
    int i = 0;
    while (codes[i] != code && codes[i])
        i++;
    atomic_fetch_add(&m->requests[route < 0 ? METRICS_ROUTES - 1 : route][i], 1);
}

/* ---- Writing ---- */

static void add_heading(struct strbuf *out, const char *name, const char *kind, const char *help)
{
    strbuf_addf(out, "# HELP attend_%s %s\n# TYPE attend_%s %s\n", name, help, name, kind);
}

static void add_number(struct strbuf *out, const char *name, const char *kind, const char *help,
                       double value)
{
    add_heading(out, name, kind, help);
    strbuf_addf(out, "attend_%s %.15g\n", name, value);
}

static void add_histogram(struct strbuf *out, const char *name, const char *help,
                          const struct metrics_histogram *h)
{
    long sum = 0;
    add_heading(out, name, "histogram", help);
    for (int i = 0;; i++) {
        sum += atomic_load(&h->bucket[i]);
        if (isinf(h->bound[i]))
            break;
        strbuf_addf(out, "attend_%s_bucket{le=\"%g\"} %ld\n", name, h->bound[i], sum);
    }
    strbuf_addf(out, "attend_%s_bucket{le=\"+Inf\"} %ld\n", name, sum);
    strbuf_addf(out, "attend_%s_sum %.15g\n", name, (double)atomic_load(&h->micros) * 1e-6);
    strbuf_addf(out, "attend_%s_count %ld\n", name, sum);
}

static void add_route(struct strbuf *out, const atomic_long *requests, const char *path)
{
    for (int i = 0; i < CODES; i++) {
        const long count = atomic_load(&requests[i]);
        char code[16] = "other";
        if (codes[i])
            snprintf(code, sizeof code, "%d", codes[i]);
        if (count)
            strbuf_addf(out, "attend_requests_total{route=\"%s\",code=\"%s\"} %ld\n", path, code,
                        count);
    }
}

/* Resident memory in bytes. */
static double resident(void)
{
    long all = 0, here = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    const bool known = file && fscanf(file, "%ld %ld", &all, &here) == 2;
    if (file)
        fclose(file);
    return known ? (double)here * (double)sysconf(_SC_PAGESIZE) : 0;
}

void metrics_write(struct strbuf *out, const struct metrics *m, const struct metrics_gauges *g,
                   const char *(*path)(int route))
{
    add_heading(out, "requests_total", "counter", "Requests by route and code.");
    for (int i = 0; path(i); i++)
        add_route(out, m->requests[i], path(i));
    add_route(out, m->requests[METRICS_ROUTES - 1], "other");
    add_histogram(out, "request_seconds", "From a request's first byte to its answer's last.",
                  &m->latency);
    add_histogram(out, "batch_lines", "Lines translated together.", &m->batch);
    const struct {
        const char *name, *kind, *help;
        double value;
    } rows[] = {
        {"lines_total", "counter", "Lines translated.", (double)atomic_load(&m->lines)},
        {"source_tokens_total", "counter", "Tokens read.", (double)atomic_load(&m->source_tokens)},
        {"target_tokens_total", "counter", "Tokens written.",
         (double)atomic_load(&m->target_tokens)},
        {"broken_requests_total", "counter", "Requests that ended before their answer was sent.",
         (double)atomic_load(&m->broken)},
        {"queue_lines", "gauge", "Lines that wait for translation.", g->queued},
        {"queue_explanations", "gauge", "Explanations and pictures that wait.", g->explaining},
        {"connections", "gauge", "Open connections.", g->connections},
        {"models", "gauge", "Models served.", g->models},
        {"models_loaded", "gauge", "Models in memory.", g->memory.models},
        {"model_loads_total", "counter", "Models loaded on demand.", (double)g->memory.loads},
        {"model_unloads_total", "counter", "Models unloaded to make room.",
         (double)g->memory.unloads},
        {"model_memory_bytes", "gauge", "Memory of the models loaded on demand.",
         (double)g->memory.bytes},
        {"model_memory_limit_bytes", "gauge", "Limit of it; 0: none.", (double)g->memory.limit},
        {"uptime_seconds", "gauge", "Since the server started.", g->uptime},
        {"resident_memory_bytes", "gauge", "Memory in use.", resident()},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add_number(out, rows[i].name, rows[i].kind, rows[i].help, rows[i].value);
}
