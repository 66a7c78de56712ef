/* The answer of POST /translate. */
#include "serve/translate_work.h"

#include "base/json_writer.h"
#include "serve/exchange.h"
#include "serve/work.h"

static const char *choose(const struct attend_translation *t, int rank)
{
    return rank == 0 || t->others == 0
               ? t->text
               : t->other[rank <= t->others ? rank - 1 : t->others - 1].text;
}

/* The text with its segments translated; rank 0 is the best. */
static void put_item(struct json_writer *out, const char *name, const struct item *item, int rank)
{
    struct strbuf text = {0};
    int line = item->first;
    for (int k = 0; k < item->segments.count; k++) {
        const struct segment *segment = &item->segments.item[k];
        const bool translated = segment->asks && item->job;
        strbuf_adds(&text, translated ? choose(&item->job->result[line++], rank) : segment->text);
    }
    out->out->failed = out->out->failed || text.failed;
    json_put_text(out, name, text.text ? text.text : "");
    strbuf_release(&text);
}

/* The number of alternatives of the line that has most. */
static int alternatives_of(const struct translate_work *w, const struct item *item)
{
    int most = 0;
    for (int k = 0; item->job && k < item->segments.asking; k++) {
        const int others = item->job->result[item->first + k].others;
        most = others > most ? others : most;
    }
    return most < w->alternatives ? most : w->alternatives;
}

static void put_text(struct json_writer *out, const struct translate_work *w, const char *name,
                     const struct item *item)
{
    (void)w;
    put_item(out, name, item, 0);
}

static void put_alternatives(struct json_writer *out, const struct translate_work *w,
                             const char *name, const struct item *item)
{
    const int count = alternatives_of(w, item);
    json_begin_array(out, name);
    for (int rank = 1; rank <= count; rank++)
        put_item(out, NULL, item, rank);
    json_end(out);
}

/* How probable it is that all segments of a text are right. */
static void put_confidence(struct json_writer *out, const struct translate_work *w,
                           const char *name, const struct item *item)
{
    (void)w;
    double confidence = 1;
    for (int k = 0; item->job && k < item->segments.asking; k++)
        confidence *= (double)item->job->result[item->first + k].confidence;
    json_put_number(out, name, confidence, 4);
}

/* Confidence is shown when it is asked for, or when all models that answer are calibrated. */
static bool shows_confidence(const struct translate_work *w)
{
    bool calibrated = w->jobs > 0;
    for (int i = 0; i < w->jobs; i++)
        calibrated = calibrated && w->job[i]->served->info.calibrated;
    return w->confidence || calibrated;
}

static void put_language(struct json_writer *out, const struct translate_work *w, const char *name,
                         const struct item *item)
{
    (void)w;
    json_begin_object(out, name);
    json_put_fixed(out, "confidence", item->confidence, 1);
    json_put_text(out, "language", item->language);
    json_end(out);
}

/* Whether any text has parts that the models do not know. */
static bool has_unknown(const struct translate_work *w)
{
    for (int i = 0; i < w->jobs; i++)
        for (int k = 0; k < w->job[i]->job.lines; k++)
            if (w->job[i]->result[k].unknowns)
                return true;
    return false;
}

/* What the model does not know of a text, at its position in the text as it was given. Once tags or
 * terms were taken out, positions are no longer known. */
static void put_unknown(struct json_writer *out, const struct translate_work *w, const char *name,
                        const struct item *item)
{
    (void)w;
    int line = item->first;
    json_begin_array(out, name);
    for (int k = 0; item->job && k < item->segments.count; k++) {
        const struct segment *segment = &item->segments.item[k];
        const struct attend_translation *t = segment->asks ? &item->job->result[line++] : NULL;
        for (int i = 0; t && i < t->unknowns; i++) {
            json_begin_object(out, NULL);
            json_put_text(out, "text", t->unknown[i].text);
            if (!item->job->markup) {
                json_put_whole(out, "start", segment->start + t->unknown[i].start);
                json_put_whole(out, "end", segment->start + t->unknown[i].end);
            }
            json_end(out);
        }
    }
    json_end(out);
}

/* A member of the answer: a list if the request had a list of texts. */
static void put_member(struct json_writer *out, const struct translate_work *w, const char *name,
                       void (*put)(struct json_writer *, const struct translate_work *,
                                   const char *name, const struct item *))
{
    if (w->list)
        json_begin_array(out, name);
    for (int i = 0; i < w->count; i++)
        put(out, w, w->list ? NULL : name, &w->item[i]);
    if (w->list)
        json_end(out);
}

void translate_answer(struct exchange *e)
{
    const struct translate_work *w = e->work;
    struct strbuf text = {0};
    struct json_writer out = {.out = &text};
    for (int i = 0; i < w->jobs; i++)
        if (work_failed(e, &w->job[i]->job))
            return;
    json_begin_object(&out, NULL);
    if (w->alternatives > 0)
        put_member(&out, w, "alternatives", put_alternatives);
    if (shows_confidence(w))
        put_member(&out, w, "confidence", put_confidence);
    if (w->detection)
        put_member(&out, w, "detectedLanguage", put_language);
    put_member(&out, w, "translatedText", put_text);
    if (has_unknown(w))
        put_member(&out, w, "unknown", put_unknown);
    json_end(&out);
    exchange_json(e, 200, strbuf_detach(&text));
}
