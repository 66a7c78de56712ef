/* Routes with information about the server. */
#include "serve/routes.h"

#include "attend/document.h"
#include "base/json_writer.h"
#include "base/clock.h"
#include "serve/language_names.h"

#include <stdio.h>
#include <string.h>

/* ---- GET /languages ---- */

static bool leads_to(const struct catalog *c, const char *source, const char *target)
{
    return strcmp(source, target) == 0 || catalog_find_pair(c, source, target);
}

static void put_targets(struct json_writer *w, const struct catalog *c, const char *source)
{
    const char *target;
    json_begin_array(w, "targets");
    for (int i = 0; (target = catalog_language(c, i)); i++)
        if (leads_to(c, source, target))
            json_put_text(w, NULL, target);
    json_end(w);
}

void languages_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    const char *language;
    (void)p;
    json_begin_array(&w, NULL);
    for (int i = 0; (language = catalog_language(e->catalog, i)); i++) {
        json_begin_object(&w, NULL);
        json_put_text(&w, "code", language);
        json_put_text(&w, "name", language_name(language));
        put_targets(&w, e->catalog, language);
        json_end(&w);
    }
    json_end(&w);
    exchange_json(e, 200, strbuf_detach(&out));
}

/* ---- GET /models, GET /translator/models ---- */

static void put_members(struct json_writer *w, const struct served *s)
{
    const struct attend_model_info *info = &s->info;
    json_put_text(w, "name", s->name);
    json_put_text(w, "source", s->source);
    json_put_text(w, "target", s->target);
    json_put_text(w, "reads", s->info.frames ? s->info.frames : "text");
    json_put_text(w, "writes", s->writes ? "ink" : "text");
    json_put_text(w, "attention", info->attention);
    json_put_text(w, "placement", info->placement);
    json_put_text(w, "cell", info->cell);
    json_put_whole(w, "heads", info->heads);
    json_put_whole(w, "parameters", (int64_t)info->parameters);
    json_put_flag(w, "int8", info->int8);
}

static bool has_keys(struct attend_server *s)
{
    pthread_mutex_lock(&s->lock);
    const bool keys = s->keys;
    pthread_mutex_unlock(&s->lock);
    return keys;
}

/* Example lines are text of the training data: a server with keys shows them only at /vocabulary,
 * which asks for one. */
static void put_model(struct json_writer *w, const struct served *s, bool open)
{
    int count;
    const char *const *line = attend_model_examples(s->model, &count);
    struct attend_network_options network = attend_network_defaults();
    attend_model_network(s->model, &network);
    json_begin_object(w, NULL);
    put_members(w, s);
    json_put_text(w, "encoder", network.encoder);
    if (!s->info.frames)
        json_put_whole(w, "source_tokens", network.source_vocab - ATTEND_SPECIAL_TOKENS);
    if (!s->writes)
        json_put_whole(w, "target_tokens", network.target_vocab - ATTEND_SPECIAL_TOKENS);
    json_put_flag(w, "loaded", loader_has(s->core));
    if (open)
        json_put_texts(w, "examples", line, count);
    json_end(w);
}

void models_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    const bool open = !has_keys(e->server);
    (void)p;
    json_begin_object(&w, NULL);
    json_begin_array(&w, "models");
    for (int i = 0; i < e->catalog->count; i++)
        put_model(&w, e->catalog->item[i], open);
    json_end(&w);
    json_end(&w);
    exchange_json(e, 200, strbuf_detach(&out));
}

void opennmt_models_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    (void)p;
    json_begin_array(&w, NULL);
    for (int i = 0; i < e->catalog->count; i++) {
        const char *name = e->catalog->item[i]->name;
        json_begin_object(&w, NULL);
        json_put_whole(&w, "model_id", i);
        json_put_texts(&w, "models", &name, 1);
        json_put_flag(&w, "loaded", loader_has(e->catalog->item[i]->core));
        json_begin_object(&w, "opt");
        put_members(&w, e->catalog->item[i]);
        json_end(&w);
        json_end(&w);
    }
    json_end(&w);
    exchange_json(e, 200, strbuf_detach(&out));
}

/* ---- GET /frontend/settings ---- */

static void put_language(struct json_writer *w, const char *name, const char *code,
                         const char *called)
{
    json_begin_object(w, name);
    json_put_text(w, "code", code);
    json_put_text(w, "name", called);
    json_end(w);
}

