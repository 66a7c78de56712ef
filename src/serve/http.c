/* HTTP by libmicrohttpd: one thread waits for all connections; a request that has to wait for its
 * work suspends its connection and costs no thread. */
#include "serve/http.h"

#include "serve/http_fields.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <microhttpd.h>

/* A connection, from accepting to closing. */
struct link {
    struct link *before, *after;
    struct http *http;
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

struct http {
    struct http_setup setup;
    struct MHD_Daemon *daemon;
    int listener, port;
    pthread_mutex_t lock; /* of the list and of every link in it */
    struct link list;     /* its ends */
    int count;
};

/* The library's own are not linked here. */
__attribute__((format(printf, 3, 4))) static enum attend_status
fail(struct attend_error *err, enum attend_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (err)
        vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    return status;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- Connections and their deadlines ---- */

static void set_deadline(struct link *link, double deadline, bool answering)
{
    pthread_mutex_lock(&link->http->lock);
    link->deadline = deadline;
    link->answering = answering;
    link->waiting = NULL;
    link->ended = 0;
    pthread_mutex_unlock(&link->http->lock);
}

/* Until set_deadline. The work has a deadline of its own, and an answer comes when it is missed. */
static void set_waiting(struct link *link, struct exchange *exchange)
{
    pthread_mutex_lock(&link->http->lock);
    link->deadline = (double)INFINITY;
    link->answering = false;
    link->waiting = exchange;
    link->probe = 0;
    link->ended = 0;
    pthread_mutex_unlock(&link->http->lock);
}

static void hasten(struct link *link, double deadline)
{
    pthread_mutex_lock(&link->http->lock);
    link->deadline = fmin(link->deadline, deadline);
    link->answering = false;
    link->ended = 0;
    pthread_mutex_unlock(&link->http->lock);
}

static struct link *link_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void add_link(struct http *http, struct MHD_Connection *connection, void **context)
{
    struct link *link = calloc(1, sizeof *link);
    if (!link)
        return; /* its requests are turned away */
    link->http = http;
    link->socket =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    link->deadline = now() + http->setup.timeout;
    pthread_mutex_lock(&http->lock);
    link->before = &http->list;
    link->after = http->list.after;
    link->after->before = link->before->after = link;
    http->count++;
    pthread_mutex_unlock(&http->lock);
    *context = link;
}

static void remove_link(struct http *http, struct link *link)
{
    if (!link)
        return;
    pthread_mutex_lock(&http->lock);
    link->before->after = link->after;
    link->after->before = link->before;
    http->count--;
    pthread_mutex_unlock(&http->lock);
    free(link->query);
    free(link);
}

static void on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
                          enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        add_link(context, connection, socket_context);
    else
        remove_link(context, *socket_context);
}

/* The socket is closed only after its link has left the list, so that under the lock its number
 * cannot be another's. */
static void cut(struct link *link)
{
    static const char late[] = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n"
                               "Connection: close\r\n\r\n";
    if (!link->answering)
        send(link->socket, late, sizeof late - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(link->socket, SHUT_RDWR);
    link->deadline = (double)INFINITY;
}

/* ---- Clients that leave while they send ---- */

/* Seconds that the HTTP thread has to take up a request whose client has closed its sending side.
 */
static const double take_up = 0.5;

/* Whether the rest of a request will never come. libmicrohttpd (0.9.75, with epoll) does not notice
 * a client that hangs up when the end arrives together with a part of a request, so that the
 * connection would keep its place until its deadline. */
static bool has_hung_up(struct link *link, double time)
{
    struct pollfd client = {.fd = link->socket, .events = POLLRDHUP};
    char next;
    const bool receiving = !link->answering && isfinite(link->deadline);
    if (!receiving || poll(&client, 1, 0) <= 0 ||
        recv(link->socket, &next, 1, MSG_PEEK | MSG_DONTWAIT) > 0)
        return false;
    if (link->ended == 0)
        link->ended = time;
    return time > link->ended + take_up;
}

/* ---- Clients that leave while they wait ---- */

/* Seconds from hanging up to the first probe, and from one to the next. */
static const double first_probe = 0.5, next_probe = 1;

static void abandon(struct link *link)
{
    link->http->setup.abandon(link->waiting);
    link->waiting = NULL;
}

/* TCP does not tell a client that has closed its socket from one that has closed only its sending
 * side and still reads, until data arrives there: the first then resets the connection. An interim
 * answer is data that a client of HTTP/1.1 passes over (RFC 9110, section 15.2). Nothing else is
 * written meanwhile: libmicrohttpd leaves suspended connections alone, and the lock is held. */
static void probe(struct link *link, double time)
{
    static const char interim[] = "HTTP/1.1 102 Processing\r\n\r\n";
    const ssize_t size = sizeof interim - 1;
    if (link->probe == 0)
        link->probe = time + first_probe;
    if (!link->interim || time < link->probe)
        return;
    link->probe = time + next_probe;
    const ssize_t sent = send(link->socket, interim, (size_t)size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent == size || (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)))
        return;
    /* Gone, or so far behind with reading that a part of the line was sent: no answer can follow.
     */
    shutdown(link->socket, SHUT_RDWR);
    abandon(link);
}

static void look_for_client(struct link *link, double time)
{
    struct pollfd client = {.fd = link->socket, .events = POLLRDHUP};
    if (!link->waiting || poll(&client, 1, 0) <= 0)
        return;
    if (client.revents & (POLLERR | POLLHUP))
        abandon(link);
    else if (client.revents & POLLRDHUP)
        probe(link, time);
}

static void http_watch(struct http *http)
{
    const double time = now();
    pthread_mutex_lock(&http->lock);
    for (struct link *link = http->list.after; link != &http->list; link = link->after) {
        if (link->deadline < time || has_hung_up(link, time))
            cut(link);
        look_for_client(link, time);
    }
    pthread_mutex_unlock(&http->lock);
}

static int http_connections(const struct http *http)
{
    struct http *h = (struct http *)http;
    pthread_mutex_lock(&h->lock);
    const int count = h->count;
    pthread_mutex_unlock(&h->lock);
    return count;
}

/* ---- A request ---- */

/* Its first line is there: the clock runs from now on, of a new connection since it was accepted.
 */
static void *on_uri(void *context, const char *uri, struct MHD_Connection *connection)
{
    const struct http *http = context;
    struct link *link = link_of(connection);
    const char *query = strchr(uri, '?');
    if (!link)
        return NULL;
    free(link->query);
    link->query = query ? strdup(query + 1) : NULL;
    hasten(link, now() + http->setup.timeout);
    return NULL;
}

static enum MHD_Result on_field(void *context, enum MHD_ValueKind kind, const char *name,
                                const char *value)
{
    (void)kind;
    http_fields_add(context, name, value);
    return MHD_YES;
}

static void print_address(const struct sockaddr *address, char *out, size_t size)
{
    const socklen_t length =
        address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (getnameinfo(address, length, out, (socklen_t)size, NULL, 0, NI_NUMERICHOST))
        snprintf(out, size, "unknown");
}

static struct exchange *begin(const struct http *http, struct MHD_Connection *connection,
                              const char *path, const char *method, const char *version)
{
    char client[64];
    const struct link *link = link_of(connection);
    struct http_fields fields = {0};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, on_field, &fields);
    print_address(
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr,
        client, sizeof client);
    return http->setup.begin(
        http->setup.context,
        &(struct http_head){.method = method,
                            .path = path,
                            .query = link->query ? link->query : "",
                            .client = client,
                            .type = fields.type,
                            .authorization = fields.authorization,
                            .if_none_match = fields.if_none_match,
                            .forwarded = fields.forwarded,
                            .host = fields.host,
                            .origin = fields.origin,
                            .site = fields.site,
                            .fault = http_fields_fault(&fields, version),
                            .length = fields.length ? strtoll(fields.length, NULL, 10) : -1,
                            .connection = connection});
}

