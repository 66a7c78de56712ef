/* The decoder's steps as text for people and as JSON. */
#include "attend/explain.h"

#include "api/cells.h"
#include "base/json.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdio.h>

/* ---- For people ---- */

enum { BAR = 20, SHOWN = 8 }; /* columns of a weight of 1; numbers of a vector with --verbose */

static void add_head(struct strbuf *out, const struct attend_steps *s, int t)
{
    strbuf_addf(out, "step %d, after ", t);
    cells_add_word(out, t ? s->target[t - 1] : "<s>", 0);
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

/* One source word: e and a of every head; a bar for the mean of the weights. */
static void add_source(struct strbuf *out, const struct attend_steps *s, int t, int j, int columns)
{
    const float *e = s->score + (size_t)(t * s->heads * s->source_count),
                *a = s->weight + (size_t)(t * s->heads * s->source_count);
    double mean = 0;
    strbuf_adds(out, "  ");
    cells_add_word(out, s->source[j], columns);
    for (int g = 0; g < s->heads; g++) {
        const int at = g * s->source_count + j;
        if (isfinite(e[at]))
            strbuf_addf(out, "  %9.4f", (double)e[at]);
        else
            strbuf_adds(out, "     masked");
        strbuf_addf(out, "  %6.4f", (double)a[at]);
        mean += (double)a[at] / s->heads;
    }
    strbuf_adds(out, mean * BAR >= 0.5 ? "  " : "");
    for (int i = 0; i < (int)(mean * BAR + 0.5); i++)
        strbuf_addc(out, '#');
    strbuf_addc(out, '\n');
}

static void add_attention(struct strbuf *out, const struct attend_steps *s, int t, int columns)
{
    strbuf_adds(out, "  ");
    cells_add_word(out, "source", columns);
    for (int g = 0; g < s->heads; g++) {
        char name[2][16] = {"e", "a"};
        for (int k = 0; k < 2 && s->heads > 1; k++)
            snprintf(name[k], sizeof name[k], "%c%d", "ea"[k], g + 1);
        strbuf_addf(out, "  %9s  %6s", name[0], name[1]);
    }
    strbuf_adds(out, s->heads > 1 ? "  mean of a\n" : "\n");
    for (int j = 0; j < s->source_count; j++)
        add_source(out, s, t, j, columns);
}

static void add_choice(struct strbuf *out, const struct attend_steps *s, int t)
{
    strbuf_adds(out, "  says ");
    cells_add_word(out, s->target[t], 0);
    strbuf_addf(out, ", P = %.4f", exp(s->token_score[t]));
    for (int k = 0; k < s->top; k++) {
        strbuf_adds(out, k ? ", " : "; likeliest: ");
        cells_add_word(out, s->best[t * s->top + k], 0);
        strbuf_addf(out, " %.4f", exp(s->best_score[t * s->top + k]));
    }
    strbuf_addc(out, '\n');
}

char *attend_steps_text(const struct attend_steps *s, bool verbose)
{
    struct strbuf out = {0};
    const int words = cells_width(s->source, s->source_count);
    for (int t = 0; t < s->target_count; t++) {
        add_head(&out, s, t);
        if (verbose) {
            add_vector(&out, "s", s->state, s->state_size, t);
            add_vector(&out, "q", s->query, s->query_size, t);
        }
        if (s->weight)
            add_attention(&out, s, t, words > 6 ? words : 6);
        add_choice(&out, s, t);
        strbuf_addc(&out, '\n');
    }
    strbuf_addf(&out, "log P = %.4f\n", s->log_probability);
    return strbuf_detach(&out);
}

/* ---- JSON ---- */

static void add_best(struct strbuf *out, const struct attend_steps *s, int t)
{
    strbuf_adds(out, ",\"likeliest\":[");
    for (int k = t * s->top; k < (t + 1) * s->top; k++) {
        strbuf_adds(out, k > t * s->top ? ",{\"word\":" : "{\"word\":");
        json_add_text(out, s->best[k]);
        strbuf_adds(out, ",\"probability\":");
        json_add_number(out, exp(s->best_score[k]), 9);
        strbuf_addc(out, '}');
    }
    strbuf_addc(out, ']');
}

/* A vector and its norm; null for one that the mechanism has not. */
static void add_asking(struct strbuf *out, const char *name, const float *x, int size, double norm)
{
    strbuf_addf(out, ",\"%s_norm\":", name);
    json_add_number(out, size ? norm : (double)NAN, 9);
    strbuf_addf(out, ",\"%s\":", name);
    if (!size) {
        strbuf_adds(out, "null");
        return;
    }
    strbuf_addc(out, '[');
    for (int i = 0; i < size; i++) {
        strbuf_adds(out, i ? "," : "");
        json_add_number(out, (double)x[i], 7);
    }
    strbuf_addc(out, ']');
}

static void add_step(struct strbuf *out, const struct attend_steps *s, int t)
{
    const size_t row = (size_t)t * (size_t)s->heads * (size_t)s->source_count;
    strbuf_addf(out, "{\"step\":%d,\"previous\":", t);
    json_add_text(out, t ? s->target[t - 1] : "<s>");
    add_asking(out, "state", s->state + t * s->state_size, s->state_size, s->state_norm[t]);
    add_asking(out, "query", s->query + t * s->query_size, s->query_size, s->query_norm[t]);
    strbuf_adds(out, ",\"scores\":");
    cells_add_matrix(out, s->score ? s->score + row : NULL, s->heads, s->source_count);
    strbuf_adds(out, ",\"weights\":");
    cells_add_matrix(out, s->weight ? s->weight + row : NULL, s->heads, s->source_count);
    strbuf_addf(out, ",\"told\":%s,\"context_norm\":", s->told[t] ? "true" : "false");
    json_add_number(out, s->context_norm[t], 9);
    strbuf_adds(out, ",\"word\":");
    json_add_text(out, s->target[t]);
    strbuf_adds(out, ",\"probability\":");
    json_add_number(out, exp(s->token_score[t]), 9);
    add_best(out, s, t);
    strbuf_addc(out, '}');
}

char *attend_steps_json(const struct attend_steps *s)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "{\"source\":");
    cells_add_json(&out, s->source, s->source_count);
    strbuf_adds(&out, ",\"target\":");
    cells_add_json(&out, s->target, s->target_count);
    strbuf_adds(&out, ",\"log_probability\":");
    json_add_number(&out, s->log_probability, 9);
    strbuf_addf(&out, ",\"heads\":%d,\"steps\":[", s->heads);
    for (int t = 0; t < s->target_count; t++) {
        strbuf_adds(&out, t ? "," : "");
        add_step(&out, s, t);
    }
    strbuf_adds(&out, "]}");
    return strbuf_detach(&out);
}
