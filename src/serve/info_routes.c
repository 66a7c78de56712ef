/* What a server says about itself. */
#include "serve/routes.h"

#include "base/clock.h"
#include "serve/language_names.h"

#include <string.h>

static void add_pair(struct strbuf *out, const char *name, const char *text)
{
    strbuf_addf(out, "\"%s\":", name);
    if (text)
        json_add_text(out, text);
    else
        strbuf_adds(out, "null");
}

/* ---- GET /languages ---- */

static bool leads_to(const struct catalog *c, const char *source, const char *target)
{
    return strcmp(source, target) == 0 || catalog_find_pair(c, source, target);
}

static void add_targets(struct strbuf *out, const struct catalog *c, const char *source)
{
    const char *target, *comma = "";
    for (int i = 0; (target = catalog_language(c, i)); i++)
        if (leads_to(c, source, target)) {
            strbuf_adds(out, comma);
            json_add_text(out, target);
            comma = ",";
        }
}

void languages_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    const char *language;
    (void)p;
    strbuf_addc(&out, '[');
    for (int i = 0; (language = catalog_language(e->catalog, i)); i++) {
        strbuf_adds(&out, i ? ",{" : "{");
        add_pair(&out, "code", language);
        strbuf_addc(&out, ',');
        add_pair(&out, "name", language_name(language));
        strbuf_adds(&out, ",\"targets\":[");
        add_targets(&out, e->catalog, language);
        strbuf_adds(&out, "]}");
    }
    strbuf_addc(&out, ']');
    exchange_json(e, 200, &out);
}

/* ---- GET /models, GET /translator/models ---- */

static void add_model(struct strbuf *out, const struct served *s)
{
    const struct attend_model_info *info = &s->info;
    const struct {
        const char *name, *text;
    } texts[] = {{"name", s->name},
                 {"source", s->source},
                 {"target", s->target},
                 {"attention", info->attention},
                 {"placement", info->placement},
                 {"cell", info->cell}};
    strbuf_addc(out, '{');
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        add_pair(out, texts[i].name, texts[i].text);
        strbuf_addc(out, ',');
    }
    strbuf_addf(out, "\"heads\":%d,\"parameters\":%zu,\"int8\":%s}", info->heads, info->parameters,
                info->int8 ? "true" : "false");
}

void models_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    (void)p;
    strbuf_adds(&out, "{\"models\":[");
    for (int i = 0; i < e->catalog->count; i++) {
        strbuf_adds(&out, i ? "," : "");
        add_model(&out, e->catalog->item[i]);
    }
    strbuf_adds(&out, "]}");
    exchange_json(e, 200, &out);
}

void opennmt_models_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    (void)p;
    strbuf_addc(&out, '[');
    for (int i = 0; i < e->catalog->count; i++) {
        strbuf_addf(&out, "%s{\"model_id\":%d,\"models\":[", i ? "," : "", i);
        json_add_text(&out, e->catalog->item[i]->name);
        strbuf_adds(&out, "],\"loaded\":true,\"opt\":");
        add_model(&out, e->catalog->item[i]);
        strbuf_addc(&out, '}');
    }
    strbuf_addc(&out, ']');
    exchange_json(e, 200, &out);
}

/* ---- GET /frontend/settings ---- */

static void add_language(struct strbuf *out, const char *name, const char *code, const char *called)
{
    strbuf_addf(out, "\"%s\":{", name);
    add_pair(out, "code", code);
    strbuf_addc(out, ',');
    add_pair(out, "name", called);
    strbuf_addc(out, '}');
}

void settings_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    const char *target = e->catalog->item[0]->target;
    pthread_mutex_lock(&e->server->lock);
    const char *keys = e->server->keys ? "true" : "false";
    pthread_mutex_unlock(&e->server->lock);
    (void)p;
    target = target ? target : "";
    strbuf_addf(&out,
                "{\"charLimit\":%d,\"frontendTimeout\":500,\"apiKeys\":%s,\"keyRequired\":%s,"
                "\"suggestions\":false,\"filesTranslation\":false,\"supportedFilesFormat\":[],"
                "\"language\":{",
                e->server->limits.characters, keys, keys);
    add_language(&out, "source", "auto", "Auto Detect");
    strbuf_addc(&out, ',');
    add_language(&out, "target", target, language_name(target));
    strbuf_adds(&out, "}}");
    exchange_json(e, 200, &out);
}

/* ---- GET /health, GET /metrics ---- */

void health_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    (void)p;
    strbuf_adds(&out, "{\"status\":\"ok\"}");
    exchange_json(e, 200, &out);
}

void metrics_begin(struct exchange *e, const struct params *p)
{
    struct attend_server *s = e->server;
    struct strbuf out = {0};
    (void)p;
    metrics_write(&out, &s->metrics,
                  &(struct metrics_gauges){.queued = batcher_waiting(s->translating),
                                           .explaining = batcher_waiting(s->explaining),
                                           .connections = s->http->connections(s->door),
                                           .models = e->catalog->count,
                                           .uptime = clock_seconds() - s->started},
                  route_path);
    exchange_answer(e, 200, "text/plain; version=0.0.4; charset=utf-8", strbuf_detach(&out));
}

/* ---- GET /spec: the table of routes as Swagger 2.0 ---- */

static void add_fields(struct strbuf *out, const char *fields)
{
    strbuf_adds(out, ",\"parameters\":[");
    for (const char *comma = ""; *fields; comma = ",") {
        const size_t length = strcspn(fields, " *");
        const bool needed = fields[length] == '*';
        strbuf_addf(out,
                    "%s{\"in\":\"formData\",\"name\":\"%.*s\",\"type\":\"string\",\"required\":%s}",
                    comma, (int)length, fields, needed ? "true" : "false");
        fields += length + needed;
        fields += *fields == ' ';
    }
    strbuf_addc(out, ']');
}

static void add_route(struct strbuf *out, const struct route *route)
{
    json_add_text(out, route->path);
    strbuf_addf(out, ":{\"%s\":{\"summary\":", strcmp(route->method, "GET") == 0 ? "get" : "post");
    json_add_text(out, route->summary);
    add_fields(out, route->fields);
    strbuf_adds(out, ",\"responses\":{\"200\":{\"description\":\"The answer\"}");
    if (route->guarded)
        strbuf_adds(out, ",\"400\":{\"description\":\"Invalid request\"},"
                         "\"403\":{\"description\":\"Invalid API key\"},"
                         "\"429\":{\"description\":\"Slow down\"},"
                         "\"500\":{\"description\":\"Translation error\"},"
                         "\"503\":{\"description\":\"Too many texts are waiting\"}");
    strbuf_adds(out, "}}}");
}

void spec_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    (void)p;
    strbuf_adds(&out, "{\"swagger\":\"2.0\",\"info\":{");
    add_pair(&out, "title", e->server->title);
    strbuf_adds(&out, ",\"version\":\"" ATTEND_VERSION "\"},\"basePath\":\"/\",\"paths\":{");
    for (int i = 0; route_at(i); i++) {
        strbuf_adds(&out, i ? "," : "");
        add_route(&out, route_at(i));
    }
    strbuf_adds(&out, "}}");
    exchange_json(e, 200, &out);
}

/* ---- What clients know but this server does not offer ---- */

void no_suggestions_begin(struct exchange *e, const struct params *p)
{
    (void)p;
    exchange_error(e, 403, "Suggestions are disabled on this server.");
}

void no_files_begin(struct exchange *e, const struct params *p)
{
    (void)p;
    exchange_error(e, 403, "Files translation are disabled on this server.");
}
