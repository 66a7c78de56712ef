/* A request and its answer. Handlers of routes see nothing of HTTP but this. */
#ifndef ATTEND_SERVE_EXCHANGE_H
#define ATTEND_SERVE_EXCHANGE_H

#include "base/strbuf.h"
#include "serve/http.h"

#include <stdatomic.h>

struct catalog;
struct route;

struct exchange {
    struct attend_server *server;
    /* ---- What came; NULL where there is no such field ---- */
    char *method, *path, *query, *client, *type, *authorization, *if_none_match;
    struct strbuf body;
    const char *fault;        /* why it is turned away with 400 and its connection ends; or NULL */
    bool unknown_host;        /* it asks for a server of another name */
    bool foreign;             /* it comes from a page that is not allowed */
    char *origin;             /* of the page that it comes from and that may read the answer; "*":
                                 any; NULL: none */
    bool too_long;            /* it has more than is allowed: nothing of it counts */
    bool crowded_out;         /* there was no memory left for it */
    double started, deadline; /* on the clock of base/clock.h */
    /* ---- While it is answered ---- */
    const struct route *route; /* NULL: none */
    struct catalog *catalog;   /* the models of this request; or NULL */
    void *work;                /* of the route, between its two halves */
    void (*free_work)(void *);
    atomic_int waiting;    /* jobs that are not done, and one while they are handed over */
    atomic_bool abandoned; /* the client is gone: its jobs need not be done */
    void *connection;
    /* ---- The answer ---- */
    struct http_answer answer; /* code 0: not yet */
    size_t counted;            /* bytes of it in server->answers */
    char *owned[2];            /* texts that it points to */
    /* ---- For the log: what was asked for ---- */
    long characters, lines;
    const char *model;
    const char *error; /* what the answer says was wrong; or NULL */
};

/* NULL: out of memory. */
struct exchange *exchange_new(struct attend_server *, const struct http_head *);
void exchange_free(struct exchange *);

/* ---- Answers: the last one counts ---- */

/* A text that is handed over; NULL, when memory ran out, becomes an error. */
void exchange_answer(struct exchange *, int code, const char *type, char *text);
void exchange_json(struct exchange *, int code, struct strbuf *text);
/* Bytes that outlive the exchange. */
void exchange_fixed(struct exchange *, int code, const char *type, const char *bytes, size_t size);
/* {"error": "..."} */
void exchange_error(struct exchange *, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A header field; both texts must outlive the exchange. */
void exchange_field(struct exchange *, const char *name, const char *value);
/* The same for a value that is handed over; one at most. */
void exchange_field_owned(struct exchange *, const char *name, char *value);

#endif
