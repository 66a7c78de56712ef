#include "serve/catalog.h"

#include "base/error.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Holding ---- */

struct served *served_hold(struct served *s)
{
    atomic_fetch_add(&s->holders, 1);
    return s;
}

void served_release(struct served *s)
{
    if (!s || atomic_fetch_sub(&s->holders, 1) > 1)
        return;
    attend_translator_free(s->translator);
    attend_translator_free(s->explainer);
    attend_model_free(s->model);
    free(s->name);
    free(s->path);
    free(s->source);
    free(s->target);
    free(s);
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
    free(c->item);
    free(c->models);
    free(c);
}

/* ---- Names and languages ---- */

/* A file's name without folder and ending. */
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

/* The two halves of a name such as en-de; false when it is another. */
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

static void take_languages(struct served *s, const struct catalog_notes *notes)
{
    char text[640];
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
             "%.200s: its languages are not known, so that it answers to the model name %.200s "
             "only; attend convert --source-lang --target-lang tells them",
             s->path, s->name);
    notes->note(notes->context, text);
}

/* ---- Loading ---- */

static enum attend_status load_one(struct served **out, const char *path, const char *name,
                                   const struct catalog_notes *notes, struct attend_error *err)
{
    struct served *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    atomic_init(&s->holders, 1);
    s->name = name ? strdup(name) : name_of(path);
    s->path = strdup(path);
    enum attend_status status = s->name && s->path
                                    ? attend_model_load_copy(&s->model, path, err)
                                    : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    if (status) {
        served_release(s);
        return status;
    }
    s->info = attend_model_info(s->model);
    take_languages(s, notes);
    *out = s;
    return ATTEND_OK;
}

/* Model i, or the old one in its place. */
static enum attend_status load_or_keep(struct catalog *c, int i, const struct catalog *old,
                                       const char *path, const char *name,
                                       const struct catalog_notes *notes, struct attend_error *err)
{
    char text[sizeof err->message + 64];
    enum attend_status status = load_one(&c->item[i], path, name, notes, err);
    if (status && !old)
        return status;
    if (status) {
        snprintf(text, sizeof text, "%s; the model that was loaded before stays", err->message);
        notes->note(notes->context, text);
        c->item[i] = served_hold(old->item[i]);
    }
    c->models[i] = c->item[i]->model;
    c->count = i + 1;
    if (catalog_find(c, c->item[i]->name) != c->item[i])
        return error_set(err, ATTEND_USAGE,
                         "%s: there is a model of the name %s already; give another with --name",
                         path, c->item[i]->name);
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
                                   const struct attend_options *options,
                                   const struct catalog_notes *notes, struct attend_error *err)
{
    const char *const *path = attend_options_list(options, "model");
    const char *const *name = attend_options_list(options, "name");
    const int count = length_of(path), names = length_of(name);
    if (count == 0)
        return error_set(err, ATTEND_USAGE, "--model is needed; see attend serve --help");
    if (names > count)
        return error_set(err, ATTEND_USAGE, "there are more --name than --model");
    c->item = calloc((size_t)count, sizeof(struct served *));
    c->models = calloc((size_t)count, sizeof(const struct attend_model *));
    enum attend_status status = c->item && c->models
                                    ? ATTEND_OK
                                    : error_set(err, ATTEND_NO_MEMORY, "out of memory for models");
    for (int i = 0; i < count && !status; i++)
        status = load_or_keep(c, i, old, path[i], i < names ? name[i] : NULL, notes, err);
    return status;
}

enum attend_status catalog_reload(struct catalog **out, const struct catalog *old,
                                  const struct attend_options *options,
                                  const struct catalog_notes *notes, struct attend_error *err)
{
    struct catalog *c = calloc(1, sizeof *c);
    if (!c)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for models");
    atomic_init(&c->holders, 1);
    const enum attend_status status = load_all(c, old, options, notes, err);
    if (status)
        catalog_release(c);
    else
        *out = c;
    return status;
}

enum attend_status catalog_load(struct catalog **out, const struct attend_options *options,
                                const struct catalog_notes *notes, struct attend_error *err)
{
    return catalog_reload(out, NULL, options, notes, err);
}

/* ---- Finding ---- */

static bool same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

struct served *catalog_find(const struct catalog *c, const char *name)
{
    for (int i = 0; i < c->count; i++)
        if (same(c->item[i]->name, name))
            return c->item[i];
    return NULL;
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
    for (int i = 0; i < c->count; i++)
        if (same(c->item[i]->source, language) || same(c->item[i]->target, language))
            return true;
    return false;
}

/* Language k of the 2 count that there are with repetitions. */
static const char *mention(const struct catalog *c, int k)
{
    const struct served *s = c->item[k / 2];
    return k % 2 ? s->target : s->source;
}

static bool is_first_mention(const struct catalog *c, int k)
{
    for (int before = 0; before < k; before++)
        if (same(mention(c, before), mention(c, k)))
            return false;
    return mention(c, k);
}

const char *catalog_language(const struct catalog *c, int i)
{
    for (int k = 0; k < 2 * c->count; k++)
        if (is_first_mention(c, k) && i-- == 0)
            return mention(c, k);
    return NULL;
}
