#include "serve/server.h"

#include "attend/explain.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "serve/access_log.h"
#include "serve/routes.h"
#include "serve/upload.h"
#include "settings/tables.h"
#include "serve/work.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

/* Seconds between checks of deadlines; seconds that a batch waits for more jobs under load. */
static const double tick = 0.1, gather = 0.002;

void server_note(void *server, const char *text)
{
    struct attend_server *s = server;
    if (!s->hooks.note)
        return;
    pthread_mutex_lock(&s->tell);
    s->hooks.note(s->hooks.context, text);
    pthread_mutex_unlock(&s->tell);
}

struct catalog *server_catalog(struct attend_server *s)
{
    pthread_mutex_lock(&s->lock);
    struct catalog *catalog = catalog_hold(s->catalog);
    pthread_mutex_unlock(&s->lock);
    return catalog;
}

/* ---- One request ---- */

/* Room for a client's name: an address is shorter. */
enum { CLIENT_MAX = 64 };

/* Behind a proxy the client is the last entry of X-Forwarded-For; earlier ones may be forged. It is
 * cut at the first character that no address has, or when it is too long; false if nothing is
 * left. */
static bool forwarded(char *out, const char *list)
{
    const char *comma = strrchr(list, ',');
    const char *client = comma ? comma + 1 : list;
    int length = 0;
    client += strspn(client, " \t");
    while (length < CLIENT_MAX - 1 && client[length] > ' ' && client[length] < 0x7f) {
        out[length] = client[length];
        length++;
    }
    out[length] = '\0';
    return length > 0;
}

/* A foreign page gains nothing from such a request, since it cannot read the answer. */
static bool reads_only(const struct http_head *head)
{
    return strcmp(head->method, "GET") == 0 || strcmp(head->method, "HEAD") == 0;
}

struct exchange *server_begin(void *server, const struct http_head *head)
{
    struct attend_server *s = server;
    struct http_head known = *head;
    char client[CLIENT_MAX];
    if (s->behind_proxy && head->forwarded && forwarded(client, head->forwarded))
        known.client = client;
    const bool foreign = !origins_allow(&s->origins, head);
    known.origin = origins_any(&s->origins) ? "*" : foreign ? NULL : head->origin;
    struct exchange *e = exchange_new(s, &known);
    if (!e)
        return NULL;
    e->secure = s->behind_proxy && head->scheme && strcmp(head->scheme, "https") == 0;
    e->foreign = foreign && !reads_only(head);
    e->unknown_host = !origins_know_host(&s->origins, head->host);
    e->deadline = e->started + s->limits.timeout;
    e->fault = head->fault;
    e->too_long = head->length > 0 && (unsigned long long)head->length > s->limits.body;
    atomic_fetch_add(&s->active, 1);
    return e;
}

/* Bounds the memory for all bodies together, for clients that begin many large requests and never
 * complete them. */
enum { LARGE_BODIES = 64 };

static size_t most_held(const struct attend_server *s)
{
    const size_t body = s->limits.body; /* 64 of them may be more than a size_t of 32 bits holds */
    return body > SIZE_MAX / LARGE_BODIES ? SIZE_MAX : LARGE_BODIES * body;
}

bool server_hold(struct attend_server *s, size_t bytes)
{
    if (atomic_fetch_add(&s->held, bytes) <= most_held(s))
        return true;
    atomic_fetch_sub(&s->held, bytes);
    return false;
}

void server_let_go(struct attend_server *s, size_t bytes) { atomic_fetch_sub(&s->held, bytes); }

bool server_receive(struct exchange *e, const char *bytes, size_t size)
{
    struct attend_server *s = e->server;
    if (size > s->limits.body - e->body.length)
        e->too_long = true;
    if (e->fault || e->unknown_host || e->foreign || e->too_long || e->crowded_out)
        return false;
    if (atomic_fetch_add(&s->held, size) + size > most_held(s)) {
        atomic_fetch_sub(&s->held, size);
        e->crowded_out = true;
        return false;
    }
    strbuf_add(&e->body, bytes, size);
    return true;
}

