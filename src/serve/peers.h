/* The connections of a server: their deadlines, and whether their clients are still there. Linked
 * into the HTTP module, and into the library for its tests; knows nothing of libmicrohttpd. */
#ifndef ATTEND_SERVE_PEERS_H
#define ATTEND_SERVE_PEERS_H

#include <pthread.h>
#include <stdbool.h>

struct exchange;

/* A connection, from accept to close. */
struct peer {
    struct peer *before, *after;
    struct peers *all;
    int socket;
    double deadline;          /* when the connection is shut down */
    bool answering;           /* part of an answer may have been sent */
    bool interim;             /* the client speaks HTTP/1.1, so it accepts interim responses */
    struct exchange *waiting; /* waiting for its work, with the connection suspended; or NULL */
    /* while waiting: when to probe a client that has closed its sending side; 0: it has not */
    double probe;
    /* when the client was first seen to have closed its sending side; 0: it has not */
    double ended;
    char *query; /* of the current request; or NULL */
};

struct peers {
    pthread_mutex_t lock; /* protects the list and every peer in it */
    struct peer list;     /* sentinel: its head and tail */
    int count;
    /* Called when the client of a waiting exchange is gone. */
    void (*abandon)(struct exchange *);
};

void peers_init(struct peers *, void (*abandon)(struct exchange *));
void peers_release(struct peers *);
/* The current time, on the clock of the deadlines. */
double peers_now(void);

/* NULL: out of memory. The caller keeps the socket, which must stay open until peers_remove. */
struct peer *peers_add(struct peers *, int socket, double deadline);
void peers_remove(struct peer *); /* NULL is fine */
int peers_count(struct peers *);

/* Set the deadline for the next step: receiving, or sending an answer. */
void peer_set_deadline(struct peer *, double deadline, bool answering);
/* Like peer_set_deadline, but only if that is earlier. */
void peer_hasten(struct peer *, double deadline);
/* The connection waits, without a deadline, until peer_set_deadline. The work has its own deadline,
 * and an answer follows when it is missed. */
void peer_set_waiting(struct peer *, struct exchange *);

/* Shut down connections that are too slow and detect clients that are gone. Call it a few times a
 * second. */
void peers_watch(struct peers *);

#endif
