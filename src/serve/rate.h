/* Rate limits. Each client has a token bucket of N requests that refills within a minute:
 *
 *     level = min(N, level + (now - before) N / 60), a request takes 1
 *
 * The table has a fixed size. A new client evicts the least recent one of its set. That loses
 * little: a bucket that is not used for a minute is full anyway. */
#ifndef ATTEND_SERVE_RATE_H
#define ATTEND_SERVE_RATE_H

#include <pthread.h>
#include <stdint.h>

enum { RATE_SETS = 1024, RATE_WAYS = 8 };

struct rate {
    pthread_mutex_t lock;
    uint64_t seed;
    struct rate_client {
        uint64_t id; /* 0: free */
        double level, before;
    } client[RATE_SETS][RATE_WAYS];
};

void rate_init(struct rate *, uint64_t seed);
void rate_release(struct rate *);
/* Take one request. Returns 0 if it is allowed, otherwise the seconds to wait. */
double rate_take(struct rate *, const char *client, int per_minute, double now);
/* The same without taking a request. */
double rate_wait(struct rate *, const char *client, int per_minute, double now);

#endif
