#include "report/translation_text.h"

#include "attend/translate.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "metric/links.h"

#include <math.h>

/* ---- Shared parts ---- */

/* Append words separated by spaces. A blank inside a word becomes U+2581, so that the number of
 * words stays. */
static void add_words(struct strbuf *out, char *const *word, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            strbuf_addc(out, ' ');
        for (const char *c = word[i]; *c; c++)
            if (*c == ' ' || *c == '\t')
                strbuf_adds(out, "\xE2\x96\x81");
            else
                strbuf_addc(out, *c);
    }
}

/* Append the target words without </s>. */
static void add_target(struct strbuf *out, const struct attend_translation *t)
{
    add_words(out, t->target, t->target_count - (t->target_count && t->complete));
}

/* The links of a hypothesis of `whole`. */
static void add_links(struct strbuf *out, const struct attend_translation *t,
                      const struct attend_translation *whole)
{
    struct links links = {0};
    const int targets = t->attention ? t->target_count - t->complete : 0;
    if (links_from_weights(&links, t->attention, targets, whole->source_count, whole->tags,
                           !whole->frames, NULL))
        out->failed = true;
    links_print(&links, out);
    links_release(&links);
}

static void add_text(struct strbuf *out, const struct attend_translation *t, int parts)
{
    if (parts & ATTEND_LINE_PIECES)
        add_target(out, t);
    else
        strbuf_adds(out, t->text);
}

/* Append `word=probability` for each word, </s> included, so that their product is the whole. */
static void add_probabilities(struct strbuf *out, const struct attend_translation *t)
{
    for (int i = 0; t->token_score && i < t->target_count; i++) {
        strbuf_adds(out, i ? " " : "");
        add_words(out, &t->target[i], 1);
        strbuf_addf(out, "=%.4g", exp((double)t->token_score[i]));
    }
}

/* Hypothesis i: 0 is the translation itself. */
static const struct attend_translation *hypothesis(const struct attend_translation *t, int i)
{
    return i ? &t->other[i - 1] : t;
}

/* ---- Lines ---- */

char *attend_translation_pieces(const struct attend_translation *t)
{
    struct strbuf out = {0};
    add_target(&out, t);
    return strbuf_detach(&out);
}

char *attend_translation_line(const struct attend_translation *t, int parts)
{
    struct strbuf out = {0};
    add_text(&out, t, parts);
    if (parts & ATTEND_LINE_SCORES)
        strbuf_addf(&out, "\t%.6f\t%.6f", t->score, t->log_probability);
    if (parts & ATTEND_LINE_PROBABILITIES) {
        strbuf_addf(&out, "\t%.4g\t%.4g\t", exp(t->log_probability), (double)t->confidence);
        add_probabilities(&out, t);
    }
    if (parts & ATTEND_LINE_LINKS) {
        strbuf_adds(&out, " ||| ");
        add_links(&out, t, t);
    }
    return strbuf_detach(&out);
}

char *attend_translation_nbest(const struct attend_translation *t, long id, int parts)
{
    struct strbuf out = {0};
    for (int i = 0; i <= t->others; i++) {
        const struct attend_translation *h = hypothesis(t, i);
        strbuf_addf(&out, "%ld ||| ", id);
        add_text(&out, h, parts);
        strbuf_addf(&out, " ||| logprob= %.6f length= %d", h->log_probability, h->target_count);
        if (parts & ATTEND_LINE_PROBABILITIES)
            strbuf_addf(&out, " probability= %.4g confidence= %.4g share= %.4g",
                        exp(h->log_probability), (double)h->confidence, (double)h->share);
        strbuf_addf(&out, " ||| %.6f", h->score);
        if (parts & ATTEND_LINE_PROBABILITIES) {
            strbuf_adds(&out, " ||| ");
            add_probabilities(&out, h);
        }
        if (parts & ATTEND_LINE_LINKS) {
            strbuf_adds(&out, " ||| ");
            add_links(&out, h, t);
        }
        strbuf_addc(&out, '\n');
    }
    return strbuf_detach(&out);
}

