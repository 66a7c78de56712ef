/* The decoder's steps as readable text and as JSON. */
#include "attend/explain.h"

#include "report/table.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Text ---- */

/* Columns of a full bar, and of a short one; numbers of a vector with --verbose; columns of the two
 * numbers of a head. */
enum { BAR = 20, BAR_LEAST = 4, SHOWN = 8, HEAD = 19 };

static void add_head(struct strbuf *out, const struct attend_steps *s, int t)
{
    strbuf_addf(out, "step %d, after ", t + 1);
    table_add_word(out, t ? s->target[t - 1] : "<s>", 0);
    strbuf_addf(out, ": |s| = %.4f", s->state_norm[t]);
    if (s->query_size)
        strbuf_addf(out, ", |q| = %.4f", s->query_norm[t]);
    strbuf_addf(out, ", |c| = %.4f%s\n", s->context_norm[t],
                s->told[t] ? " (told where to look)" : "");
}

static void add_vector(struct strbuf *out, const char *name, const float *x, int size, int t)
{
    if (size == 0)
        return;
    strbuf_addf(out, "  %s = [", name);
    for (int i = 0; i < size && i < SHOWN; i++)
        strbuf_addf(out, "%s%.4f", i ? " " : "", (double)x[t * size + i]);
    strbuf_addf(out, "%s]\n", size > SHOWN ? " ..." : "");
}

/* The columns of a block of a step's table. */
struct block {
    int words;    /* columns of the source words */
    int from, to; /* heads */
    int bar;      /* columns of a full bar; 0: none */
};

/* One source word: e and a of the block's heads, and a bar for the mean weight of all heads. */
static void add_source(struct strbuf *out, const struct attend_steps *s, int t, int j,
                       const struct block *b)
{
    const float *e = s->score + (size_t)(t * s->heads * s->source_count),
                *a = s->weight + (size_t)(t * s->heads * s->source_count);
    double mean = 0;
    strbuf_adds(out, "  ");
    table_add_cut(out, s->source[j], b->words);
    for (int g = 0; g < s->heads; g++)
        mean += (double)a[g * s->source_count + j] / s->heads;
    for (int g = b->from; g < b->to; g++) {
        const int at = g * s->source_count + j;
        if (isfinite(e[at]))
            strbuf_addf(out, "  %9.4f", (double)e[at]);
        else
            strbuf_adds(out, "     masked");
        strbuf_addf(out, "  %6.4f", (double)a[at]);
    }
    strbuf_adds(out, mean * b->bar >= 0.5 ? "  " : "");
    for (int i = 0; i < (int)(mean * b->bar + 0.5); i++)
        strbuf_addc(out, '#');
    strbuf_addc(out, '\n');
}

static void add_block(struct strbuf *out, const struct attend_steps *s, int t,
                      const struct block *b)
{
    strbuf_adds(out, "  ");
    table_add_word(out, "source", b->words);
    for (int g = b->from; g < b->to; g++) {
        char name[2][16] = {"e", "a"};
        for (int k = 0; k < 2 && s->heads > 1; k++)
            snprintf(name[k], sizeof name[k], "%c%d", "ea"[k], g + 1);
        strbuf_addf(out, "  %9s  %6s", name[0], name[1]);
    }
    strbuf_adds(out, s->heads > 1 && b->bar ? "  mean of a\n" : "\n");
    for (int j = 0; j < s->source_count; j++)
        add_source(out, s, t, j, b);
}

/* Columns of the bars after the numbers of a block. */
static int bar_of(const struct attend_steps *s, const struct block *b, int width)
{
    const int room = width - 2 - b->words - (b->to - b->from) * HEAD - 2;
    const int least = s->heads > 1 ? (int)strlen("mean of a") : BAR_LEAST;
    if (b->to < s->heads)
        return 0;
    return width <= 0 || room > BAR ? BAR : room < least ? 0 : room;
}

/* Blocks of heads that fit the terminal; the last has the bars. */
static void add_attention(struct strbuf *out, const struct attend_steps *s, int t, int width)
{
    const int words = table_width(s->source, s->source_count);
    struct block b = {.words = table_cut(words > 6 ? words : 6, width > 0 ? width - HEAD : 0)};
    const int most = width > 0 ? (width - 2 - b.words) / HEAD : s->heads;
    for (b.from = 0; b.from < s->heads; b.from = b.to) {
        b.to = b.from + (most > 1 ? most : 1);
        b.to = b.to < s->heads ? b.to : s->heads;
        b.bar = bar_of(s, &b, width);
        add_block(out, s, t, &b);
    }
}