/* Answers stay in memory until the client has read them. Above this total, a large answer is
 * replaced by 503. */
enum { ANSWERS_MAX = 1 << 29, LARGE_ANSWER = 1 << 20 };

static void count_answer(struct exchange *e)
{
    e->counted = e->answer.size;
    const size_t all = atomic_fetch_add(&e->server->answers, e->counted) + e->counted;
    if (all > ANSWERS_MAX && e->counted > LARGE_ANSWER)
        exchange_busy(e);
}

/* While the server drains, every answer closes its connection. */
static enum http_next answered(struct exchange *e)
{
    count_answer(e);
    if (atomic_load(&e->server->draining) && !e->fault)
        exchange_field(e, "Connection", "close");
    return HTTP_ANSWER;
}

/* The end of this request is not known, so the connection is closed and nothing more is read. */
static void answer_fault(struct exchange *e)
{
    exchange_error(e, 400, "Invalid request: %s", e->fault);
    exchange_field(e, "Connection", "close");
}

static void answer_foreign(struct exchange *e)
{
    exchange_error(e, 403,
                   e->unknown_host
                       ? "This server does not answer to the name in Host; its operator can "
                         "add it to the allowed hosts"
                       : "Pages of this origin may not use this server; its operator "
                         "can add it to the allowed origins");
}

enum http_next server_proceed(struct exchange *e)
{
    if (e->answer.code) /* it was already answered in server_submit */
        return answered(e);
    if (e->fault)
        answer_fault(e);
    else if (e->unknown_host || e->foreign)
        answer_foreign(e);
    else if (e->body.failed)
        exchange_error(e, 500, "Out of memory");
    else if (e->crowded_out)
        exchange_busy(e);
    else if (!e->work)
        routes_begin(e);
    else
        e->route->finish(e);
    if (!e->answer.code && atomic_load(&e->server->closing))
        exchange_error(e, 503, "The server is stopping");
    return e->answer.code ? answered(e) : HTTP_WAIT;
}

/* If a queue is full, the jobs that were already submitted still finish; they only count down
 * `waiting`. */
void server_submit(struct exchange *e)
{
    atomic_store(&e->waiting, 1);
    if (!routes_submit(e))
        exchange_busy(e);
    if (atomic_fetch_sub(&e->waiting, 1) == 1)
        e->server->http->resume(e->connection);
}

void server_abandon(struct exchange *e) { atomic_store(&e->abandoned, true); }

const struct http_answer *server_answer(const struct exchange *e) { return &e->answer; }

static void tell_access(struct attend_server *s, const struct exchange *e, bool whole,
                        double seconds)
{
    struct strbuf line = {0};
    struct timespec now;
    if (!s->hooks.access)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    access_log_write(&line, e, whole, seconds, &now);
    pthread_mutex_lock(&s->tell);
    if (!line.failed)
        s->hooks.access(s->hooks.context, line.text);
    pthread_mutex_unlock(&s->tell);
    strbuf_release(&line);
}

void server_end(struct exchange *e, bool whole)
{
    struct attend_server *s = e->server;
    struct catalog *catalog = e->catalog;
    const double seconds = clock_seconds() - e->started;
    if (whole) {
        metrics_count(&s->metrics, route_number(e->route), e->answer.code);
        metrics_observe(&s->metrics.latency, seconds);
    } else {
        atomic_fetch_add(&s->metrics.broken, 1);
    }
    tell_access(s, e, whole, seconds);
    atomic_fetch_sub(&s->held, e->body.length);
    atomic_fetch_sub(&s->answers, e->counted);
    exchange_free(e);
    catalog_release(catalog);
    atomic_fetch_sub(&s->active, 1);
}

