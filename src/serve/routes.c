#include "serve/routes.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "serve/upload.h"
#include "serve/work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define GET(path, begin, summary)                                                                  \
    {                                                                                              \
        "GET", path, false, false, begin, NULL, NULL, summary, ""                                  \
    }
#define POST_ROW(path, name, summary, fields, uploads)                                             \
    {                                                                                              \
        "POST", path, true, uploads, name##_begin, name##_submit, name##_finish, summary, fields   \
    }
#define POST(path, name, summary, fields) POST_ROW(path, name, summary, fields, false)
#define POST_UPLOAD(path, name, summary, fields) POST_ROW(path, name, summary, fields, true)
#define POST_AT_ONCE(path, begin, guarded, summary, fields)                                        \
    {                                                                                              \
        "POST", path, guarded, false, begin, NULL, NULL, summary, fields                           \
    }
static const struct route routes[] = {
    POST_UPLOAD(
        "/translate", translate,
        "Translate text from one language to another, or read a file of sound, an image, "
        "ink or an array",
        "q* source* target* format alternatives confidence glossary split_sentences api_key "
        "model file"),
    GET("/languages", languages_begin, "List the languages"),
    POST("/detect", detect, "Detect the language of a text", "q* api_key"),
    GET("/models", models_begin, "List the models"),
    POST_AT_ONCE("/vocabulary", vocabulary_begin, true, "List the tokens of a small model",
                 "model api_key"),
    POST_UPLOAD("/attention", attention,
                "Translate a line or a file and show where the model looked",
                "q* model source target_language target beam alternatives words attend prefix "
                "values api_key file"),
    POST_UPLOAD("/explain", explain,
                "Explain which parts of the source mattered to each target word",
                "q* target model source target_language api_key file"),
    {"POST", "/self-attention", true, true, self_attention_begin, explain_submit, explain_finish,
     "Show where each word of the source looks, in each layer and head of a transformer encoder",
     "q* words model source target_language api_key file"},
    POST_UPLOAD("/picture", picture,
                "Draw attention as SVG: a matrix, or what a model sees in a file",
                "matrix* view dark format title api_key model file"),
    POST("/write", write, "Write a text by hand", "q* model format bias seed dark api_key"),
    POST("/translator/translate", opennmt, "Translate as OpenNMT's server does", ""),
    GET("/translator/models", opennmt_models_begin, "List the models as OpenNMT's server does"),
    GET("/translator/health", health_begin, "Health check"),
    GET("/health", health_begin, "Health check"),
    GET("/ready", ready_begin, "Whether the server can work, and why not"),
    GET("/metrics", metrics_begin, "Metrics for Prometheus"),
    GET("/frontend/settings", settings_begin, "Settings for web pages"),
    GET("/spec", spec_begin, "This description"),
    POST_AT_ONCE("/suggest", no_suggestions_begin, false, "Not offered", ""),
    POST("/translate_file", file, "Translate a file from one language to another",
         "file* source* target* split_sentences api_key"),
    GET("/download_file/", download_begin, "A translated file, by the name behind this path"),
    GET("/", page_begin, "The page"),
};
enum { ROUTES = sizeof routes / sizeof *routes };
_Static_assert((int)ROUTES < (int)METRICS_ROUTES, "room for all, and one for others");

const struct route *route_at(int i) { return i < ROUTES ? &routes[i] : NULL; }
const char *route_path(int i) { return i < ROUTES ? routes[i].path : NULL; }
int route_number(const struct route *route) { return route ? (int)(route - routes) : -1; }

/* ---- Lookup ---- */

/* The path of a route that ends with a slash is the beginning of many. */
static bool has_path(const struct route *route, const char *path)
{
    const size_t length = strlen(route->path);
    return length > 1 && route->path[length - 1] == '/' ? strncmp(path, route->path, length) == 0
                                                        : strcmp(path, route->path) == 0;
}

/* The route of a method and path. If only the method differs, *other is the method that the path
 * has. */
static const struct route *find(const char *method, const char *path, const char **other)
{
    const char *wanted = strcmp(method, "HEAD") == 0 ? "GET" : method;
    *other = NULL;
    for (int i = 0; i < ROUTES; i++) {
        if (!has_path(&routes[i], path))
            continue;
        if (strcmp(routes[i].method, wanted) == 0)
            return &routes[i];
        *other = routes[i].method;
    }
    return NULL;
}

static void answer_options(struct exchange *e, const char *other)
{
    exchange_fixed(e, 204, NULL, "", 0);
    exchange_field(e, "Allow",
                   other && strcmp(other, "GET") == 0 ? "GET, HEAD, OPTIONS" : "POST, OPTIONS");
}

