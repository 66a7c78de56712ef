/* The routes of `attend serve` without a network: a request is a call, and its answer is there when
 * the call returns. So a page in a file has the same interface as the server's page. */
#include "wasm/calls.h"

#include "attend/serve.h"
#include "base/error.h"
#include "serve/server.h"
#include "wasm/samples.h"

#include <stdlib.h>
#include <string.h>

struct desk {
    struct attend_settings *settings; /* which fill the options, and own their texts */
    struct attend_serve_options options;
    struct attend_translator_options search;
    struct attend_server *server;
};

/* Nobody waits for an answer, so nobody is to be resumed. */
static void resume(void *connection) { (void)connection; }
static const struct attend_http in_page = {.resume = resume};

/* The page makes PGM files of images. */
static const struct attend_frame_modules modules = {.sound_decode = samples_decode,
                                                    .sound_power = samples_power};
static const struct attend_frame_modules *frames(void *context, const char *reader)
{
    (void)context, (void)reader;
    return &modules;
}
static const struct attend_serve_hooks hooks = {.frames = frames};

void WASM_CALL(server_free)(struct desk *d);
void server_free(struct desk *d)
{
    if (!d)
        return;
    attend_server_close(d->server);
    attend_settings_free(d->settings);
    free(d);
}

static enum attend_status take_settings(struct desk *d, const struct json *request,
                                        struct attend_error *err)
{
    const struct {
        enum attend_table table;
        void *options;
    } tables[] = {{ATTEND_TABLE_SERVE_MODELS, &d->options}, {ATTEND_TABLE_SERVE, &d->options},
                  {ATTEND_TABLE_SERVE_LIMITS, &d->options}, {ATTEND_TABLE_SEARCH, &d->search},
                  {ATTEND_TABLE_SPEED, &d->search},         {ATTEND_TABLE_DIRECTION, &d->search}};
    enum attend_status status = attend_settings_new(&d->settings, err);
    d->options = attend_serve_defaults();
    d->search = attend_translator_defaults();
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = attend_settings_add(d->settings, "", tables[i].table, tables[i].options, err);
    return status ? status : settings_take_object(d->settings, request, err);
}

/* The request has the settings of `attend serve`. Answers {"server": handle}. */
char *WASM_CALL(server_new)(const char *text);
char *server_new(const char *text)
{
    struct attend_error err;
    struct json *request = NULL;
    struct desk *d = calloc(1, sizeof *d);
    enum attend_status status = d ? request_parse(&request, text, &err)
                                  : error_set(&err, ATTEND_NO_MEMORY, "out of memory for a server");
    if (!status)
        status = take_settings(d, request, &err);
    if (!status)
        status = attend_server_open(&d->server, &d->options, &d->search, &hooks, &err);
    json_free(request);
    if (status) {
        server_free(d);
        d = NULL;
    } else {
        d->server->http = &in_page;
    }
    return answer_handle(status, "server", d, &err);
}

/* ---- One request ---- */

/* Answer a request; type NULL: it has no body. The result is for the functions below, the last of
 * which is exchange_end. NULL: out of memory. */
struct exchange *WASM_CALL(server_request)(struct desk *d, const char *method, const char *path,
                                           const char *query, const char *type, const char *body,
                                           size_t size);
struct exchange *server_request(struct desk *d, const char *method, const char *path,
                                const char *query, const char *type, const char *body, size_t size)
{
    const struct http_head head = {.method = method,
                                   .path = path,
                                   .query = query,
                                   .client = "page",
                                   .type = type,
                                   .length = type ? (long long)size : -1};
    struct exchange *e = server_begin(d->server, &head);
    if (!e)
        return NULL;
    if (server_receive(e, NULL, 0) && size)
        server_receive(e, body, size);
    while (server_proceed(e) == HTTP_WAIT)
        server_submit(e);
    return e;
}

int WASM_CALL(exchange_code)(const struct exchange *e);
int exchange_code(const struct exchange *e) { return server_answer(e)->code; }

const char *WASM_CALL(exchange_body)(const struct exchange *e);
const char *exchange_body(const struct exchange *e) { return server_answer(e)->body; }

size_t WASM_CALL(exchange_size)(const struct exchange *e);
size_t exchange_size(const struct exchange *e) { return server_answer(e)->size; }

/* The name and the value of a header field; NULL past the last. */
const char *WASM_CALL(exchange_field_name)(const struct exchange *e, int i);
const char *exchange_field_name(const struct exchange *e, int i)
{
    const struct http_answer *a = server_answer(e);
    return i < a->fields ? a->field[i].name : NULL;
}

const char *WASM_CALL(exchange_field_value)(const struct exchange *e, int i);
const char *exchange_field_value(const struct exchange *e, int i)
{
    return server_answer(e)->field[i].value;
}

void WASM_CALL(exchange_end)(struct exchange *e);
void exchange_end(struct exchange *e) { server_end(e, true); }
