/* HTTP with libmicrohttpd. One thread polls all connections. A request that waits for its work
 * suspends its connection and does not block that thread. */
#include "serve/http.h"

#include "serve/http_fields.h"
#include "serve/peers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

struct http {
    struct http_setup setup;
    struct MHD_Daemon *daemon;
    int listener, port;
    struct peers peers;
};

/* Like error_set, which this module does not link. */
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

/* ---- Connections ---- */

static struct peer *peer_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* If memory for the peer runs out, its requests are refused. */
static struct peer *add_peer(struct http *http, struct MHD_Connection *connection)
{
    return peers_add(
        &http->peers,
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
        peers_now() + http->setup.timeout);
}

static void on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
                          enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        *socket_context = add_peer(context, connection);
    else
        peers_remove(*socket_context);
}

static void http_watch(struct http *http) { peers_watch(&http->peers); }

static int http_connections(const struct http *http)
{
    return peers_count(&((struct http *)http)->peers);
}

/* ---- A request ---- */

/* The request line has arrived. The deadline counts from now, or for a new connection from when it
 * was accepted. */
static void *on_uri(void *context, const char *uri, struct MHD_Connection *connection)
{
    const struct http *http = context;
    struct peer *peer = peer_of(connection);
    const char *query = strchr(uri, '?');
    if (!peer)
        return NULL;
    free(peer->query);
    peer->query = query ? strdup(query + 1) : NULL;
    peer_hasten(peer, peers_now() + http->setup.timeout);
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
    const struct peer *peer = peer_of(connection);
    struct http_fields fields = {0};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, on_field, &fields);
    print_address(
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr,
        client, sizeof client);
    return http->setup.begin(
        http->setup.context,
        &(struct http_head){.method = method,
                            .path = path,
                            .query = peer->query ? peer->query : "",
                            .client = client,
                            .type = fields.type,
                            .authorization = fields.authorization,
                            .if_none_match = fields.if_none_match,
                            .forwarded = fields.forwarded,
                            .scheme = fields.scheme,
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
    peer_set_deadline(peer_of(connection), peers_now() + http->setup.timeout, true);
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
    peer_set_waiting(peer_of(connection), exchange);
    MHD_suspend_connection(connection);
    http->setup.submit(exchange);
    return MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *bytes, size_t *size, void **request)
{
    const struct http *http = context;
    struct peer *peer = peer_of(connection);
    if (!peer)
        return MHD_NO;
    if (!*request) {
        peer->interim = strcmp(version, MHD_HTTP_VERSION_1_1) == 0;
        *request = begin(http, connection, path, method, version);
        if (!*request)
            return MHD_NO;
        /* A body whose Content-Length exceeds the limit is not read. */
        return http->setup.receive(*request, "", 0) ? MHD_YES : proceed(http, connection, *request);
    }
    if (*size == 0)
        return proceed(http, connection, *request);
    /* A body that exceeds the limit only as it arrives is read and discarded: libmicrohttpd cannot
     * send an answer before the end of the body. */
    http->setup.receive(*request, bytes, *size);
    *size = 0;
    return MHD_YES;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **request,
                         enum MHD_RequestTerminationCode code)
{
    const struct http *http = context;
    struct peer *peer = peer_of(connection);
    /* The client may pause before the next request, but must not then send it byte by byte for
     * ever. This call also ends the watch for the client of this exchange, which is freed below. */
    if (peer)
        peer_set_deadline(peer, peers_now() + 2 * http->setup.timeout, false);
    if (*request)
        http->setup.end(*request, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    *request = NULL;
}

static void http_resume(void *connection) { MHD_resume_connection(connection); }

/* ---- The listener ---- */

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
    return fail(err, ATTEND_IO, "cannot listen at %s:%d: %s", s->host, s->port, strerror(errno));
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
        return fail(err, ATTEND_IO, "cannot listen at %s: not an address: %s", s->host,
                    gai_strerror(why));
    const enum attend_status status = listen_at(http, found, err);
    freeaddrinfo(found);
    if (status)
        return status;
    http->port = port_of(http->listener);
    return http->port ? ATTEND_OK
                      : fail(err, ATTEND_IO, "cannot find the port of %s:%d: %s", s->host, s->port,
                             strerror(errno));
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
                        : fail(err, ATTEND_IO, "libmicrohttpd cannot serve %s:%d: %s", s->host,
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
    peers_release(&http->peers);
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
    peers_init(&http->peers, setup->abandon);
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
