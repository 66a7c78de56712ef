/* The border between the server and whatever speaks HTTP: the module http.c fills in struct
 * attend_http and calls the functions of struct http_setup. It links nothing of the library, so
 * that everything it needs of it is here.
 *
 * One request: begin, receive for each part of its body, then proceed. When that says HTTP_WAIT the
 * connection rests, submit hands the work over, and whoever has done it calls resume, upon which
 * proceed is called again. When it says HTTP_ANSWER the answer is sent, and end comes last, also
 * for requests that break off. Calls for one request never overlap. */
#ifndef ATTEND_SERVE_HTTP_H
#define ATTEND_SERVE_HTTP_H

#include "attend/serve.h"

#include <stdbool.h>
#include <stddef.h>

struct exchange; /* a request and its answer: the server's */
struct http;     /* a door that is open: the module's */

/* What is known when the header of a request is there; the texts live until begin returns. */
struct http_head {
    const char *method, *path; /* the path decoded */
    const char *query;         /* as it came, without `?`; "" when there is none */
    const char *client;        /* its address */
    const char *type, *authorization, *if_none_match, *forwarded; /* of its fields; or NULL */
    const char *host, *origin, *site; /* the same: Host, Origin and Sec-Fetch-Site */
    const char
        *fault;       /* why nothing of it can be trusted, and the connection has to end; or NULL */
    long long length; /* of its body, as it says; -1: it does not say */
    void *connection; /* for resume */
};

enum { HTTP_FIELDS = 16 };
struct http_field {
    const char *name, *value;
};
/* Lives as long as its exchange. */
struct http_answer {
    int code;
    const char *body;
    size_t size;
    struct http_field field[HTTP_FIELDS];
    int fields;
};

enum http_next { HTTP_ANSWER, HTTP_WAIT };

struct http_setup {
    const char *host;
    int port;        /* 0: any that is free */
    int connections; /* at one time */
    double timeout;  /* seconds from the first byte of a request to its last, and again for the
                        answer; connections that say nothing for so long are closed */
    void *context;
    /* NULL: out of memory. */
    struct exchange *(*begin)(void *context, const struct http_head *);
    /* Whether more of the body is wanted; first called with none of it. */
    bool (*receive)(struct exchange *, const char *bytes, size_t size);
    enum http_next (*proceed)(struct exchange *);
    void (*submit)(struct exchange *);
    /* The client of an exchange that waits is gone: nobody will read its answer. Of any thread; the
     * exchange goes on as if nothing had happened. */
    void (*abandon)(struct exchange *);
    const struct http_answer *(*answer)(const struct exchange *);
    void (*end)(struct exchange *, bool whole); /* frees it; whole: the answer was sent */
};

struct attend_http {
    /* Take the address; nothing is served before start. */
    enum attend_status (*open)(struct http **out, const struct http_setup *,
                               struct attend_error *err);
    enum attend_status (*start)(struct http *, struct attend_error *err);
    int (*port)(const struct http *);
    bool (*loopback)(const struct http *); /* only this computer can reach it */
    /* Of any thread. */
    void (*resume)(void *connection);
    /* Cut off what is too slow and look for clients that are gone; to be called a few times a
     * second. */
    void (*watch)(struct http *);
    int (*connections)(const struct http *); /* open ones */
    void (*stop_accepting)(struct http *);
    void (*close)(struct http *); /* nothing may be waiting */
};

#endif
