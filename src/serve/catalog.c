#include "serve/catalog.h"

#include "attend/write.h"
#include "base/error.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reference counts ---- */

struct served *served_hold(struct served *s)
{
    atomic_fetch_add(&s->holders, 1);
    return s;
}

static void served_free(struct served *s, bool view)
{
    if (!view) {
        loader_forget(s->load.home, s);
        attend_translator_free(s->translator);
        attend_translator_free(s->explainer);
        if (s->load.home)
            attend_model_free(s->load.model);
        attend_model_free(s->model);
        attend_glossary_free(s->glossary);
    }
    free(s->name);
    free(s->path);
    free(s->source);
    free(s->target);
    free(s);
}

/* The last holder of a view releases its core. */
void served_release(struct served *s)
{
    while (s && atomic_fetch_sub(&s->holders, 1) <= 1) {
        const bool view = s->core && served_is_view(s);
        struct served *core = view ? s->core : NULL;
        served_free(s, view);
        s = core;
    }
}

struct catalog *catalog_hold(struct catalog *c)
{
    atomic_fetch_add(&c->holders, 1);
    return c;
}

void catalog_release(struct catalog *c)
{
    if (!c || atomic_fetch_sub(&c->holders, 1) > 1)
        return;
    for (int i = 0; i < c->count; i++)
        served_release(c->item[i]);
    for (int i = 0; i < c->cores; i++)
        served_release(c->core[i]);
    free(c->item);
    free(c->core);
    free(c->models);
    free(c->language);
    free(c);
}

/* ---- Names and languages ---- */

/* A file's name without folder and extension. */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static size_t code_length(const char *text)
{
    size_t length = 0;
    while (islower((unsigned char)text[length]))
        length++;
    return length == 2 || length == 3 ? length : 0;
}

/* Split a name such as en-de into its two codes; false if it does not have that form. */
static bool split_name(const char *name, char **source, char **target)
{
    const size_t first = code_length(name);
    const char *rest = name + first + 1;
    const size_t second = first && name[first] == '-' ? code_length(rest) : 0;
    if (!second || rest[second])
        return false;
    *source = strndup(name, first);
    *target = strndup(rest, second);
    return *source && *target;
}

static void take_languages(struct served *s, const struct catalog_host *host)
{
    char text[640];
    if (attend_model_pairs(s->model, NULL, 0) > 1)
        return; /* its views have languages */
    s->source = s->info.source ? strdup(s->info.source) : NULL;
    s->target = s->info.target ? strdup(s->info.target) : NULL;
    if (s->source && s->target)
        return;
    free(s->source);
    free(s->target);
    s->source = s->target = NULL;
    if (split_name(s->name, &s->source, &s->target))
        return;
    snprintf(text, sizeof text,
             "%.200s: its languages are unknown, so it can be selected only as model %.200s; "
             "set them with attend convert",
             s->path, s->name);
    host->note(host->context, text);
}

/* ---- Loading ---- */

static enum attend_status load_glossary(struct served *s, const char *path,
                                        struct attend_error *err)
{
    if (!path || !*path)
        return ATTEND_OK;
    const enum attend_status status = attend_glossary_load(&s->glossary, path, err);
    return status ? status : attend_glossary_check(s->glossary, s->model, err);
}

/* What the settings say of one model. */
struct entry {
    const char *path, *name, *glossary; /* name, glossary: or NULL */
    size_t limit;                       /* bytes of memory of all models */
};

/* Without a loader the weights are loaded too. */
static enum attend_status load_model(struct served *s, const struct catalog_host *host,
                                     size_t limit, struct attend_error *err)
{
    s->load.home = host->loader;
    if (!host->loader) {
        const enum attend_status status = attend_model_load_copy(&s->model, s->path, err);
        s->load.model = s->model;
        return status;
    }
    enum attend_status status = loader_identify(&s->load.file, s->path, err);
    if (!status)
        status = attend_model_load_outline(&s->model, s->path, err);
    if (status)
        return status;
    s->load.weights = attend_model_info(s->model).memory;
    return s->load.weights <= limit
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE,
                           "%s: its weights take %zu bytes of memory, and `memory_limit` is %zu",
                           s->path, s->load.weights, limit);
}