static void answer_none(struct exchange *e, const char *other)
{
    const bool reads = strcmp(e->method, "GET") == 0 || strcmp(e->method, "HEAD") == 0;
    if (strcmp(e->method, "OPTIONS") == 0) {
        answer_options(e, other);
    } else if (other) {
        exchange_error(e, 405, "Method not allowed");
        exchange_field(e, "Allow",
                       strcmp(other, "GET") == 0 ? "GET, HEAD, OPTIONS" : "POST, OPTIONS");
    } else if (!reads || !page_file(e)) {
        exchange_error(e, 404, "Not found");
    }
}

/* ---- Keys and rate limits ---- */

/* The API key: from the body, under one of two names, or from the header. "" means none. */
static const char *key_of(const struct exchange *e, const struct params *p)
{
    const char *key = params_text(p, "api_key");
    if (!key)
        key = params_text(p, "apiKey");
    if (!key && e->authorization && strncasecmp(e->authorization, "Bearer ", 7) == 0)
        key = e->authorization + 7;
    return key;
}

/* The key's limit of requests a minute; 0: the server's limit, -1: unknown key. */
static int rate_of(struct attend_server *s, const char *key, bool *needed)
{
    pthread_mutex_lock(&s->lock);
    const int rate = s->keys && key ? keys_rate(s->keys, key) : 0;
    *needed = s->keys;
    pthread_mutex_unlock(&s->lock);
    return rate;
}

static void answer_slow_down(struct exchange *e, int rate, double wait)
{
    char text[32];
    exchange_error(e, 429, "Slowdown: %d per 1 minute", rate);
    snprintf(text, sizeof text, "%d", (int)ceil(wait));
    exchange_field_owned(e, "Retry-After", strdup(text));
}

static bool slow_down(struct exchange *e, const char *client, int rate)
{
    const double wait =
        rate > 0 ? rate_take(&e->server->clients, client, rate, clock_seconds()) : 0;
    if (wait > 0)
        answer_slow_down(e, rate, wait);
    return wait > 0;
}

/* Limits guessing: each address may send this many wrong keys a minute. After that right keys are
 * refused too, since otherwise the answer would still tell them apart. */
enum { WRONG_KEYS = 10 };

static bool guesses_too_much(struct exchange *e, bool wrong)
{
    struct attend_server *s = e->server;
    char name[128];
    const int all = atomic_load(&s->rate), rate = all && all < WRONG_KEYS ? all : WRONG_KEYS;
    snprintf(name, sizeof name, "wrong keys of %s", e->client);
    const double wait = (wrong ? rate_take : rate_wait)(&s->clients, name, rate, clock_seconds());
    if (wait > 0)
        answer_slow_down(e, rate, wait);
    return wait > 0;
}

static bool is_welcome(struct exchange *e, const struct params *p)
{
    const char *key = key_of(e, p);
    bool needed;
    const int rate = rate_of(e->server, key, &needed);
    if (needed && key && guesses_too_much(e, rate < 0))
        return false;
    if (needed && key && rate < 0) {
        exchange_error(e, 403, "Invalid API key");
        return false;
    }
    if (needed && !key) {
        exchange_error(e, 400, "Please contact the server operator to obtain an API key");
        return false;
    }
    const bool by_key = needed && key;
    return !slow_down(e, by_key ? key : e->client,
                      by_key && rate ? rate : atomic_load(&e->server->rate));
}

/* ---- Beginning ---- */

void routes_begin(struct exchange *e)
{
    struct params params;
    const char *other;
    if (e->upload) {
        upload_begin_route(e);
        return;
    }
    if (e->too_long) {
        exchange_error(e, 413, "Invalid request: the body exceeds the limit (%zu bytes)",
                       e->server->limits.body);
        return;
    }
    e->route = find(e->method, e->path, &other);
    if (!e->route) {
        answer_none(e, other);
        return;
    }
    if (!params_read(&params, e))
        return;
    e->catalog = server_catalog(e->server);
    if (!e->route->guarded || is_welcome(e, &params)) {
        if (e->route->uploads && upload_given(&params))
            upload_take(e, &params);
        else
            e->route->begin(e, &params);
    }
    params_release(&params);
}

/* ---- Shared by several routes ---- */

bool routes_refuse(struct exchange *e, const char *sentence)
{
    exchange_error(e, 400, "Invalid request: %s", sentence);
    return false;
}

/* The request names one that is not there. */
static struct served *no_such_model(struct exchange *e, const char *name)
{
    exchange_error(e, 400, "%.200s is not supported: there is no such model",
                   name ? name : "model");
    return NULL;
}

struct served *routes_model_for(struct exchange *e, const struct params *p,
                                const struct routes_wish *wish)
{
    const struct catalog *c = e->catalog;
    const char *name = params_text(p, "model");
    struct served *served = name ? catalog_find(c, name) : NULL;
    if (!served && params_given(p, "model"))
        return no_such_model(e, name);
    for (int i = 0; i < c->count && !served; i++)
        served = wish->fits(c->item[i]) ? c->item[i] : NULL;
    if (served && wish->fits(served))
        return served;
    if (served)
        exchange_error(e, 400, "Invalid request: %.200s %s", served->name, wish->other);
    else
        routes_refuse(e, wish->none);
    return NULL;
}