/* ---- JSON ---- */

static void put_probabilities(struct json_writer *w, const struct attend_translation *t)
{
    json_put_number(w, "share", (double)t->share, 7);
    json_begin_array(w, "token_probabilities");
    for (int i = 0; t->token_score && i < t->target_count; i++)
        json_put_number(w, NULL, exp((double)t->token_score[i]), 7);
    json_end(w);
}

/* The members that every hypothesis has. */
static void put_hypothesis(struct json_writer *w, const struct attend_translation *t,
                           int source_count, int parts)
{
    json_put_texts(w, "target", (const char *const *)t->target, t->target_count);
    json_put_text(w, "text", t->text);
    json_put_matrix(w, "attention", t->attention, t->target_count, source_count);
    json_put_number(w, "score", t->score, 9);
    json_put_number(w, "log_probability", t->log_probability, 9);
    json_put_floats(w, "token_scores", t->token_score, t->target_count);
    json_put_number(w, "probability", exp(t->log_probability), 9);
    json_put_number(w, "confidence", (double)t->confidence, 7);
    if (parts & ATTEND_LINE_PROBABILITIES)
        put_probabilities(w, t);
    if (t->copied)
        json_put_floats(w, "copied", t->copied, t->target_count);
}

static void put_unknown(struct json_writer *w, const struct attend_translation *t)
{
    if (t->unknowns)
        json_begin_array(w, "unknown");
    for (int i = 0; i < t->unknowns; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "text", t->unknown[i].text);
        json_put_whole(w, "start", t->unknown[i].start);
        json_put_whole(w, "end", t->unknown[i].end);
        json_end(w);
    }
    if (t->unknowns)
        json_end(w);
}

static void put_members(struct json_writer *w, const struct attend_translation *t, int parts)
{
    json_put_texts(w, "source", (const char *const *)t->source, t->source_count);
    if (t->tags)
        json_put_whole(w, "tags", t->tags);
    put_hypothesis(w, t, t->source_count, parts);
    put_unknown(w, t);
    if (t->others)
        json_begin_array(w, "alternatives");
    for (int i = 0; i < t->others; i++) {
        json_begin_object(w, NULL);
        put_hypothesis(w, &t->other[i], t->source_count, parts);
        json_end(w);
    }
    if (t->others)
        json_end(w);
}

void translation_put_members(struct json_writer *w, const struct attend_translation *t)
{
    put_members(w, t, 0);
}

char *attend_translation_json(const struct attend_translation *t)
{
    return attend_translation_json_parts(t, 0);
}

char *attend_translation_json_parts(const struct attend_translation *t, int parts)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    put_members(&w, t, parts);
    json_end(&w);
    return strbuf_detach(&out);
}

char *attend_translation_members(const struct attend_translation *t)
{
    struct strbuf out = {0};
    translation_put_members(&(struct json_writer){.out = &out}, t);
    return strbuf_detach(&out);
}

/* ---- Matrices in the format of Nematus ---- */

char *attend_translation_matrix(const struct attend_translation *t, long id)
{
    struct strbuf out = {0};
    const int S = t->source_count;
    for (int n = 0; n <= t->others; n++) {
        const struct attend_translation *h = hypothesis(t, n);
        strbuf_addf(&out, "%ld ||| ", id);
        add_target(&out, h);
        strbuf_addf(&out, " ||| %.6f ||| ", h->score);
        add_words(&out, t->source, S ? S - !t->frames : 0);
        strbuf_addf(&out, " ||| %d %d\n", S, h->target_count);
        for (int i = 0; h->attention && i < h->target_count * S; i++)
            strbuf_addf(&out, "%.7g%c", (double)h->attention[i], i % S == S - 1 ? '\n' : ' ');
        strbuf_addc(&out, '\n');
    }
    return strbuf_detach(&out);
}
