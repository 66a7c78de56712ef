/* POST /translate, compatible with LibreTranslate. */
#include "serve/routes.h"

#include "serve/detection.h"
#include "serve/language_names.h"
#include "serve/terms.h"
#include "serve/translate_work.h"
#include "serve/upload.h"
#include "serve/work.h"

#include <stdlib.h>
#include <string.h>

static void free_work(void *context)
{
    struct translate_work *w = context;
    for (int i = 0; w->item && i < w->count; i++)
        segments_release(&w->item[i].segments);
    for (int i = 0; i < w->jobs; i++)
        text_job_free(w->job[i]);
    detection_free(w->detection);
    attend_glossary_free(w->glossary);
    free(w->job);
    free(w->item);
    free(w);
}

static bool no_memory(struct exchange *e)
{
    exchange_error(e, 500, "Cannot translate text: out of memory");
    return false;
}

/* ---- Parameters ---- */

static bool take_texts(struct exchange *e, struct translate_work *w, const struct params *p)
{
    const struct json *list = params_value(p, "q");
    const char *text = params_text(p, "q");
    w->list = !text && json_length(list) > 0;
    w->count = w->list ? json_length(list) : 1;
    if (w->count > e->server->limits.lines) {
        exchange_error(e, 400, "Invalid request: request (%d) exceeds text limit (%d)", w->count,
                       e->server->limits.lines);
        return false;
    }
    w->item = calloc((size_t)w->count, sizeof *w->item);
    if (!w->item)
        return no_memory(e);
    for (int i = 0; i < w->count; i++) {
        w->item[i].text = w->list ? json_text(json_at(list, i)) : text;
        if (!w->item[i].text) {
            exchange_error(e, 400, "Invalid request: q parameter is not a text or a list of texts");
            return false;
        }
        if (!(w->split ? routes_check_all : routes_check_text)(e, w->item[i].text))
            return false;
    }
    return true;
}

static bool take_format(struct exchange *e, struct translate_work *w, const struct params *p)
{
    const char *format = params_text(p, "format");
    w->html = format && strcmp(format, "html") == 0;
    w->confidence = params_flag(p, "confidence");
    if (format && !w->html && strcmp(format, "text") != 0) {
        exchange_error(e, 400, "%s format is not supported", format);
        return false;
    }
    if (!params_whole(p, "alternatives", 0, &w->alternatives)) {
        exchange_error(e, 400, "Invalid request: alternatives parameter is not a number");
        return false;
    }
    if (w->alternatives < 0 || w->alternatives > e->server->limits.alternatives) {
        exchange_error(e, 400, "Invalid request: alternatives parameter must be <= %d",
                       e->server->limits.alternatives);
        return false;
    }
    return true;
}

/* ---- Languages and models ---- */

/* The catalog's copy of a language code; NULL if no model has it. */
static const char *known(const struct catalog *c, const char *code)
{
    const char *language;
    for (int i = 0; (language = catalog_language(c, i)); i++)
        if (strcmp(language, code) == 0)
            return language;
    return NULL;
}

static bool find_pair(struct exchange *e, struct item *item, const char *target)
{
    if (strcmp(item->language, target) == 0)
        return true;
    item->served = catalog_find_pair(e->catalog, item->language, target);
    if (!item->served)
        exchange_error(e, 400, "%s (%s) is not available as a target language from %s (%s)",
                       language_name(target), target, language_name(item->language),
                       item->language);
    return item->served;
}

static bool find_pairs(struct exchange *e, struct translate_work *w)
{
    bool good = true;
    for (int i = 0; i < w->count && good; i++)
        good = find_pair(e, &w->item[i], w->target);
    return good;
}

/* With the source `auto`, models are chosen after the languages are detected. */
static bool begin_detection(struct exchange *e, struct translate_work *w)
{
    w->detection = detection_new(e, w->count, 1);
    for (int i = 0; w->detection && i < w->count; i++)
        if (!(w->detection->text[i] = strdup(w->item[i].text)))
            return no_memory(e);
    if (!w->detection)
        return no_memory(e);
    w->detection->together = true;
    return true;
}