static enum attend_status load_one(struct served **out, const struct entry *entry,
                                   const struct catalog_host *host, struct attend_error *err)
{
    const char *path = entry->path, *name = entry->name;
    struct served *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    atomic_init(&s->holders, 1);
    s->name = name ? strdup(name) : name_of(path);
    s->path = strdup(path);
    enum attend_status status = s->name && s->path
                                    ? load_model(s, host, entry->limit, err)
                                    : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    if (!status)
        s->info = attend_model_info(s->model);
    s->writes = !status && attend_model_writes(s->model);
    s->speaks = !status && !s->info.frames && !s->writes;
    if (s->speaks)
        status = load_glossary(s, entry->glossary, err);
    if (status) {
        served_release(s);
        return status;
    }
    s->core = s;
    if (s->speaks)
        take_languages(s, host);
    *out = s;
    return ATTEND_OK;
}

/* ---- Views ---- */

static struct served *view_new(struct served *core, const struct attend_direction *pair)
{
    struct served *s = calloc(1, sizeof *s);
    const size_t room = strlen(core->name) + strlen(pair->from) + strlen(pair->to) + 3;
    if (!s)
        return NULL;
    atomic_init(&s->holders, 1);
    s->core = served_hold(core);
    s->model = core->model;
    s->info = core->info;
    s->speaks = core->speaks;
    s->glossary = core->glossary;
    s->name = malloc(room);
    s->path = strdup(core->path);
    s->source = strdup(pair->from);
    s->target = strdup(pair->to);
    if (s->name)
        snprintf(s->name, room, "%s:%s-%s", core->name, pair->from, pair->to);
    if (s->name && s->path && s->source && s->target)
        return s;
    served_release(s);
    return NULL;
}

/* Append `count` entries for a model: itself, or a view for each of its pairs. */
static bool add_items(struct catalog *c, struct served *core, const struct attend_direction *pair,
                      int count)
{
    struct served **more =
        realloc(c->item, ((size_t)c->count + (size_t)count) * sizeof(struct served *));
    if (!more)
        return false;
    c->item = more;
    for (int i = 0; i < count; i++) {
        struct served *s = count > 1 ? view_new(core, &pair[i]) : served_hold(core);
        if (!s)
            return false;
        c->item[c->count++] = s;
    }
    return true;
}

static enum attend_status offer(struct catalog *c, struct served *core, struct attend_error *err)
{
    const int pairs = attend_model_pairs(core->model, NULL, 0);
    struct attend_direction *pair = calloc((size_t)pairs + 1, sizeof *pair);
    if (pair)
        attend_model_pairs(core->model, pair, pairs);
    const bool good = pair && add_items(c, core, pair, pairs > 1 ? pairs : 1);
    free(pair);
    return good ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for models");
}

/* The model that an old catalog has for an entry; NULL: none. */
static struct served *served_before(const struct catalog *old, const struct entry *entry)
{
    for (int i = 0; old && i < old->cores; i++) {
        struct served *s = old->core[i];
        if (strcmp(s->path, entry->path) == 0 &&
            (!entry->name || strcmp(s->name, entry->name) == 0))
            return s;
    }
    return NULL;
}

/* Load model i, or keep the old one if that fails. */
static enum attend_status load_or_keep(struct catalog *c, int i, const struct catalog *old,
                                       const struct entry *entry, const struct catalog_host *host,
                                       struct attend_error *err)
{
    char text[sizeof err->message + 64];
    enum attend_status status = load_one(&c->core[i], entry, host, err);
    struct served *before = status ? served_before(old, entry) : NULL;
    if (status && !before)
        return status;
    if (status) {
        snprintf(text, sizeof text, "%s; keeping the model that was loaded before", err->message);
        host->note(host->context, text);
        c->core[i] = served_hold(before);
        c->kept++;
    }
    c->models[i] = c->core[i]->model;
    c->cores = i + 1;
    for (int k = 0; k < i; k++)
        if (strcmp(c->core[k]->name, c->core[i]->name) == 0)
            return error_set(
                err, ATTEND_USAGE,
                "%s: a model named %s is already served; give this one another name with `name`",
                entry->path, c->core[i]->name);
    return offer(c, c->core[i], err);
}

/* ---- Languages ---- */

static bool same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