void settings_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    struct attend_document_format format;
    const char *target = e->catalog->item[0]->target;
    const bool keys = has_keys(e->server);
    (void)p;
    target = target ? target : "";
    json_begin_object(&w, NULL);
    json_put_whole(&w, "charLimit", e->server->limits.characters);
    json_put_whole(&w, "frontendTimeout", 500);
    json_put_flag(&w, "apiKeys", keys);
    json_put_flag(&w, "keyRequired", keys);
    json_put_flag(&w, "suggestions", false);
    json_put_flag(&w, "filesTranslation", true);
    json_begin_array(&w, "supportedFilesFormat");
    for (int i = 0; attend_document_format(i, &format); i++)
        json_put_text(&w, NULL, format.ending);
    json_end(&w);
    json_begin_object(&w, "language");
    put_language(&w, "source", "auto", "Auto Detect");
    put_language(&w, "target", target, language_name(target));
    json_end(&w);
    json_end(&w);
    exchange_json(e, 200, strbuf_detach(&out));
}

/* ---- GET /health, GET /metrics ---- */

void health_begin(struct exchange *e, const struct params *p)
{
    (void)p;
    exchange_json(e, 200, strdup("{\"status\":\"ok\"}"));
}

void metrics_begin(struct exchange *e, const struct params *p)
{
    struct attend_server *s = e->server;
    struct strbuf out = {0};
    struct loader_figures memory = loader_figures(s->loader);
    (void)p;
    if (!s->loader)
        memory.models = e->catalog->cores;
    metrics_write(
        &out, &s->metrics,
        &(struct metrics_gauges){.queued = batcher_waiting(s->translating) + memory.waiting,
                                 .explaining = batcher_waiting(s->explaining),
                                 .connections = s->http->connections(s->door),
                                 .models = e->catalog->cores,
                                 .memory = memory,
                                 .uptime = clock_seconds() - s->started},
        route_path);
    exchange_answer(e, 200, "text/plain; version=0.0.4; charset=utf-8", strbuf_detach(&out));
}

/* ---- GET /spec: the table of routes as Swagger 2.0 ---- */

static void put_fields(struct json_writer *w, const char *fields)
{
    json_begin_array(w, "parameters");
    while (*fields) {
        char name[64];
        const size_t length = strcspn(fields, " *");
        const bool needed = fields[length] == '*';
        snprintf(name, sizeof name, "%.*s", (int)length, fields);
        json_begin_object(w, NULL);
        json_put_text(w, "in", "formData");
        json_put_text(w, "name", name);
        json_put_text(w, "type", strcmp(name, "file") == 0 ? "file" : "string");
        json_put_flag(w, "required", needed);
        json_end(w);
        fields += length + needed;
        fields += *fields == ' ';
    }
    json_end(w);
}

static void put_responses(struct json_writer *w, bool guarded)
{
    static const struct {
        const char *code, *description;
    } rows[] = {{"200", "The answer"},        {"400", "Invalid request"},
                {"403", "Invalid API key"},   {"429", "Slow down"},
                {"500", "Translation error"}, {"503", "Too many texts are waiting"}};
    const size_t count = guarded ? sizeof rows / sizeof *rows : 1;
    json_begin_object(w, "responses");
    for (size_t i = 0; i < count; i++) {
        json_begin_object(w, rows[i].code);
        json_put_text(w, "description", rows[i].description);
        json_end(w);
    }
    json_end(w);
}

static void put_route(struct json_writer *w, const struct route *route)
{
    json_begin_object(w, route->path);
    json_begin_object(w, strcmp(route->method, "GET") == 0 ? "get" : "post");
    json_put_text(w, "summary", route->summary);
    put_fields(w, route->fields);
    put_responses(w, route->guarded);
    json_end(w);
    json_end(w);
}

void spec_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    (void)p;
    json_begin_object(&w, NULL);
    json_put_text(&w, "swagger", "2.0");
    json_begin_object(&w, "info");
    json_put_text(&w, "title", e->server->title);
    json_put_text(&w, "version", ATTEND_VERSION);
    json_end(&w);
    json_put_text(&w, "basePath", "/");
    json_begin_object(&w, "paths");
    for (int i = 0; route_at(i); i++)
        put_route(&w, route_at(i));
    json_end(&w);
    json_end(&w);
    exchange_json(e, 200, strbuf_detach(&out));
}

/* ---- Parts of LibreTranslate's API that are not offered ---- */

void no_suggestions_begin(struct exchange *e, const struct params *p)
{
    (void)p;
    exchange_error(e, 403, "Suggestions are disabled on this server.");
}
