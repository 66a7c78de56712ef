/* The interface between the server and the module that speaks HTTP. http.c fills in struct
 * attend_http and calls the functions of struct http_setup. The module links nothing of the
 * library, so this header has all that it needs.
 *
 * The calls for one request: begin, receive for each part of the body, then proceed. If proceed
 * returns HTTP_WAIT, the connection is suspended and submit hands the work over; when the work is
 * done, resume is called, and then proceed again. If proceed returns HTTP_ANSWER, the answer is
 * sent. end is always the last call, also for requests that break off. Calls for one request never
 * overlap. */
#ifndef ATTEND_SERVE_HTTP_H
#define ATTEND_SERVE_HTTP_H

#include "attend/serve.h"

#include <stdbool.h>
#include <stddef.h>

struct exchange; /* a request and its answer; defined by the server */
struct http;     /* an open listener; defined by the module */

/* The header of a request. The strings live until begin returns. */
struct http_head {
    const char *method, *path; /* the path decoded */
    const char *query;         /* undecoded, without `?`; "" if absent */
    const char *client;        /* its address */
    const char *type, *authorization, *if_none_match, *forwarded; /* header fields; or NULL */
    const char *scheme;                                           /* also: X-Forwarded-Proto */
    const char *host, *origin, *site; /* also header fields: Host, Origin and Sec-Fetch-Site */
    const char *fault; /* why the header is ambiguous and the connection must be closed; or NULL */
    long long length;  /* Content-Length; -1: absent */
    void *connection;  /* for resume */
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
    int port;        /* 0: any free port */
    int connections; /* maximum number of open connections */
    /* limit in seconds for receiving a request and, separately, for sending the answer; also for
     * idle connections */
    double timeout;
    void *context;
    /* NULL: out of memory. */
    struct exchange *(*begin)(void *context, const struct http_head *);
    /* Whether more of the body is wanted. The first call has no bytes. */
    bool (*receive)(struct exchange *, const char *bytes, size_t size);
    enum http_next (*proceed)(struct exchange *);
    void (*submit)(struct exchange *);
    /* The client of a waiting exchange is gone, so nobody will read the answer. Called on any
     * thread. The exchange continues to its end as usual. */
    void (*abandon)(struct exchange *);
    const struct http_answer *(*answer)(const struct exchange *);
    /* Free the exchange; whole: the answer was sent completely. */
    void (*end)(struct exchange *, bool whole);
};

struct attend_http {
    /* Bind the address. Requests are served only after start. */
    enum attend_status (*open)(struct http **out, const struct http_setup *,
                               struct attend_error *err);
    enum attend_status (*start)(struct http *, struct attend_error *err);
    int (*port)(const struct http *);
    bool (*loopback)(const struct http *); /* only this computer can connect */
    /* Safe to call from any thread. */
    void (*resume)(void *connection);
    /* Disconnect clients that are too slow and detect those that are gone. Call it a few times a
     * second. */
    void (*watch)(struct http *);
    int (*connections)(const struct http *); /* open connections */
    void (*stop_accepting)(struct http *);
    void (*close)(struct http *); /* no exchange may be waiting */
};

#endif