static bool find_models(struct exchange *e, struct translate_work *w, const struct params *p)
{
    const char *source = params_text(p, "source"), *target = params_text(p, "target");
    const bool is_auto = strcmp(source, "auto") == 0;
    const char *language = known(e->catalog, source);
    w->target = known(e->catalog, target);
    if (!w->target || !(language || is_auto)) {
        exchange_error(e, 400, "%s is not supported", language || is_auto ? target : source);
        return false;
    }
    for (int i = 0; i < w->count; i++)
        w->item[i].language = language;
    return is_auto ? begin_detection(e, w) : find_pairs(e, w);
}

static bool use_named(struct exchange *e, struct translate_work *w, const struct params *p)
{
    struct served *served = routes_model(e, p, "target");
    if (served && !routes_check_model(e, served))
        return false;
    for (int i = 0; i < w->count && served; i++)
        w->item[i].served = served;
    return served;
}

/* ---- Jobs ---- */

static bool cut_texts(struct exchange *e, struct translate_work *w)
{
    long lines = 0;
    for (int i = 0; i < w->count; i++) {
        struct item *item = &w->item[i];
        (w->html ? segments_cut_html : segments_cut_text)(&item->segments, item->text);
        if (item->segments.failed)
            return no_memory(e);
        lines += item->segments.asking;
    }
    if (lines > e->server->limits.lines) {
        exchange_error(e, 400, "Invalid request: request (%ld) exceeds text limit (%d)", lines,
                       e->server->limits.lines);
        return false;
    }
    e->lines = lines;
    return true;
}

/* Take the tags and terms of a job's lines out. */
static bool prepare_job(struct exchange *e, struct text_job *job, const struct translate_work *w)
{
    struct attend_error err;
    if (w->glossary && attend_glossary_check(w->glossary, job->served->model, &err)) {
        exchange_error(e, 400, "Invalid request: %s", err.message);
        return false;
    }
    bool good = true;
    const enum attend_tags tags = w->html ? ATTEND_TAGS_HTML : ATTEND_TAGS_NONE;
    const bool wanted = terms_wanted(e, job, tags, w->glossary);
    for (int k = 0; k < job->job.lines && wanted && good; k++)
        good = terms_prepare(e, job, k, tags, w->glossary);
    return good;
}

static void fill_job(struct text_job *job, struct translate_work *w)
{
    int at = 0;
    for (int i = 0; i < w->count; i++) {
        struct item *item = &w->item[i];
        if (item->served != job->served)
            continue;
        item->job = job;
        item->first = at;
        for (int k = 0; k < item->segments.count; k++)
            if (item->segments.item[k].asks) {
                job->line[at++] = item->segments.item[k].text;
                item->segments.item[k].text = NULL; /* now owned by the job */
            }
    }
}

static int lines_for(const struct translate_work *w, const struct served *served)
{
    int lines = 0;
    for (int i = 0; i < w->count; i++)
        lines += w->item[i].served == served ? w->item[i].segments.asking : 0;
    return lines;
}

static struct attend_search search_for(const struct exchange *e, int alternatives)
{
    const int beam = e->server->search.beam;
    if (alternatives == 0)
        return (struct attend_search){.nbest = 1};
    return (struct attend_search){.nbest = alternatives + 1,
                                  .beam = beam > alternatives ? beam : alternatives + 1};
}

static bool make_jobs(struct exchange *e, struct translate_work *w)
{
    const struct catalog *c = e->catalog;
    w->job = calloc((size_t)c->count, sizeof(struct text_job *));
    if (!w->job)
        return no_memory(e);
    for (int i = 0; i < c->count; i++) {
        const int lines = lines_for(w, c->item[i]);
        if (lines == 0)
            continue;
        struct text_job *job = text_job_new(e, c->item[i], lines, false);
        if (!job)
            return no_memory(e);
        w->job[w->jobs++] = job;
        job->search = search_for(e, w->alternatives);
        e->model = job->served->name;
        fill_job(job, w);
        job->frames = e->upload ? e->upload->frames : NULL;
        if (!job->frames && !prepare_job(e, job, w))
            return false;
    }
    return true;
}

/* Whether the sentences of a text are within the limit of a line; false after answering. */
static bool check_sentences(struct exchange *e, const struct segments *p)
{
    const int limit = e->server->limits.line;
    for (int k = 0; k < p->count; k++) {
        const long length = p->item[k].asks ? routes_characters(p->item[k].text) : 0;
        if (length > limit) {
            exchange_error(e, 400,
                           "Invalid request: a line of the request (%ld) exceeds text limit (%d)",
                           length, limit);
            return false;
        }
    }
    return true;
}

