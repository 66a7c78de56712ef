/* The connections of a server: how long each may take, and whether its client is still there. Part
 * of the module that speaks HTTP, and of the library for its tests; what speaks HTTP is not known
 * here. */
#ifndef ATTEND_SERVE_PEERS_H
#define ATTEND_SERVE_PEERS_H

#include <pthread.h>
#include <stdbool.h>

struct exchange;

/* A connection, from accepting to closing. */
struct peer {
    struct peer *before, *after;
    struct peers *all;
    int socket;
    double deadline;          /* when it is cut off */
    bool answering;           /* bytes of an answer may be under way */
    bool interim;             /* its client understands interim answers: it speaks HTTP/1.1 */
    struct exchange *waiting; /* whose work is under way, with the connection suspended; or NULL */
    double probe; /* while it waits: when to ask a client that hung up whether it is still there; 0:
                     it has not hung up */
    double ended; /* when its client was first seen to send no more; 0: it may */
    char *query;  /* of the request at hand; or NULL */
};

struct peers {
    pthread_mutex_t lock; /* of the list and of every peer in it */
    struct peer list;     /* its ends */
    int count;
    /* The client of an exchange that waits is gone. */
    void (*abandon)(struct exchange *);
};

void peers_init(struct peers *, void (*abandon)(struct exchange *));
void peers_release(struct peers *);
/* On the clock that deadlines are on. */
double peers_now(void);

/* NULL: out of memory. The socket stays the caller's and must be open until peers_remove. */
struct peer *peers_add(struct peers *, int socket, double deadline);
void peers_remove(struct peer *); /* NULL is fine */
int peers_count(struct peers *);

/* What comes next has until then. */
void peer_set_deadline(struct peer *, double deadline, bool answering);
/* An earlier deadline stays. */
void peer_hasten(struct peer *, double deadline);
/* Until peer_set_deadline. The work has a deadline of its own, and an answer comes when it is
 * missed. */
void peer_set_waiting(struct peer *, struct exchange *);

/* Cut off what is too slow, and find clients that are gone; to be called a few times a second. */
void peers_watch(struct peers *);

#endif
