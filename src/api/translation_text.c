/* A translation as text: lines, n-best lists, JSON, matrices. */
#include "attend/translate.h"
#include "base/json.h"
#include "base/strbuf.h"

/* ---- Parts of several forms ---- */

/* Words with spaces between; a blank in a word is U+2581, so that there are as many. */
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

/* Without its </s>. */
static void add_target(struct strbuf *out, const struct attend_translation *t)
{
    add_words(out, t->target, t->target_count - (t->target_count && t->complete));
}

static void add_links(struct strbuf *out, const struct attend_translation *t, int source_count)
{
    const size_t before = out->length;
    for (int i = 0; t->attention && i < t->target_count - t->complete; i++) {
        const float *row = t->attention + (size_t)i * (size_t)source_count;
        int most = 0;
        for (int j = 1; j < source_count; j++)
            most = row[j] > row[most] ? j : most;
        if (most < source_count - 1)
            strbuf_addf(out, "%s%d-%d", out->length > before ? " " : "", most, i);
    }
}

static void add_text(struct strbuf *out, const struct attend_translation *t, int parts)
{
    if (parts & ATTEND_LINE_PIECES)
        add_target(out, t);
    else
        strbuf_adds(out, t->text);
}

/* Hypothesis i: 0 is the translation itself. */
static const struct attend_translation *hypothesis(const struct attend_translation *t, int i)
{
    return i ? &t->other[i - 1] : t;
}

/* ---- Lines ---- */

char *attend_translation_links(const struct attend_translation *t)
{
    struct strbuf out = {0};
    add_links(&out, t, t->source_count);
    return strbuf_detach(&out);
}

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
    if (parts & ATTEND_LINE_LINKS) {
        strbuf_adds(&out, " ||| ");
        add_links(&out, t, t->source_count);
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
        strbuf_addf(&out, " ||| logprob= %.6f length= %d ||| %.6f", h->log_probability,
                    h->target_count, h->score);
        if (parts & ATTEND_LINE_LINKS) {
            strbuf_adds(&out, " ||| ");
            add_links(&out, h, t->source_count);
        }
        strbuf_addc(&out, '\n');
    }
    return strbuf_detach(&out);
}

/* ---- JSON ---- */

/* Seven digits give back what a float says, but for its last bit. */
static void add_floats(struct strbuf *out, const float *x, int count)
{
    strbuf_addc(out, '[');
    for (int i = 0; i < count; i++) {
        if (i)
            strbuf_addc(out, ',');
        json_add_number(out, (double)x[i], 7);
    }
    strbuf_addc(out, ']');
}

static void add_texts(struct strbuf *out, const char *name, char *const *text, int count)
{
    strbuf_addf(out, "\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i)
            strbuf_addc(out, ',');
        json_add_text(out, text[i]);
    }
    strbuf_addc(out, ']');
}

static void add_attention(struct strbuf *out, const struct attend_translation *t, int source_count)
{
    strbuf_adds(out, ",\"attention\":");
    if (!t->attention) {
        strbuf_adds(out, "null");
        return;
    }
    strbuf_addc(out, '[');
    for (int i = 0; i < t->target_count; i++) {
        if (i)
            strbuf_addc(out, ',');
        add_floats(out, t->attention + (size_t)i * (size_t)source_count, source_count);
    }
    strbuf_addc(out, ']');
}

/* The members that every hypothesis has. */
static void add_hypothesis(struct strbuf *out, const struct attend_translation *t, int source_count)
{
    add_texts(out, "target", t->target, t->target_count);
    strbuf_adds(out, ",\"text\":");
    json_add_text(out, t->text);
    add_attention(out, t, source_count);
    strbuf_adds(out, ",\"score\":");
    json_add_number(out, t->score, 9);
    strbuf_adds(out, ",\"log_probability\":");
    json_add_number(out, t->log_probability, 9);
    strbuf_adds(out, ",\"token_scores\":");
    if (t->token_score)
        add_floats(out, t->token_score, t->target_count);
    else
        strbuf_adds(out, "null");
    if (t->copied) {
        strbuf_adds(out, ",\"copied\":");
        add_floats(out, t->copied, t->target_count);
    }
}

char *attend_translation_json(const struct attend_translation *t)
{
    struct strbuf out = {0};
    strbuf_addc(&out, '{');
    add_texts(&out, "source", t->source, t->source_count);
    strbuf_addc(&out, ',');
    add_hypothesis(&out, t, t->source_count);
    for (int i = 0; i < t->others; i++) {
        strbuf_adds(&out, i ? ",{" : ",\"alternatives\":[{");
        add_hypothesis(&out, &t->other[i], t->source_count);
        strbuf_addc(&out, '}');
    }
    strbuf_adds(&out, t->others ? "]}" : "}");
    return strbuf_detach(&out);
}

/* ---- The matrix of Nematus ---- */

char *attend_translation_matrix(const struct attend_translation *t, long id)
{
    struct strbuf out = {0};
    const int S = t->source_count;
    for (int n = 0; n <= t->others; n++) {
        const struct attend_translation *h = hypothesis(t, n);
        strbuf_addf(&out, "%ld ||| ", id);
        add_target(&out, h);
        strbuf_addf(&out, " ||| %.6f ||| ", h->score);
        add_words(&out, t->source, S ? S - 1 : 0);
        strbuf_addf(&out, " ||| %d %d\n", S, h->target_count);
        for (int i = 0; h->attention && i < h->target_count * S; i++)
            strbuf_addf(&out, "%.7g%c", (double)h->attention[i], i % S == S - 1 ? '\n' : ' ');
        strbuf_addc(&out, '\n');
    }
    return strbuf_detach(&out);
}