static void add_choice(struct strbuf *out, const struct attend_steps *s, int t)
{
    strbuf_adds(out, "  says ");
    table_add_word(out, s->target[t], 0);
    strbuf_addf(out, ", P = %.4f", exp(s->token_score[t]));
    for (int k = 0; k < s->top; k++) {
        strbuf_adds(out, k ? ", " : "; likeliest: ");
        table_add_word(out, s->best[t * s->top + k], 0);
        strbuf_addf(out, " %.4f", exp(s->best_score[t * s->top + k]));
    }
    strbuf_addc(out, '\n');
}

char *attend_steps_text(const struct attend_steps *s, bool verbose, int width)
{
    struct strbuf out = {0};
    for (int t = 0; t < s->target_count; t++) {
        add_head(&out, s, t);
        if (verbose) {
            add_vector(&out, "s", s->state, s->state_size, t);
            add_vector(&out, "q", s->query, s->query_size, t);
        }
        if (s->weight)
            add_attention(&out, s, t, width);
        add_choice(&out, s, t);
        strbuf_addc(&out, '\n');
    }
    strbuf_addf(&out, "log P = %.4f\n", s->log_probability);
    return table_detach(&out, width);
}

/* ---- JSON ---- */

static void put_likeliest(struct json_writer *w, const struct attend_steps *s, int t)
{
    json_begin_array(w, "likeliest");
    for (int k = t * s->top; k < (t + 1) * s->top; k++) {
        json_begin_object(w, NULL);
        json_put_text(w, "word", s->best[k]);
        json_put_number(w, "probability", exp(s->best_score[k]), 9);
        json_end(w);
    }
    json_end(w);
}

/* A vector and its norm; null if the mechanism has no such vector. */
static void put_vector(struct json_writer *w, const char *name, const float *x, int size,
                       const char *norm_name, double norm)
{
    json_put_number(w, norm_name, size ? norm : (double)NAN, 9);
    json_put_floats(w, name, size ? x : NULL, size);
}

/* {"reset": [...], "update": [...]}, one number for each unit of the state. */
static void put_gates(struct json_writer *w, const struct attend_steps *s, int t)
{
    json_begin_object(w, "gates");
    for (int i = 0; i < s->gates; i++)
        json_put_floats(w, s->gate_name[i], s->gate + (t * s->gates + i) * s->state_size,
                        s->state_size);
    json_end(w);
}

static void put_step(struct json_writer *w, const struct attend_steps *s, int t)
{
    const size_t row = (size_t)t * (size_t)s->heads * (size_t)s->source_count;
    json_begin_object(w, NULL);
    json_put_whole(w, "step", t);
    json_put_text(w, "previous", t ? s->target[t - 1] : "<s>");
    put_vector(w, "state", s->state + t * s->state_size, s->state_size, "state_norm",
               s->state_norm[t]);
    put_vector(w, "query", s->query + t * s->query_size, s->query_size, "query_norm",
               s->query_norm[t]);
    put_gates(w, s, t);
    json_put_matrix(w, "scores", s->score ? s->score + row : NULL, s->heads, s->source_count);
    json_put_matrix(w, "weights", s->weight ? s->weight + row : NULL, s->heads, s->source_count);
    json_put_flag(w, "told", s->told[t]);
    json_put_number(w, "context_norm", s->context_norm[t], 9);
    json_put_text(w, "word", s->target[t]);
    json_put_number(w, "probability", exp(s->token_score[t]), 9);
    put_likeliest(w, s, t);
    json_end(w);
}

char *attend_steps_json(const struct attend_steps *s)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_texts(&w, "source", (const char *const *)s->source, s->source_count);
    json_put_texts(&w, "target", (const char *const *)s->target, s->target_count);
    json_put_number(&w, "log_probability", s->log_probability, 9);
    json_put_whole(&w, "heads", s->heads);
    json_begin_array(&w, "steps");
    for (int t = 0; t < s->target_count; t++)
        put_step(&w, s, t);
    json_end(&w);
    json_end(&w);
    return strbuf_detach(&out);
}
