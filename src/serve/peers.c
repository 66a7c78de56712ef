#include "serve/peers.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

void peers_init(struct peers *all, void (*abandon)(struct exchange *))
{
    *all = (struct peers){.abandon = abandon};
    all->list.before = all->list.after = &all->list;
    pthread_mutex_init(&all->lock, NULL);
}

void peers_release(struct peers *all) { pthread_mutex_destroy(&all->lock); }

double peers_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- Connections and their deadlines ---- */

struct peer *peers_add(struct peers *all, int socket, double deadline)
{
    struct peer *peer = calloc(1, sizeof *peer);
    if (!peer)
        return NULL;
    peer->all = all;
    peer->socket = socket;
    peer->deadline = deadline;
    pthread_mutex_lock(&all->lock);
    peer->before = &all->list;
    peer->after = all->list.after;
    peer->after->before = peer->before->after = peer;
    all->count++;
    pthread_mutex_unlock(&all->lock);
    return peer;
}

void peers_remove(struct peer *peer)
{
    if (!peer)
        return;
    pthread_mutex_lock(&peer->all->lock);
    peer->before->after = peer->after;
    peer->after->before = peer->before;
    peer->all->count--;
    pthread_mutex_unlock(&peer->all->lock);
    free(peer->query);
    free(peer);
}

int peers_count(struct peers *all)
{
    pthread_mutex_lock(&all->lock);
    const int count = all->count;
    pthread_mutex_unlock(&all->lock);
    return count;
}

void peer_set_deadline(struct peer *peer, double deadline, bool answering)
{
    pthread_mutex_lock(&peer->all->lock);
    peer->deadline = deadline;
    peer->answering = answering;
    peer->waiting = NULL;
    peer->ended = 0;
    pthread_mutex_unlock(&peer->all->lock);
}

void peer_hasten(struct peer *peer, double deadline)
{
    pthread_mutex_lock(&peer->all->lock);
    peer->deadline = fmin(peer->deadline, deadline);
    peer->answering = false;
    peer->ended = 0;
    pthread_mutex_unlock(&peer->all->lock);
}

void peer_set_waiting(struct peer *peer, struct exchange *exchange)
{
    pthread_mutex_lock(&peer->all->lock);
    peer->deadline = (double)INFINITY;
    peer->answering = false;
    peer->waiting = exchange;
    peer->probe = 0;
    peer->ended = 0;
    pthread_mutex_unlock(&peer->all->lock);
}

/* A socket is closed only after its peer has left the list. So, under the lock, its descriptor
 * cannot have been reused. */
static void cut(struct peer *peer)
{
    static const char late[] = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n"
                               "Connection: close\r\n\r\n";
    if (!peer->answering)
        send(peer->socket, late, sizeof late - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(peer->socket, SHUT_RDWR);
    peer->deadline = (double)INFINITY;
}

/* ---- Clients that leave while they send ---- */

/* Seconds that the HTTP thread gets to read a request whose client has closed its sending side. */
static const double take_up = 0.5;

/* Whether the rest of a request will never come. libmicrohttpd (0.9.75, with epoll) does not notice
 * that a client hung up if the end arrives together with a part of a request. The connection would
 * stay open until its deadline. */
static bool has_hung_up(struct peer *peer, double time)
{
    struct pollfd client = {.fd = peer->socket, .events = POLLRDHUP};
    char next;
    const bool receiving = !peer->answering && isfinite(peer->deadline);
    if (!receiving || poll(&client, 1, 0) <= 0 ||
        recv(peer->socket, &next, 1, MSG_PEEK | MSG_DONTWAIT) > 0)
        return false;
    if (peer->ended == 0)
        peer->ended = time;
    return time > peer->ended + take_up;
}

/* ---- Clients that leave while they wait ---- */

/* Seconds from hang-up to the first probe, and between probes. */
static const double first_probe = 0.5, next_probe = 1;

static void abandon(struct peer *peer)
{
    peer->all->abandon(peer->waiting);
    peer->waiting = NULL;
}

/* Until data is sent, TCP cannot distinguish a client that has closed its socket from one that has
 * closed only its sending side and still reads: the first resets the connection when data arrives.
 * An interim response is data that an HTTP/1.1 client ignores (RFC 9110, section 15.2). Nothing
 * else writes meanwhile: libmicrohttpd leaves suspended connections alone, and the lock is held. */
static void probe(struct peer *peer, double time)
{
    static const char interim[] = "HTTP/1.1 102 Processing\r\n\r\n";
    const ssize_t size = sizeof interim - 1;
    if (peer->probe == 0)
        peer->probe = time + first_probe;
    if (!peer->interim || time < peer->probe)
        return;
    peer->probe = time + next_probe;
    const ssize_t sent = send(peer->socket, interim, (size_t)size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent == size || (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)))
        return;
    /* The client is gone, or its receive buffer is so full that only part of the line was sent. No
     * answer can follow either way. */
    shutdown(peer->socket, SHUT_RDWR);
    abandon(peer);
}

static void look_for_client(struct peer *peer, double time)
{
    struct pollfd client = {.fd = peer->socket, .events = POLLRDHUP};
    if (!peer->waiting || poll(&client, 1, 0) <= 0)
        return;
    if (client.revents & (POLLERR | POLLHUP))
        abandon(peer);
    else if (client.revents & POLLRDHUP)
        probe(peer, time);
}

/* ---- Watching ---- */

void peers_watch(struct peers *all)
{
    const double time = peers_now();
    pthread_mutex_lock(&all->lock);
    for (struct peer *peer = all->list.after; peer != &all->list; peer = peer->after) {
        if (peer->deadline < time || has_hung_up(peer, time))
            cut(peer);
        look_for_client(peer, time);
    }
    pthread_mutex_unlock(&all->lock);
}
