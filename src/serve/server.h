/* Inside a server: what its parts share. */
#ifndef ATTEND_SERVE_SERVER_H
#define ATTEND_SERVE_SERVER_H

#include "serve/batcher.h"
#include "serve/catalog.h"
#include "serve/exchange.h"
#include "serve/keys.h"
#include "serve/metrics.h"
#include "serve/origins.h"
#include "serve/rate.h"

#include <pthread.h>

/* What a request may ask for, at most. */
struct limits {
    size_t body;          /* bytes */
    int characters, line; /* of all texts together; of one line of them */
    int lines, alternatives, beam;
    int explain;         /* characters of a text that is explained */
    double explain_cost; /* see attend_explain_cost */
    double timeout;
};

struct attend_server {
    const struct attend_options *options;
    struct attend_serve_hooks hooks;
    struct limits limits;
    int rate; /* requests a minute; 0: any number */
    struct origins origins;
    bool behind_proxy; /* clients are who X-Forwarded-For says */
    const char *title;
    double started;
    pthread_mutex_t lock; /* of catalog and keys, which are replaced as a whole */
    struct catalog *catalog;
    struct keys *keys;    /* NULL: anybody may ask */
    pthread_mutex_t tell; /* one hook at a time */
    struct batcher *translating, *explaining, *detecting;
    struct rate clients;
    struct metrics metrics;
    const struct attend_http *http;
    struct http *door;
    atomic_int active;     /* exchanges that have not ended */
    atomic_size_t held;    /* bytes of their bodies */
    atomic_size_t answers; /* bytes of answers that are under way */
    int events;            /* an eventfd that wakes attend_server_run */
    atomic_bool stopping, reloading, draining, closing;
};

/* The catalog of now; release it. */
struct catalog *server_catalog(struct attend_server *);
void server_note(void *server, const char *text);
/* The functions of struct http_setup. */
struct exchange *server_begin(void *server, const struct http_head *);
bool server_receive(struct exchange *, const char *bytes, size_t size);
enum http_next server_proceed(struct exchange *);
void server_submit(struct exchange *);
void server_abandon(struct exchange *);
const struct http_answer *server_answer(const struct exchange *);
void server_end(struct exchange *, bool whole);

#endif