/* The model and the language of each text are known now. */
static bool split_texts(struct exchange *e, struct translate_work *w)
{
    for (int i = 0; i < w->count; i++) {
        struct item *item = &w->item[i];
        struct attend_error err;
        if (!item->served)
            continue;
        const struct attend_splitting how = {.sentences = e->server->hooks.sentences,
                                             .model = item->served->model,
                                             .language = item->language};
        if (segments_split(&item->segments, w->html, &how, &err))
            return no_memory(e);
        if (!check_sentences(e, &item->segments))
            return false;
    }
    return true;
}

static void begin_jobs(struct exchange *e, struct translate_work *w)
{
    if ((!w->split || split_texts(e, w)) && make_jobs(e, w) && w->jobs == 0)
        translate_answer(e); /* nothing to translate */
}

/* A file is a text of one line, which needs no cutting, and has no tags and no terms. */
static void begin_upload(struct exchange *e, struct translate_work *w, const struct params *p)
{
    const char *name = e->upload->name;
    w->item = calloc(1, sizeof *w->item);
    if (w->item) {
        w->count = 1;
        w->item->served = e->upload->served;
        segments_add(&w->item->segments, name, strlen(name), true);
    }
    if (!w->item || w->item->segments.failed)
        no_memory(e);
    else if (take_format(e, w, p))
        make_jobs(e, w);
}

static bool is_missing(struct exchange *e, const struct params *p, const char *name)
{
    if (params_given(p, name))
        return false;
    exchange_error(e, 400, "Invalid request: missing %s parameter", name);
    return true;
}

/* Whether the parameters of a request without a file are there; false after answering. */
static bool check_given(struct exchange *e, const struct params *p)
{
    const bool named = params_given(p, "model");
    if (is_missing(e, p, "q") ||
        (!named && (is_missing(e, p, "source") || is_missing(e, p, "target"))))
        return false;
    if (named || (params_text(p, "source") && params_text(p, "target")))
        return true;
    exchange_error(e, 400, "Invalid request: source and target parameters must be texts");
    return false;
}

static void begin_texts(struct exchange *e, struct translate_work *w, const struct params *p)
{
    const bool named = params_given(p, "model");
    w->split = routes_split(e, p);
    if (take_texts(e, w, p) && (named ? use_named : find_models)(e, w, p) && take_format(e, w, p) &&
        terms_take(&w->glossary, e, p) && cut_texts(e, w) && !w->detection)
        begin_jobs(e, w);
}

void translate_begin(struct exchange *e, const struct params *p)
{
    if (!e->upload && !check_given(e, p))
        return;
    struct translate_work *w = calloc(1, sizeof *w);
    if (!w) {
        no_memory(e);
        return;
    }
    e->work = w;
    e->free_work = free_work;
    (e->upload ? begin_upload : begin_texts)(e, w, p);
}

bool translate_submit(struct exchange *e)
{
    struct translate_work *w = e->work;
    if (w->detection && !w->detected)
        return routes_submit_detection(e, &w->detection->task.job);
    for (int i = 0; i < w->jobs; i++)
        if (!routes_submit_text(e, &w->job[i]->job))
            return false;
    return true;
}

/* ---- Between detecting and translating ---- */

static bool take_guess(struct exchange *e, struct item *item, const struct attend_guess *best,
                       int found)
{
    item->language = found ? known(e->catalog, best->language) : NULL;
    item->confidence = found ? 100 * best->confidence : 0;
    if (!item->language)
        exchange_error(e, 400, "auto is not supported");
    return item->language;
}

static void take_guesses(struct exchange *e, struct translate_work *w)
{
    const struct detection *d = w->detection;
    bool good = !work_failed(e, &d->task.job);
    for (int i = 0; i < w->count && good; i++)
        good = take_guess(e, &w->item[i], &d->guess[i], d->found[i]);
    if (good && find_pairs(e, w))
        begin_jobs(e, w);
}

void translate_finish(struct exchange *e)
{
    struct translate_work *w = e->work;
    if (!w->detection || w->detected) {
        translate_answer(e);
        return;
    }
    w->detected = true;
    take_guesses(e, w);
}