/* ---- Opening ---- */

/* The cost limit that belongs to a limit of characters. Most models have tokens of four characters
 * or more; models with shorter tokens reach the limit with shorter texts. */
static double explain_cost(int characters)
{
    const int tokens = characters / 4 > 16 ? characters / 4 : 16;
    return attend_explain_cost(tokens, tokens, 0);
}

static void take_settings(struct attend_server *s)
{
    const struct attend_serve_options *o = &s->options;
    const int beam = s->search.beam;
    s->limits = (struct limits){
        .body = (size_t)o->max_body,
        .characters = o->max_characters,
        .line = o->max_line,
        .lines = o->max_lines,
        .alternatives = o->max_alternatives,
        .explain = o->max_explain,
        .explain_cost = explain_cost(o->max_explain),
        .timeout = o->timeout,
    };
    s->limits.beam = beam > s->limits.alternatives ? beam : s->limits.alternatives + 1;
    atomic_store(&s->rate, o->rate);
    s->behind_proxy = o->behind_proxy;
    s->title = o->api_title;
}

static enum attend_status start_batchers(struct attend_server *s, struct attend_error *err)
{
    const int threads = s->search.threads;
    const int sentences = s->search.batch_sentences;
    struct batcher_setup setup = {
        .batch_lines = sentences * (threads ? threads : threads_available()),
        .queue_lines = s->options.queue,
        .gather = gather,
        .context = s,
        .together = work_together,
        .run = work_translate,
    };
    enum attend_status status = batcher_new(&s->translating, &setup, err);
    setup.batch_lines = 1;
    setup.together = work_alone;
    setup.run = work_task;
    if (!status)
        status = batcher_new(&s->explaining, &setup, err);
    if (!status)
        status = batcher_new(&s->detecting, &setup, err);
    return status ? status : batcher_new(&s->reading, &setup, err);
}

static enum attend_status make_loader(struct attend_server *s, struct attend_error *err)
{
    const struct loader_setup setup = {.limit = s->options.memory_limit,
                                       .queue_lines = s->options.queue,
                                       .note = server_note,
                                       .context = s};
    return loader_new(&s->loader, &setup, err);
}

/* What a server has before its options are known. */
static void begin(struct attend_server *s, const struct attend_serve_hooks *hooks)
{
    uint64_t seed = 0;
    s->hooks = hooks ? *hooks : (struct attend_serve_hooks){0};
    s->started = clock_seconds();
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->tell, NULL);
    metrics_init(&s->metrics);
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) < 0)
        seed = (uint64_t)(s->started * 1e9);
    rate_init(&s->clients, seed);
    s->events = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

enum attend_status attend_server_open(struct attend_server **out,
                                      const struct attend_serve_options *options,
                                      const struct attend_translator_options *translator,
                                      const struct attend_serve_hooks *hooks,
                                      struct attend_error *err)
{
    struct attend_server *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a server");
    begin(s, hooks);
    enum attend_status status =
        s->events < 0 ? error_set(err, ATTEND_IO, "cannot create an eventfd: %s", strerror(errno))
                      : ATTEND_OK;
    if (!status)
        status = SETTINGS_TAKE(&s->options, serve_tables, options, err);
    if (!status)
        status = SETTINGS_TAKE(&s->search, translator_tables, translator, err);
    take_settings(s);
    if (!status)
        status = origins_take(&s->origins, &s->options, err);
    if (!status && s->options.memory_limit)
        status = make_loader(s, err);
    if (!status)
        status = catalog_load(&s->catalog, &s->options,
                              &(struct catalog_host){server_note, s, s->loader}, err);
    if (!status && s->loader)
        status = loader_start(s->loader, err);
    if (!status && s->options.api_keys)
        status = keys_load(&s->keys, s->options.api_keys, err);
    if (!status)
        upload_prepare(s, s->catalog);
    if (!status)
        status = start_batchers(s, err);
    if (status)
        attend_server_close(s);
    else
        *out = s;
    return status;
}

