/* How often clients may ask. Each has a bucket of N requests that fills up again within a minute:
 *
 *     level = min(N, level + (now - before) N / 60), a request takes 1
 *
 * The table has a fixed size: when many clients share its places, one who has not asked for long
 * gives way, and a bucket that nobody looks at for a minute is full anyway. */
#ifndef ATTEND_SERVE_RATE_H
#define ATTEND_SERVE_RATE_H

#include <pthread.h>
#include <stdint.h>

enum { RATE_SETS = 1024, RATE_WAYS = 8 };

struct rate {
    pthread_mutex_t lock;
    uint64_t seed;
    struct rate_client {
        uint64_t id; /* 0: nobody */
        double level, before;
    } client[RATE_SETS][RATE_WAYS];
};

void rate_init(struct rate *, uint64_t seed);
void rate_release(struct rate *);
/* 0: the client may; otherwise the seconds after which it may again. */
double rate_take(struct rate *, const char *client, int per_minute, double now);
/* The same, but nothing is taken. */
double rate_wait(struct rate *, const char *client, int per_minute, double now);

#endif
