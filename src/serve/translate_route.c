/* POST /translate, as LibreTranslate has it. */
#include "serve/routes.h"

#include "serve/detection.h"
#include "serve/language_names.h"
#include "serve/pieces.h"
#include "serve/work.h"

#include <stdlib.h>
#include <string.h>

/* A text of the request. */
struct item {
    const char *text; /* the params' while it is begun */
    struct pieces pieces;
    const char *language;  /* its source's code, as it was found or given; of the catalog */
    double confidence;     /* 0 to 100 */
    struct served *served; /* NULL: it is in the target's language already */
    struct text_job *job;  /* whose lines from `first` on are the pieces that ask */
    int first;
};

struct translate_work {
    struct item *item; /* (count) */
    int count;
    bool list, html;
    int alternatives;
    const char *target;          /* code; of the catalog; NULL: a model was named */
    struct detection *detection; /* of the source's languages; NULL: one was given */
    bool detected;               /* it is done, and what follows from it was begun */
    struct text_job **job;       /* (jobs) one for each model */
    int jobs;
};

static void free_work(void *context)
{
    struct translate_work *w = context;
    for (int i = 0; w->item && i < w->count; i++)
        pieces_release(&w->item[i].pieces);
    for (int i = 0; i < w->jobs; i++)
        text_job_free(w->job[i]);
    detection_free(w->detection);
    free(w->job);
    free(w->item);
    free(w);
}

static bool no_memory(struct exchange *e)
{
    exchange_error(e, 500, "Cannot translate text: out of memory");
    return false;
}

/* ---- What is asked for ---- */

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
        if (!routes_check_text(e, w->item[i].text))
            return false;
    }
    return true;
}

static bool take_format(struct exchange *e, struct translate_work *w, const struct params *p)
{
    const char *format = params_text(p, "format");
    w->html = format && strcmp(format, "html") == 0;
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

/* The catalog's own text of a code; NULL when it does not know it. */
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

/* Whose texts are which is found out later when the source is `auto`. */
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
    struct served *served = routes_model(e, p);
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
        (w->html ? pieces_cut_html : pieces_cut_text)(&item->pieces, item->text);
        if (item->pieces.failed)
            return no_memory(e);
        lines += item->pieces.asking;
    }
    if (lines > e->server->limits.lines) {
        exchange_error(e, 400, "Invalid request: request (%ld) exceeds text limit (%d)", lines,
                       e->server->limits.lines);
        return false;
    }
    e->lines = lines;
    return true;
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
        for (int k = 0; k < item->pieces.count; k++)
            if (item->pieces.item[k].asks) {
                job->line[at++] = item->pieces.item[k].text;
                item->pieces.item[k].text = NULL; /* the job's now */
            }
    }
}

static int lines_for(const struct translate_work *w, const struct served *served)
{
    int lines = 0;
    for (int i = 0; i < w->count; i++)
        lines += w->item[i].served == served ? w->item[i].pieces.asking : 0;
    return lines;
}

static struct attend_search search_for(const struct exchange *e, int alternatives)
{
    const int beam = (int)attend_options_number(e->server->options, "beam");
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
    }
    return true;
}

static void answer(struct exchange *);

static void begin_jobs(struct exchange *e, struct translate_work *w)
{
    if (make_jobs(e, w) && w->jobs == 0)
        answer(e); /* nothing to translate */
}

static bool is_missing(struct exchange *e, const struct params *p, const char *name)
{
    if (params_given(p, name))
        return false;
    exchange_error(e, 400, "Invalid request: missing %s parameter", name);
    return true;
}

