/* Server metrics in the Prometheus text format. Any thread may count. */
#ifndef ATTEND_SERVE_METRICS_H
#define ATTEND_SERVE_METRICS_H

#include "serve/loader.h"

#include <stdatomic.h>

struct strbuf;

enum { METRICS_ROUTES = 32, METRICS_CODES = 16, METRICS_BUCKETS = 16 };

/* A histogram. The last bucket has no bound. */
struct metrics_histogram {
    const double *bound; /* ascending, INFINITY last */
    atomic_long bucket[METRICS_BUCKETS];
    atomic_long micros; /* sum of the values, in millionths */
};

struct metrics {
    atomic_long requests[METRICS_ROUTES][METRICS_CODES];
    /* seconds from the first byte of a request to the last of its answer */
    struct metrics_histogram latency;
    struct metrics_histogram batch; /* lines translated together */
    atomic_long lines, source_tokens, target_tokens;
    atomic_long broken; /* requests that ended before their answer was sent completely */
};

void metrics_init(struct metrics *);
void metrics_observe(struct metrics_histogram *, double value);
/* Count a request. `route` is its row in the table of routes; -1: none. */
void metrics_count(struct metrics *, int route, int code);

/* Values at the moment of the request. */
struct metrics_gauges {
    int queued, explaining; /* lines waiting for translation; other tasks waiting */
    int connections;
    int models;
    struct loader_figures memory;
    double uptime;
};
/* `path` names a row of the table of routes; NULL past the last. */
void metrics_write(struct strbuf *, const struct metrics *, const struct metrics_gauges *,
                   const char *(*path)(int route));

#endif
