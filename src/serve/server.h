/* The server's internal state and limits. */
#ifndef ATTEND_SERVE_SERVER_H
#define ATTEND_SERVE_SERVER_H

#include "serve/batcher.h"
#include "serve/catalog.h"
#include "serve/exchange.h"
#include "serve/files.h"
#include "serve/keys.h"
#include "serve/metrics.h"
#include "serve/origins.h"
#include "serve/rate.h"

#include <pthread.h>

/* Limits for one request. */
struct limits {
    size_t body;          /* bytes */
    int characters, line; /* of all texts together; of one line */
    int lines, alternatives, beam;
    int explain;         /* characters of a text to explain */
    double explain_cost; /* see attend_explain_cost */
    double timeout;
};

struct attend_server {
    struct attend_serve_options options;
    struct attend_translator_options search;
    struct attend_serve_hooks hooks;
    struct limits limits;
    atomic_int rate; /* requests a minute; 0: unlimited */
    struct origins origins;
    bool behind_proxy; /* take the client from X-Forwarded-For */
    const char *title;
    double started;
    pthread_mutex_t lock; /* protects catalog and keys, which are replaced as a whole */
    struct catalog *catalog;
    struct keys *keys;    /* NULL: no key is required */
    pthread_mutex_t tell; /* serializes the hooks */
    struct batcher *translating, *explaining, *detecting, *reading;
    struct loader *loader; /* NULL: all models are in memory */
    struct rate clients;
    struct metrics metrics;
    struct files files;
    const struct attend_http *http;
    struct http *door;
    atomic_int active;     /* exchanges that have begun and not ended */
    atomic_size_t held;    /* bytes of request bodies, and of frames made of them, in memory */
    atomic_size_t answers; /* bytes of answers that are being sent */
    int events;            /* an eventfd that wakes attend_server_run */
    atomic_bool stopping, reloading, draining, closing;
    atomic_bool stale; /* the last reload failed, at least in part */
};

/* Hand a note to the operator, from any thread. The first parameter is the server. */
void server_note(void *server, const char *text);
/* reload.c: read options, models and keys again. By the thread of attend_server_run only. */
void server_reload(struct attend_server *);

/* The current catalog. The caller releases it. */
struct catalog *server_catalog(struct attend_server *);
/* Count bytes that requests keep in memory until they end; false, and nothing is counted, when they
 * are too many already. */
bool server_hold(struct attend_server *, size_t bytes);
void server_let_go(struct attend_server *, size_t bytes);
/* The callbacks of struct http_setup. */
struct exchange *server_begin(void *server, const struct http_head *);
bool server_receive(struct exchange *, const char *bytes, size_t size);
enum http_next server_proceed(struct exchange *);
void server_submit(struct exchange *);
void server_abandon(struct exchange *);
const struct http_answer *server_answer(const struct exchange *);
void server_end(struct exchange *, bool whole);

#endif
