#include "serve/routes.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define GET(path, begin, summary)                                                                  \
    {                                                                                              \
        "GET", path, false, begin, NULL, NULL, summary, ""                                         \
    }
#define POST(path, name, summary, fields)                                                          \
    {                                                                                              \
        "POST", path, true, name##_begin, name##_submit, name##_finish, summary, fields            \
    }
#define POST_AT_ONCE(path, begin, guarded, summary, fields)                                        \
    {                                                                                              \
        "POST", path, guarded, begin, NULL, NULL, summary, fields                                  \
    }
static const struct route routes[] = {
    POST("/translate", translate, "Translate text from one language to another",
         "q* source* target* format alternatives api_key model"),
    GET("/languages", languages_begin, "The languages that can be translated"),
    POST("/detect", detect, "Which language a text is in", "q* api_key"),
    GET("/models", models_begin, "The models that are served"),
    POST("/attention", attention, "Translate a line and show where the model looked",
         "q* model source target_language target beam alternatives words attend prefix api_key"),
    POST("/explain", explain, "Which source words mattered to which target words",
         "q* target model api_key"),
    POST("/picture", picture, "Draw a matrix of attention as SVG",
         "matrix* view dark format title api_key"),
    POST("/translator/translate", opennmt, "Translate as OpenNMT's server does", ""),
    GET("/translator/models", opennmt_models_begin, "The models, as OpenNMT's server lists them"),
    GET("/translator/health", health_begin, "Whether the server is well"),
    GET("/health", health_begin, "Whether the server is well"),
    GET("/metrics", metrics_begin, "Counts for Prometheus"),
    GET("/frontend/settings", settings_begin, "What a page should know of the server"),
    GET("/spec", spec_begin, "This description"),
    POST_AT_ONCE("/suggest", no_suggestions_begin, false, "Not offered", ""),
    POST_AT_ONCE("/translate_file", no_files_begin, false, "Not offered", ""),
    GET("/", page_begin, "The page"),
};
enum { ROUTES = sizeof routes / sizeof *routes };
_Static_assert((int)ROUTES < (int)METRICS_ROUTES, "room for all, and one for others");

const struct route *route_at(int i) { return i < ROUTES ? &routes[i] : NULL; }
const char *route_path(int i) { return i < ROUTES ? routes[i].path : NULL; }
int route_number(const struct route *route) { return route ? (int)(route - routes) : -1; }

/* ---- Finding ---- */

/* The row of a path; *other tells whether another method would have done. */
static const struct route *find(const char *method, const char *path, const char **other)
{
    const char *wanted = strcmp(method, "HEAD") == 0 ? "GET" : method;
    *other = NULL;
    for (int i = 0; i < ROUTES; i++) {
        if (strcmp(routes[i].path, path) != 0)
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

/* ---- Who asks ---- */

/* A key may come in the body under two names, or in the header; "" is none. */
static const char *key_of(const struct exchange *e, const struct params *p)
{
    const char *key = params_text(p, "api_key");
    if (!key)
        key = params_text(p, "apiKey");
    if (!key && e->authorization && strncasecmp(e->authorization, "Bearer ", 7) == 0)
        key = e->authorization + 7;
    return key;
}

/* Requests a minute that a key is good for; 0: no other than everybody's, -1: it is wrong. */
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

/* Keys cannot be found out by trying: an address has so many wrong ones a minute. When they are
 * used up, right ones are turned away as well, or they would be told apart. */
enum { WRONG_KEYS = 10 };

static bool guesses_too_much(struct exchange *e, bool wrong)
{
    struct attend_server *s = e->server;
    char name[128];
    const int rate = s->rate && s->rate < WRONG_KEYS ? s->rate : WRONG_KEYS;
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
    return !slow_down(e, by_key ? key : e->client, by_key && rate ? rate : e->server->rate);
}

/* ---- Beginning ---- */

void routes_begin(struct exchange *e)
{
    struct params params;
    const char *other;
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
    if (!e->route->guarded || is_welcome(e, &params))
        e->route->begin(e, &params);
    params_release(&params);
}

/* ---- What several share ---- */

struct served *routes_model(struct exchange *e, const struct params *p)
{
    const char *name = params_text(p, "model");
    struct served *served = e->catalog->item[0];
    if (params_given(p, "model"))
        served = name ? catalog_find(e->catalog, name) : NULL;
    if (!served)
        exchange_error(e, 400, "%.200s is not supported: there is no such model",
                       name ? name : "model");
    return served;
}

long routes_characters(const char *text)
{
    long count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* Of the longest line. */
static long longest_line(const char *text)
{
    long longest = 0, length = 0;
    for (; *text; text++) {
        length = *text == '\n' ? 0 : length + (((unsigned char)*text & 0xc0) != 0x80);
        longest = length > longest ? length : longest;
    }
    return longest;
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

static bool submit(struct exchange *e, struct batcher *batcher, struct job *job)
{
    atomic_fetch_add(&e->waiting, 1);
    if (batcher_add(batcher, job))
        return true;
    atomic_fetch_sub(&e->waiting, 1);
    return false;
}

bool routes_submit_text(struct exchange *e, struct job *job)
{
    return submit(e, e->server->translating, job);
}

bool routes_submit_detection(struct exchange *e, struct job *job)
{
    return submit(e, e->server->detecting, job);
}

bool routes_submit_task(struct exchange *e, struct job *job)
{
    return submit(e, e->server->explaining, job);
}
