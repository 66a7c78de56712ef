#include "serve/rate.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

void rate_init(struct rate *r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    r->seed = rng_seed(seed);
    pthread_mutex_init(&r->lock, NULL);
}

void rate_release(struct rate *r) { pthread_mutex_destroy(&r->lock); }

/* The seed is secret, so no client can choose whose place it collides with. */
static uint64_t id_of(const struct rate *r, const char *client)
{
    uint64_t id = r->seed;
    for (const char *c = client; *c; c++)
        id = rng_key(id, (unsigned char)*c);
    return id | 1;
}

/* The client's place, or that of the least recent client in its set. */
static struct rate_client *find(struct rate *r, uint64_t id, int per_minute, double now)
{
    struct rate_client *set = r->client[(id >> 1) % RATE_SETS], *oldest = set;
    for (int i = 0; i < RATE_WAYS; i++) {
        if (set[i].id == id)
            return &set[i];
        if (!set[i].id || (oldest->id && set[i].before < oldest->before))
            oldest = &set[i];
    }
    *oldest = (struct rate_client){.id = id, .level = per_minute, .before = now};
    return oldest;
}

/* Refill the bucket. Returns the seconds until it holds one request. */
static double fill(struct rate_client *c, int per_minute, double now)
{
    const double each = 60.0 / per_minute;
    c->level = fmin(per_minute, c->level + (now - c->before) / each);
    c->before = now;
    return c->level < 1 ? (1 - c->level) * each : 0;
}

double rate_take(struct rate *r, const char *client, int per_minute, double now)
{
    pthread_mutex_lock(&r->lock);
    struct rate_client *c = find(r, id_of(r, client), per_minute, now);
    const double wait = fill(c, per_minute, now);
    if (wait <= 0)
        c->level -= 1;
    pthread_mutex_unlock(&r->lock);
    return wait;
}

/* A client without a place has a full bucket and gets no place: only requests that count use
 * one. */
double rate_wait(struct rate *r, const char *client, int per_minute, double now)
{
    const uint64_t id = id_of(r, client);
    struct rate_client *set = r->client[(id >> 1) % RATE_SETS];
    double wait = 0;
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < RATE_WAYS; i++)
        if (set[i].id == id)
            wait = fill(&set[i], per_minute, now);
    pthread_mutex_unlock(&r->lock);
    return wait;
}