static enum MHD_Result send_answer(const struct http *http, struct MHD_Connection *connection,
                                   const struct exchange *exchange)
{
    const struct http_answer *a = http->setup.answer(exchange);
    union {
        const char *in;
        void *out;
    } body = {.in = a->body};
    struct MHD_Response *response =
        MHD_create_response_from_buffer(a->size, body.out, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = response ? MHD_YES : MHD_NO;
    for (int i = 0; i < a->fields && result; i++)
        result = MHD_add_response_header(response, a->field[i].name, a->field[i].value);
    set_deadline(link_of(connection), now() + http->setup.timeout, true);
    if (result)
        result = MHD_queue_response(connection, (unsigned)a->code, response);
    if (response)
        MHD_destroy_response(response);
    return result;
}

static enum MHD_Result proceed(const struct http *http, struct MHD_Connection *connection,
                               struct exchange *exchange)
{
    if (http->setup.proceed(exchange) == HTTP_ANSWER)
        return send_answer(http, connection, exchange);
    set_waiting(link_of(connection), exchange);
    MHD_suspend_connection(connection);
    http->setup.submit(exchange);
    return MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *bytes, size_t *size, void **request)
{
    const struct http *http = context;
    struct link *link = link_of(connection);
    if (!link)
        return MHD_NO;
    if (!*request) {
        link->interim = strcmp(version, MHD_HTTP_VERSION_1_1) == 0;
        *request = begin(http, connection, path, method, version);
        if (!*request)
            return MHD_NO;
        /* Of a body that says it is too long nothing is read. */
        return http->setup.receive(*request, "", 0) ? MHD_YES : proceed(http, connection, *request);
    }
    if (*size == 0)
        return proceed(http, connection, *request);
    /* One that turns out to be is read and forgotten: there is no way to answer within it. */
    http->setup.receive(*request, bytes, *size);
    *size = 0;
    return MHD_YES;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **request,
                         enum MHD_RequestTerminationCode code)
{
    const struct http *http = context;
    struct link *link = link_of(connection);
    /* The next one may come after a pause, but then not byte by byte for ever. From here on nobody
     * looks for the client of this one, which is freed. */
    if (link)
        set_deadline(link, now() + 2 * http->setup.timeout, false);
    if (*request)
        http->setup.end(*request, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    *request = NULL;
}

static void http_resume(void *connection) { MHD_resume_connection(connection); }

/* ---- The door ---- */

static enum attend_status listen_at(struct http *http, const struct addrinfo *at,
                                    struct attend_error *err)
{
    const struct http_setup *s = &http->setup;
    const int on = 1;
    http->listener = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (http->listener >= 0 &&
        setsockopt(http->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(http->listener, at->ai_addr, at->ai_addrlen) == 0 &&
        listen(http->listener, SOMAXCONN) == 0)
        return ATTEND_OK;
    return fail(err, ATTEND_IO, "%s:%d: cannot be served: %s", s->host, s->port, strerror(errno));
}

static int port_of(int listener)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    char port[16];
    if (getsockname(listener, (struct sockaddr *)&address, &length) ||
        getnameinfo((struct sockaddr *)&address, length, NULL, 0, port, sizeof port,
                    NI_NUMERICSERV))
        return 0;
    return (int)strtol(port, NULL, 10);
}

static enum attend_status open_listener(struct http *http, struct attend_error *err)
{
    const struct http_setup *s = &http->setup;
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC,
                                    .ai_socktype = SOCK_STREAM,
                                    .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char port[16];
    snprintf(port, sizeof port, "%d", s->port);
    const int why = getaddrinfo(s->host, port, &wanted, &found);
    if (why)
        return fail(err, ATTEND_IO, "%s: is no address to serve at: %s", s->host,
                    gai_strerror(why));
    const enum attend_status status = listen_at(http, found, err);
    freeaddrinfo(found);
    if (status)
        return status;
    http->port = port_of(http->listener);
    return http->port ? ATTEND_OK
                      : fail(err, ATTEND_IO, "%s:%d: its port cannot be found out: %s", s->host,
                             s->port, strerror(errno));
}

static enum attend_status http_start(struct http *http, struct attend_error *err)
{
    const struct http_setup *s = &http->setup;
    http->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, http,
        MHD_OPTION_LISTEN_SOCKET, http->listener, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)s->connections, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)ceil(s->timeout),
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, http, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, http, MHD_OPTION_URI_LOG_CALLBACK, on_uri, http,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    return http->daemon ? ATTEND_OK
                        : fail(err, ATTEND_IO, "%s:%d: libmicrohttpd cannot serve it: %s", s->host,
                               s->port, strerror(errno));
}