/* The first model that translates text, or else the first. */
static struct served *first_of_text(const struct catalog *c)
{
    for (int i = 0; i < c->count; i++)
        if (c->item[i]->speaks)
            return c->item[i];
    return c->item[0];
}

bool routes_check_model(struct exchange *e, const struct served *served)
{
    if (served->info.frames)
        exchange_error(e, 400,
                       "Invalid request: %.200s reads files (%s), not text; send one as file in a "
                       "multipart form",
                       served->name, served->info.frames);
    else if (served->writes)
        exchange_error(e, 400, "Invalid request: %.200s writes by hand; ask /write", served->name);
    return served->speaks;
}

struct served *routes_model(struct exchange *e, const struct params *p, const char *target)
{
    const char *name = params_text(p, "model"), *source = params_text(p, "source");
    struct served *served = first_of_text(e->catalog);
    bool several = false;
    if (params_given(p, "model"))
        served = name ? catalog_find(e->catalog, name) : NULL;
    if (!served && name)
        served = catalog_find_view(e->catalog, name,
                                   source && strcmp(source, "auto") != 0 ? source : NULL,
                                   params_text(p, target), &several);
    if (!served && several)
        exchange_error(e, 400,
                       "Invalid request: %.200s has several pairs of languages; choose one with "
                       "source and %s, or by a name of /models",
                       name, target);
    else if (!served)
        no_such_model(e, name);
    return served;
}

struct served *routes_pair(struct exchange *e, const struct params *p)
{
    const char *source = params_text(p, "source"), *target = params_text(p, "target_language");
    if (e->upload)
        return e->upload->served;
    if (params_given(p, "model") || !source || strcmp(source, "auto") == 0) {
        struct served *named = routes_model(e, p, "target_language");
        return named && routes_check_model(e, named) ? named : NULL;
    }
    struct served *served = catalog_find_pair(e->catalog, source, target);
    if (!served)
        exchange_error(e, 400, "%.200s is not supported",
                       catalog_speaks(e->catalog, source) && target ? target : source);
    return served;
}

long routes_characters(const char *text)
{
    long count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* Characters of the longest line. */
static long longest_line(const char *text)
{
    long longest = 0, length = 0;
    for (; *text; text++) {
        length = *text == '\n' ? 0 : length + (((unsigned char)*text & 0xc0) != 0x80);
        longest = length > longest ? length : longest;
    }
    return longest;
}

bool routes_split(const struct exchange *e, const struct params *p)
{
    const struct attend_server *s = e->server;
    return s->hooks.sentences &&
           (params_given(p, "split_sentences") ? params_flag(p, "split_sentences")
                                               : !s->options.whole_lines);
}

bool routes_check_all(struct exchange *e, const char *text)
{
    const struct limits *limits = &e->server->limits;
    e->characters += routes_characters(text);
    if (e->characters <= limits->characters)
        return true;
    exchange_error(e, 400, "Invalid request: request (%ld) exceeds text limit (%d)", e->characters,
                   limits->characters);
    return false;
}

bool routes_check_text(struct exchange *e, const char *text)
{
    const struct limits *limits = &e->server->limits;
    const long line = longest_line(text);
    e->characters += routes_characters(text);
    const bool all = e->characters > limits->characters;
    if (!all && line <= limits->line)
        return true;
    exchange_error(e, 400, "Invalid request: %s (%ld) exceeds text limit (%d)",
                   all ? "request" : "a line of the request", all ? e->characters : line,
                   all ? limits->characters : limits->line);
    return false;
}

/* `served` may be NULL. */
static bool submit(struct exchange *e, struct batcher *batcher, struct batch_job *job,
                   const struct served *served)
{
    atomic_fetch_add(&e->waiting, 1);
    if (loader_submit(e->server->loader, served ? served->core : NULL, batcher, job))
        return true;
    atomic_fetch_sub(&e->waiting, 1);
    return false;
}

bool routes_submit_text(struct exchange *e, struct batch_job *job)
{
    return submit(e, e->server->translating, job, ((const struct text_job *)job)->served);
}

bool routes_submit_detection(struct exchange *e, struct batch_job *job)
{
    return submit(e, e->server->detecting, job, NULL);
}

bool routes_submit_upload(struct exchange *e, struct batch_job *job)
{
    return submit(e, e->server->reading, job, NULL);
}

bool routes_submit(struct exchange *e)
{
    return upload_waits(e) ? upload_submit(e) : e->route->submit(e);
}

bool routes_submit_task(struct exchange *e, struct batch_job *job)
{
    return submit(e, e->server->explaining, job, ((const struct task *)job)->served);
}
