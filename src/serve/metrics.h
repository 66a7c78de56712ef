/* Counts of what a server did, as Prometheus reads them. Any thread may add. */
#ifndef ATTEND_SERVE_METRICS_H
#define ATTEND_SERVE_METRICS_H

#include <stdatomic.h>

struct strbuf;

enum { METRICS_ROUTES = 32, METRICS_CODES = 16, METRICS_BUCKETS = 16 };

/* How often values were at most each bound; the last bucket has no bound. */
struct metrics_histogram {
    const double *bound; /* rising, INFINITY last */
    atomic_long bucket[METRICS_BUCKETS];
    atomic_long micros; /* sum of the values, in millionths */
};

struct metrics {
    atomic_long requests[METRICS_ROUTES][METRICS_CODES];
    struct metrics_histogram latency; /* seconds from the first byte to the last */
    struct metrics_histogram batch;   /* lines searched together */
    atomic_long lines, source_tokens, target_tokens;
    atomic_long broken; /* requests that ended before their answer was sent */
};

void metrics_init(struct metrics *);
void metrics_observe(struct metrics_histogram *, double value);
/* A request to a row of the table of routes; -1: to none. */
void metrics_count(struct metrics *, int route, int code);

/* What stands still at the moment. */
struct metrics_gauges {
    int queued, explaining; /* lines that wait for translation; other work that waits */
    int connections;
    int models;
    double uptime;
};
/* `path` names a row of the table of routes; NULL past the last. */
void metrics_write(struct strbuf *, const struct metrics *, const struct metrics_gauges *,
                   const char *(*path)(int route));

#endif