void translate_begin(struct exchange *e, const struct params *p)
{
    const bool named = params_given(p, "model");
    if (is_missing(e, p, "q") ||
        (!named && (is_missing(e, p, "source") || is_missing(e, p, "target"))))
        return;
    if (!named && (!params_text(p, "source") || !params_text(p, "target"))) {
        exchange_error(e, 400, "Invalid request: source and target parameters are texts");
        return;
    }
    struct translate_work *w = calloc(1, sizeof *w);
    if (!w) {
        no_memory(e);
        return;
    }
    e->work = w;
    e->free_work = free_work;
    if (take_texts(e, w, p) && (named ? use_named : find_models)(e, w, p) && take_format(e, w, p) &&
        cut_texts(e, w) && !w->detection)
        begin_jobs(e, w);
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

/* ---- The answer ---- */

static const char *choose(const struct attend_translation *t, int rank)
{
    return rank == 0 || t->others == 0
               ? t->text
               : t->other[rank <= t->others ? rank - 1 : t->others - 1].text;
}

/* The text with its pieces translated; rank 0 is the best. */
static void add_item(struct strbuf *out, const struct translate_work *w, const struct item *item,
                     int rank)
{
    struct strbuf text = {0};
    int line = item->first;
    for (int k = 0; k < item->pieces.count; k++) {
        const struct piece *piece = &item->pieces.item[k];
        const bool translated = piece->asks && item->job;
        const char *now = translated ? choose(&item->job->result[line++], rank) : piece->text;
        if (piece->asks && w->html)
            pieces_escape_html(&text, now);
        else
            strbuf_adds(&text, now);
    }
    out->failed = out->failed || text.failed;
    json_add_text(out, text.text ? text.text : "");
    strbuf_release(&text);
}

/* How many there are of the line that has most. */
static int alternatives_of(const struct translate_work *w, const struct item *item)
{
    int most = 0;
    for (int k = 0; item->job && k < item->pieces.asking; k++) {
        const int others = item->job->result[item->first + k].others;
        most = others > most ? others : most;
    }
    return most < w->alternatives ? most : w->alternatives;
}

static void add_texts(struct strbuf *out, const struct translate_work *w, const struct item *item)
{
    add_item(out, w, item, 0);
}

static void add_alternatives(struct strbuf *out, const struct translate_work *w,
                             const struct item *item)
{
    const int count = alternatives_of(w, item);
    strbuf_addc(out, '[');
    for (int rank = 1; rank <= count; rank++) {
        strbuf_adds(out, rank > 1 ? "," : "");
        add_item(out, w, item, rank);
    }
    strbuf_addc(out, ']');
}

static void add_language(struct strbuf *out, const struct translate_work *w,
                         const struct item *item)
{
    (void)w;
    strbuf_addf(out, "{\"confidence\":%.1f,\"language\":", item->confidence);
    json_add_text(out, item->language);
    strbuf_addc(out, '}');
}

/* A member that is a list when the texts were one. */
static void add_member(struct strbuf *out, const struct translate_work *w, const char *name,
                       void (*add)(struct strbuf *, const struct translate_work *,
                                   const struct item *))
{
    strbuf_addf(out, "\"%s\":%s", name, w->list ? "[" : "");
    for (int i = 0; i < w->count; i++) {
        strbuf_adds(out, i ? "," : "");
        add(out, w, &w->item[i]);
    }
    strbuf_adds(out, w->list ? "]" : "");
}

static void answer(struct exchange *e)
{
    const struct translate_work *w = e->work;
    struct strbuf out = {0};
    for (int i = 0; i < w->jobs; i++)
        if (work_failed(e, &w->job[i]->job))
            return;
    strbuf_addc(&out, '{');
    if (w->alternatives > 0) {
        add_member(&out, w, "alternatives", add_alternatives);
        strbuf_addc(&out, ',');
    }
    if (w->detection) {
        add_member(&out, w, "detectedLanguage", add_language);
        strbuf_addc(&out, ',');
    }
    add_member(&out, w, "translatedText", add_texts);
    strbuf_addc(&out, '}');
    exchange_json(e, 200, &out);
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
        answer(e);
        return;
    }
    w->detected = true;
    take_guesses(e, w);
}