void attend_server_close(struct attend_server *s)
{
    if (!s)
        return;
    batcher_free(s->translating);
    batcher_free(s->explaining);
    batcher_free(s->detecting);
    batcher_free(s->reading);
    catalog_release(s->catalog);
    loader_free(s->loader);
    keys_free(s->keys);
    rate_release(&s->clients);
    files_release(&s->files);
    if (s->events >= 0)
        close(s->events);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->tell);
    free(s);
}

/* ---- Running ---- */

static void wake(struct attend_server *s)
{
    const uint64_t one = 1;
    const int before = errno;
    /* A failure is harmless: the flag is also checked on every tick. */
    if (write(s->events, &one, sizeof one) < 0)
        errno = before;
}

void attend_server_stop(struct attend_server *s)
{
    atomic_store(&s->stopping, true);
    wake(s);
}

void attend_server_reload(struct attend_server *s)
{
    atomic_store(&s->reloading, true);
    wake(s);
}

/* Sleep until an event or the end of the tick. */
static void rest(struct attend_server *s)
{
    struct pollfd events = {.fd = s->events, .events = POLLIN};
    uint64_t count;
    if (poll(&events, 1, (int)(1000 * tick)) > 0 && read(s->events, &count, sizeof count) < 0)
        errno = 0;
}

static void look(struct attend_server *s)
{
    const double now = clock_seconds();
    s->http->watch(s->door);
    loader_expire(s->loader, now);
    batcher_expire(s->translating, now);
    batcher_expire(s->explaining, now);
    batcher_expire(s->detecting, now);
    batcher_expire(s->reading, now);
    if (atomic_exchange(&s->reloading, false))
        server_reload(s);
}

static void wait_for_all(struct attend_server *s)
{
    while (atomic_load(&s->active) > 0) {
        look(s);
        rest(s);
    }
}

/* A client that just received an answer may already have sent its next request on the same
 * connection. Connections in use are closed with their next answer; idle ones get this many
 * seconds. */
static const double linger = 0.5;

static void wait_for_connections(struct attend_server *s)
{
    const double end = clock_seconds() + linger;
    while (s->http->connections(s->door) > 0 && clock_seconds() < end) {
        look(s);
        rest(s);
    }
}

/* Answer all accepted requests. Each has a deadline, so this ends. The listener may be closed only
 * when no request waits; once `closing` is set, no request starts to wait. */
static void drain(struct attend_server *s)
{
    atomic_store(&s->draining, true);
    s->http->stop_accepting(s->door);
    wait_for_connections(s);
    wait_for_all(s);
    atomic_store(&s->closing, true);
    wait_for_all(s);
}

enum attend_status attend_server_run(struct attend_server *s, const struct attend_http *http,
                                     struct attend_error *err)
{
    char text[512];
    const struct http_setup setup = {
        .host = s->options.host,
        .port = s->options.port,
        .connections = s->options.connections,
        .timeout = s->limits.timeout,
        .context = s,
        .begin = server_begin,
        .receive = server_receive,
        .proceed = server_proceed,
        .submit = server_submit,
        .abandon = server_abandon,
        .answer = server_answer,
        .end = server_end,
    };
    s->http = http;
    enum attend_status status = http->open(&s->door, &setup, err);
    if (!status) {
        s->origins.loopback = http->loopback(s->door);
        status = http->start(s->door, err);
    }
    if (status) {
        http->close(s->door);
        return status;
    }
    snprintf(text, sizeof text, "serving at http://%s:%d/", setup.host, http->port(s->door));
    server_note(s, text);
    for (; !atomic_load(&s->stopping); look(s))
        rest(s);
    drain(s);
    http->close(s->door);
    s->door = NULL;
    server_note(s, "stopped");
    return ATTEND_OK;
}
