/* One request to a server without sockets: this target makes the calls of the HTTP module. Of its
 * models one reads ink and one writes. The input is a request as clients write it: `METHOD PATH?QUERY`, fields, an empty line, the body. It
 * arrives in parts and may break off.
 *
 * Aimed at: src/serve/server.c src/serve/routes.c src/serve/exchange.c src/serve/params.c
 *   src/serve/translate_route.c src/serve/attention_route.c src/serve/opennmt_route.c
 *   src/serve/explain_route.c src/serve/picture_route.c src/serve/detect_route.c
 *   src/serve/file_route.c src/serve/files.c src/serve/upload.c src/serve/upload_view.c
 *   src/serve/write_route.c src/serve/ready_route.c src/serve/vocabulary_route.c src/serve/form.c
 *   src/serve/info_routes.c src/serve/access_log.c src/serve/work.c src/serve/http_fields.c
 *   src/serve/origins.c src/serve/detection.c */
#include "http_models.h"

#include "fuzz.h"

#include "attend/settings.h"

#include "serve/http_fields.h"
#include "serve/server.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static sem_t resumed;

static void resume(void *connection)
{
    (void)connection;
    sem_post(&resumed);
}

static int no_connections(const struct http *http)
{
    (void)http;
    return 0;
}

static const struct attend_http transport = {.resume = resume, .connections = no_connections};

static void check_access(void *context, const char *line)
{
    (void)context;
    fuzz_check_json(line, strlen(line));
}

static struct attend_server *open_server(void)
{
    static const char model[] = ATTEND_SOURCE "/tests/data/model-v1.safetensors";
    struct http_models made;
    http_models_make(&made);
    const char *const settings[][2] =
        {
            {"model", model},         {"model", model},
            {"name", "xx-yy"},        {"name", "plain"},
            {"model", made.reads},    {"name", "reads"},
            {"max-frames", "50"},     {"max-length", "1"},
            {"model", made.writes},   {"name", "writes"},
            {"max-line", "30"},       {"threads", "1"},
            {"max-explain", "3"},     {"max-body", "4096"},
            {"batch-sentences", "1"}, /* a batch is full with one line and never waits */
        };
    static const struct attend_serve_hooks hooks = {.access = check_access};
    static struct attend_serve_options options;
    static struct attend_translator_options search;
    static struct attend_settings *o; /* lives as long as the server */
    struct attend_server *s = NULL;
    struct attend_error err = {.message = ""};
    options = attend_serve_defaults();
    search = attend_translator_defaults();
    FUZZ_CHECK(!attend_settings_new(&o, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_SERVE_MODELS, &options, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_SERVE, &options, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_SERVE_LIMITS, &options, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_SEARCH, &search, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_SPEED, &search, &err));
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        FUZZ_CHECK(!attend_settings_set(o, settings[i][0], settings[i][1], &err));
    if (attend_server_open(&s, &options, &search, &hooks, &err))
        fprintf(stderr, "%s\n", err.message);
    FUZZ_CHECK(s);
    http_models_remove(&made);
    s->http = &transport;
    sem_init(&resumed, 0, 0);
    return s;
}

/* ---- The request ---- */

enum { FIELDS = 16 };

struct request {
    char *line, *field[FIELDS], *body;
    size_t length;
    int fields;
    bool breaks_off; /* the client leaves before its answer */
    size_t part;     /* bytes of the body that arrive at once */
    struct http_head head;
};

/* Read fields as HTTP does: a name, a colon, a value without blanks around it. */
static void read_fields(struct http_fields *fields, struct request *r)
{
    for (int i = 0; i < r->fields; i++) {
        char *value = strchr(r->field[i], ':');
        if (value)
            *value++ = '\0';
        http_fields_add(fields, r->field[i], value ? value + strspn(value, " \t") : NULL);
    }
}

static void read_head(struct request *r)
{
    struct http_fields fields = {0};
    char *path = strchr(r->line, ' ');
    if (path)
        *path++ = '\0';
    char *query = path ? strchr(path, '?') : NULL;
    if (query)
        *query++ = '\0';
    read_fields(&fields, r);
    r->head = (struct http_head){.method = r->line,
                                 .path = path ? path : "/",
                                 .query = query ? query : "",
                                 .client = "1.2.3.4",
                                 .type = fields.type,
                                 .authorization = fields.authorization,
                                 .if_none_match = fields.if_none_match,
                                 .forwarded = fields.forwarded,
                                 .host = fields.host,
                                 .origin = fields.origin,
                                 .site = fields.site,
                                 .fault = http_fields_fault(&fields, "HTTP/1.1"),
                                 .length = fields.length ? strtoll(fields.length, NULL, 10) : -1};
}

static void read_request(struct request *r, struct fuzz_input *in)
{
    const unsigned how = fuzz_byte(in);
    r->breaks_off = how & 1;
    r->part = how >> 1 ? how >> 1 : 4096;
    r->line = fuzz_until(in, '\n', NULL);
    while (r->fields < FIELDS) {
        char *field = fuzz_until(in, '\n', NULL);
        if (!*field) {
            free(field);
            break;
        }
        r->field[r->fields++] = field;
    }
    r->body = fuzz_rest(in, &r->length);
    read_head(r);
}

static void release_request(struct request *r)
{
    free(r->line);
    free(r->body);
    for (int i = 0; i < r->fields; i++)
        free(r->field[i]);
}

/* ---- The answer ---- */

static void check_answer(const struct http_answer *a)
{
    const char *type = NULL;
    FUZZ_CHECK(a->code >= 200 && a->code < 600 && a->fields <= HTTP_FIELDS);
    if (a->code == 500)
        fprintf(stderr, "%.*s\n", (int)a->size, a->body);
    FUZZ_CHECK(a->code != 500);
    for (int i = 0; i < a->fields; i++) {
        FUZZ_CHECK(a->field[i].name && a->field[i].value);
        FUZZ_CHECK(!strpbrk(a->field[i].value, "\r\n"));
        if (strcasecmp(a->field[i].name, "Content-Type") == 0)
            type = a->field[i].value;
    }
    if (type && a->size && strncmp(type, "application/json", 16) == 0)
        fuzz_check_json(a->body, a->size);
}

static void exchange(struct attend_server *s, const struct request *r)
{
    struct exchange *e = server_begin(s, &r->head);
    FUZZ_CHECK(e);
    bool more = server_receive(e, "", 0);
    for (size_t at = 0; more && at < r->length; at += r->part)
        more = server_receive(e, r->body + at, r->length - at < r->part ? r->length - at : r->part);
    if (!r->breaks_off || !more) {
        enum http_next next = server_proceed(e);
        while (next == HTTP_WAIT) {
            server_submit(e);
            while (sem_wait(&resumed)) { /* libFuzzer's timer interrupts with a signal */
            }
            next = server_proceed(e);
        }
        check_answer(server_answer(e));
    }
    server_end(e, !r->breaks_off);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct attend_server *server;
    if (!server)
        server = open_server();
    struct fuzz_input in = {data, size};
    struct request r = {0};
    read_request(&r, &in);
    exchange(server, &r);
    release_request(&r);
    FUZZ_CHECK(atomic_load(&server->active) == 0 && atomic_load(&server->held) == 0);
    return 0;
}
