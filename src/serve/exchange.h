/* A request and its answer. This is all of HTTP that route handlers see. */
#ifndef ATTEND_SERVE_EXCHANGE_H
#define ATTEND_SERVE_EXCHANGE_H

#include "base/strbuf.h"
#include "serve/http.h"

#include <stdatomic.h>

struct catalog;
struct route;
struct upload;

struct exchange {
    struct attend_server *server;
    /* ---- The request; NULL for a field that is absent ---- */
    char *method, *path, *query, *client, *type, *authorization, *if_none_match;
    struct strbuf body;
    const char *fault; /* malformed header: answer 400 with this text and close; or NULL */
    bool unknown_host; /* Host names another server */
    bool foreign;      /* Origin is not allowed */
    char *host;        /* the name that the client knows the server by */
    bool secure;       /* a proxy speaks HTTPS with the client */
    char *origin;      /* origin of the page that may read the answer; "*": any; NULL: none */
    bool too_long;     /* the body exceeds the limit; it is ignored */
    bool crowded_out;  /* bodies of other requests have used up the memory */
    double started, deadline; /* on the clock of base/clock.h */
    /* ---- While it is processed ---- */
    const struct route *route; /* NULL: none */
    struct catalog *catalog;   /* held by this request; or NULL */
    void *work;                /* the route's data between begin and finish */
    void (*free_work)(void *);
    struct upload *upload; /* the file for a model that reads frames; or NULL */
    atomic_int waiting;    /* unfinished jobs, plus one during submit */
    atomic_bool abandoned; /* the client is gone; its jobs can be dropped */
    void *connection;
    /* ---- The answer ---- */
    struct http_answer answer; /* code 0: not yet */
    size_t counted;            /* bytes of the answer that are counted in server->answers */
    char *owned[2];            /* memory that the answer points to */
    /* ---- For the log ---- */
    long characters, lines;
    const char *model;
    const char *error; /* error message of the answer; or NULL */
};

/* NULL: out of memory. */
struct exchange *exchange_new(struct attend_server *, const struct http_head *);
void exchange_free(struct exchange *);

/* ---- Answers: a later one replaces an earlier one ---- */

/* Takes ownership of the text. NULL means that memory ran out and gives an error. */
void exchange_answer(struct exchange *, int code, const char *type, char *text);
void exchange_json(struct exchange *, int code, char *text);
/* The same with any bytes, which are not NULL. */
void exchange_bytes(struct exchange *, int code, const char *type, char *bytes, size_t size);
/* The bytes must outlive the exchange. */
void exchange_fixed(struct exchange *, int code, const char *type, const char *bytes, size_t size);
/* {"error": "..."} */
void exchange_error(struct exchange *, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* 503: the client should try again later. */
void exchange_busy(struct exchange *);
/* Add a header field. Both strings must outlive the exchange. */
void exchange_field(struct exchange *, const char *name, const char *value);
/* The same, but takes ownership of the value; at most once per exchange. */
void exchange_field_owned(struct exchange *, const char *name, char *value);

#endif