static void add_language(struct catalog *c, const char *code)
{
    for (int i = 0; i < c->languages; i++)
        if (same(c->language[i], code))
            return;
    if (code)
        c->language[c->languages++] = code;
}

static enum attend_status list_languages(struct catalog *c, struct attend_error *err)
{
    c->language = calloc(2 * (size_t)c->count + 1, sizeof(const char *));
    if (!c->language)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for languages");
    for (int i = 0; i < c->count; i++) {
        add_language(c, c->item[i]->source);
        add_language(c, c->item[i]->target);
    }
    return ATTEND_OK;
}

static int length_of(const char *const *list)
{
    int count = 0;
    while (list && list[count])
        count++;
    return count;
}

static enum attend_status load_all(struct catalog *c, const struct catalog *old,
                                   const struct attend_serve_options *options,
                                   const struct catalog_host *host, struct attend_error *err)
{
    const char *const *path = options->models;
    const char *const *name = options->names;
    const char *const *glossary = options->glossaries;
    const int count = length_of(path), names = length_of(name), glossaries = length_of(glossary);
    if (count == 0)
        return error_set(err, ATTEND_USAGE, "`model` is missing: give a model file to serve");
    if (names > count)
        return error_set(err, ATTEND_USAGE, "`name` is given more often than `model`");
    if (glossaries > 1 && glossaries != count)
        return error_set(err, ATTEND_USAGE,
                         "`glossary` is given %d times for %d models; give it once for all models "
                         "or once for each",
                         glossaries, count);
    c->core = calloc((size_t)count, sizeof(struct served *));
    c->models = calloc((size_t)count, sizeof(const struct attend_model *));
    enum attend_status status = c->core && c->models
                                    ? ATTEND_OK
                                    : error_set(err, ATTEND_NO_MEMORY, "out of memory for models");
    if (!status && options->masks)
        status = attend_masks_parse(&c->masks, options->masks, err);
    for (int i = 0; i < count && !status; i++) {
        const struct entry entry = {path[i], i < names ? name[i] : NULL,
                                    glossaries ? glossary[glossaries > 1 ? i : 0] : NULL,
                                    options->memory_limit};
        status = load_or_keep(c, i, old, &entry, host, err);
    }
    return status ? status : list_languages(c, err);
}

enum attend_status catalog_reload(struct catalog **out, const struct catalog *old,
                                  const struct attend_serve_options *options,
                                  const struct catalog_host *host, struct attend_error *err)
{
    struct catalog *c = calloc(1, sizeof *c);
    if (!c)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for models");
    atomic_init(&c->holders, 1);
    const enum attend_status status = load_all(c, old, options, host, err);
    if (status)
        catalog_release(c);
    else
        *out = c;
    return status;
}

enum attend_status catalog_load(struct catalog **out, const struct attend_serve_options *options,
                                const struct catalog_host *host, struct attend_error *err)
{
    return catalog_reload(out, NULL, options, host, err);
}

/* ---- Finding ---- */

struct served *catalog_find(const struct catalog *c, const char *name)
{
    for (int i = 0; i < c->count; i++)
        if (same(c->item[i]->name, name))
            return c->item[i];
    return NULL;
}

struct served *catalog_find_view(const struct catalog *c, const char *name, const char *source,
                                 const char *target, bool *several)
{
    struct served *found = NULL;
    int count = 0;
    for (int i = 0; i < c->count; i++) {
        struct served *s = c->item[i];
        if (!served_is_view(s) || !same(s->core->name, name) ||
            (source && !same(s->source, source)) || (target && !same(s->target, target)))
            continue;
        found = s;
        count++;
    }
    *several = count > 1;
    return count == 1 ? found : NULL;
}

struct served *catalog_find_pair(const struct catalog *c, const char *source, const char *target)
{
    for (int i = 0; i < c->count; i++)
        if (same(c->item[i]->source, source) && (!target || same(c->item[i]->target, target)))
            return c->item[i];
    return NULL;
}

bool catalog_speaks(const struct catalog *c, const char *language)
{
    for (int i = 0; i < c->languages; i++)
        if (same(c->language[i], language))
            return true;
    return false;
}

const char *catalog_language(const struct catalog *c, int i)
{
    return i < c->languages ? c->language[i] : NULL;
}
