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

/* The socket is closed only after its peer has left the list, so that under the lock its number
 * cannot be another's. */
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

/* Seconds that the HTTP thread has to take up a request whose client has closed its sending side.
 */
static const double take_up = 0.5;

/* Whether the rest of a request will never come. libmicrohttpd (0.9.75, with epoll) does not notice
 * a client that hangs up when the end arrives together with a part of a request, so that the
 * connection would keep its place until its deadline. */
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

/* Seconds from hanging up to the first probe, and from one to the next. */
static const double first_probe = 0.5, next_probe = 1;

static void abandon(struct peer *peer)
{
    peer->all->abandon(peer->waiting);
    peer->waiting = NULL;
}

/* TCP does not tell a client that has closed its socket from one that has closed only its sending
 * side and still reads, until data arrives there: the first then resets the connection. An interim
 * answer is data that a client of HTTP/1.1 passes over (RFC 9110, section 15.2). Nothing else is
 * written meanwhile: libmicrohttpd leaves suspended connections alone, and the lock is held. */
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
    /* Gone, or so far behind with reading that a part of the line was sent: no answer can follow.
     */
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
