#include "serve/exchange.h"

#include "base/clock.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "serve/upload.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char json_type[] = "application/json; charset=utf-8";
static const char no_memory[] = "{\"error\":\"Out of memory\"}";

/* CORS headers, in addition to Access-Control-Allow-Origin. */
static const struct http_field cors[] = {
    {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
    {"Access-Control-Expose-Headers", "Authorization"},
    {"Access-Control-Allow-Methods", "GET, POST"},
    {"Access-Control-Allow-Credentials", "true"},
    {"Access-Control-Max-Age", "1728000"},
};
enum { CORS = sizeof cors / sizeof *cors };

static bool copy(char **out, const char *text)
{
    *out = text ? strdup(text) : NULL;
    return *out || !text;
}

struct exchange *exchange_new(struct attend_server *server, const struct http_head *head)
{
    struct exchange *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->server = server;
    e->connection = head->connection;
    e->started = clock_seconds();
    if (copy(&e->method, head->method) && copy(&e->path, head->path) &&
        copy(&e->query, head->query) && copy(&e->client, head->client) &&
        copy(&e->type, head->type) && copy(&e->authorization, head->authorization) &&
        copy(&e->if_none_match, head->if_none_match) && copy(&e->origin, head->origin) &&
        copy(&e->host, head->host))
        return e;
    exchange_free(e);
    return NULL;
}

void exchange_free(struct exchange *e)
{
    if (!e)
        return;
    if (e->work)
        e->free_work(e->work);
    upload_free(e->upload);
    char *const texts[] = {e->method, e->path,          e->query,         e->client,
                           e->type,   e->authorization, e->if_none_match, e->origin,
                           e->host,   e->owned[0],      e->owned[1]};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    strbuf_release(&e->body);
    free(e);
}

/* ---- Answers ---- */

void exchange_field(struct exchange *e, const char *name, const char *value)
{
    if (e->answer.fields < HTTP_FIELDS)
        e->answer.field[e->answer.fields++] = (struct http_field){name, value};
}

void exchange_field_owned(struct exchange *e, const char *name, char *value)
{
    free(e->owned[1]);
    e->owned[1] = value;
    if (value)
        exchange_field(e, name, value);
}

void exchange_fixed(struct exchange *e, int code, const char *type, const char *bytes, size_t size)
{
    e->answer = (struct http_answer){.code = code, .body = bytes, .size = size};
    e->error = NULL;
    if (e->origin)
        exchange_field(e, "Access-Control-Allow-Origin", e->origin);
    for (int i = 0; e->origin && i < CORS; i++)
        exchange_field(e, cors[i].name, cors[i].value);
    if (!e->origin || strcmp(e->origin, "*") != 0)
        exchange_field(e, "Vary", "Origin");
    exchange_field(e, "X-Content-Type-Options", "nosniff");
    if (type)
        exchange_field(e, "Content-Type", type);
}

void exchange_answer(struct exchange *e, int code, const char *type, char *text)
{
    free(e->owned[0]);
    e->owned[0] = text;
    if (text)
        exchange_fixed(e, code, type, text, strlen(text));
    else
        exchange_fixed(e, 500, json_type, no_memory, sizeof no_memory - 1);
}

void exchange_bytes(struct exchange *e, int code, const char *type, char *bytes, size_t size)
{
    free(e->owned[0]);
    e->owned[0] = bytes;
    exchange_fixed(e, code, type, bytes, size);
}

void exchange_json(struct exchange *e, int code, char *text)
{
    exchange_answer(e, code, json_type, text);
}

void exchange_error(struct exchange *e, int code, const char *format, ...)
{
    char message[1024];
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    utf8_repair(message); /* the text may have been cut inside a character */
    json_begin_object(&w, NULL);
    json_put_text(&w, "error", message);
    json_end(&w);
    exchange_json(e, code, strbuf_detach(&out));
    e->error = e->answer.body;
}

void exchange_busy(struct exchange *e)
{
    exchange_error(e, 503, "The server is busy: too many texts are waiting");
    exchange_field(e, "Retry-After", "1");
}