static int http_port(const struct http *http) { return http->port; }

static bool http_loopback(const struct http *http)
{
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } at = {0};
    socklen_t length = sizeof at;
    if (getsockname(http->listener, &at.any, &length))
        return false;
    if (at.any.sa_family == AF_INET)
        return ntohl(at.four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    return at.any.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&at.six.sin6_addr);
}

static void close_listener(struct http *http)
{
    if (http->listener >= 0)
        close(http->listener);
    http->listener = -1;
}

static void http_stop_accepting(struct http *http)
{
    MHD_quiesce_daemon(http->daemon);
    close_listener(http);
}

static void http_close(struct http *http)
{
    if (!http)
        return;
    if (http->daemon && http->listener >= 0)
        http_stop_accepting(http);
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    close_listener(http);
    pthread_mutex_destroy(&http->lock);
    free(http);
}

static enum attend_status http_open(struct http **out, const struct http_setup *setup,
                                    struct attend_error *err)
{
    struct http *http = calloc(1, sizeof *http);
    if (!http)
        return fail(err, ATTEND_NO_MEMORY, "out of memory for a server");
    http->setup = *setup;
    http->listener = -1;
    http->list.before = http->list.after = &http->list;
    pthread_mutex_init(&http->lock, NULL);
    const enum attend_status status = open_listener(http, err);
    if (status)
        http_close(http);
    else
        *out = http;
    return status;
}

const struct attend_http *attend_http(void)
{
    static const struct attend_http http = {
        .open = http_open,
        .start = http_start,
        .port = http_port,
        .loopback = http_loopback,
        .resume = http_resume,
        .watch = http_watch,
        .connections = http_connections,
        .stop_accepting = http_stop_accepting,
        .close = http_close,
    };
    return &http;
}
