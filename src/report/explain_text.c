/* An explanation as tables and as JSON. */
#include "attend/explain.h"

#include "report/table.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "report/measures.h"
#include "viz/fit.h"

#include <math.h>
#include <stdlib.h>

/* ---- Tables ---- */

enum { NUMBER = 8, LEAST = 6 }; /* columns */

static void add_cell(struct strbuf *out, double x, int columns)
{
    if (isnan(x))
        strbuf_addf(out, "%*s", columns, "-");
    else
        strbuf_addf(out, "%*.3f", columns, x);
}

static int at_least(int columns, int least) { return columns > least ? columns : least; }

/* A table with its row labels; in a narrow terminal its columns go to several blocks. */
struct grid {
    const struct attend_explanation *e;
    struct strbuf *out;
    int measure; /* of the cells */
    int left;    /* columns of the row labels */
    int *wide;   /* (source_count) columns of the source words, with the blanks before them */
};

/* The columns of source words from..to-1. */
static void add_block(const struct grid *g, int from, int to)
{
    const struct attend_explanation *e = g->e;
    const float *value = e->value[g->measure];
    table_add_word(g->out, "", g->left);
    for (int j = from; j < to; j++) {
        strbuf_adds(g->out, "  ");
        table_add_cut(g->out, e->source[j], g->wide[j] - 2);
    }
    strbuf_addc(g->out, '\n');
    for (int t = 0; t < e->target_count; t++) {
        table_add_cut(g->out, e->target[t], g->left);
        for (int j = from; j < to; j++)
            add_cell(g->out, (double)value[t * e->source_count + j], g->wide[j]);
        strbuf_addc(g->out, '\n');
    }
    strbuf_addc(g->out, '\n');
}

/* One measure: a row for each target word. */
static void add_table(struct strbuf *out, const struct attend_explanation *e, int measure,
                      int width)
{
    struct grid g = {e, out, measure, table_cut(table_width(e->target, e->target_count), width),
                     calloc((size_t)e->source_count + 1, sizeof *g.wide)};
    int to = 0;
    out->failed = out->failed || !g.wide;
    for (int j = 0; g.wide && j < e->source_count; j++)
        g.wide[j] = 2 + at_least(table_cut(table_width(&e->source[j], 1), width), LEAST);
    strbuf_addf(out, "%s\n", attend_measure_name(measure));
    do {
        const int from = to;
        to = g.wide ? fit_block(g.wide, from, e->source_count, g.left, width) : e->source_count;
        if (g.wide)
            add_block(&g, from, to);
    } while (to < e->source_count);
    free(g.wide);
}

/* Correlations of the measures from..to-1 with attention. */
static void add_rank_block(struct strbuf *out, const struct attend_explanation *e, int from, int to,
                           int left)
{
    table_add_word(out, "", left);
    for (int k = from; k < to; k++)
        if (e->kendall[k])
            strbuf_addf(out, "  %*s", 2 * NUMBER + 4, attend_measure_name(k));
    strbuf_addc(out, '\n');
    for (int t = 0; t <= e->target_count; t++) {
        const bool mean = t == e->target_count;
        table_add_cut(out, mean ? "mean" : e->target[t], left);
        for (int k = from; k < to; k++) {
            if (!e->kendall[k])
                continue;
            strbuf_adds(out, "      ");
            add_cell(out, mean ? e->mean_kendall[k] : e->kendall[k][t], NUMBER);
            add_cell(out, mean ? e->mean_spearman[k] : e->spearman[k][t], NUMBER);
        }
        strbuf_addc(out, '\n');
    }
}

/* A row for each target word, and the means. */
static void add_ranks(struct strbuf *out, const struct attend_explanation *e, int width)
{
    const int left = at_least(table_cut(table_width(e->target, e->target_count), width), LEAST);
    int wide[ATTEND_MEASURES] = {0};
    for (int k = ATTEND_LEAVE_ONE_OUT; k < ATTEND_MEASURES; k++)
        wide[k] = e->kendall[k] ? 2 * NUMBER + 6 : 0;
    strbuf_adds(out, "rank correlation with attention (Kendall's tau-b, Spearman's rho)\n");
    for (int from = ATTEND_LEAVE_ONE_OUT, to; from < ATTEND_MEASURES; from = to) {
        to = fit_block(wide, from, ATTEND_MEASURES, left, width);
        strbuf_adds(out, from > ATTEND_LEAVE_ONE_OUT ? "\n" : "");
        add_rank_block(out, e, from, to, left);
    }
    strbuf_adds(out, "the mean leaves </s> out\n\n");
}

static void add_areas(struct strbuf *out, const struct attend_explanation *e)
{
    if (e->points)
        strbuf_adds(out, "log P per token while source words go, most important first: its mean\n");
    for (int c = 0; c < ATTEND_ORDERS; c++)
        if (e->curve[c])
            strbuf_addf(out, "  %-22s %8.4f\n", attend_measure_name(c), e->area[c]);
}

char *attend_explanation_text(const struct attend_explanation *e, int width)
{
    struct strbuf out = {0};
    for (int k = 0; k < ATTEND_MEASURES; k++)
        if (e->value[k])
            add_table(&out, e, k, width);
    if (e->value[ATTEND_INTEGRATED])
        strbuf_addf(&out,
                    "integrated gradients sum to log P less log P(zero embeddings) within %.2g\n\n",
                    e->incompleteness);
    if (e->value[ATTEND_ATTENTION])
        add_ranks(&out, e, width);
    add_areas(&out, e);
    strbuf_addf(&out, "log P = %.4f\n", e->log_probability);
    return table_detach(&out, width);
}

/* ---- JSON ---- */

static void put_ranks(struct json_writer *w, const char *name, double *const *x, const double *mean,
                      int count)
{
    json_begin_object(w, name);
    for (int k = ATTEND_LEAVE_ONE_OUT; k < ATTEND_MEASURES; k++) {
        if (!x[k])
            continue;
        json_begin_object(w, measure_key(k));
        json_put_number(w, "mean", mean[k], 9);
        json_put_numbers(w, "words", x[k], count, 9);
        json_end(w);
    }
    json_end(w);
}

static void put_curves(struct json_writer *w, const struct attend_explanation *e)
{
    json_begin_object(w, "deletion");
    for (int c = 0; c < ATTEND_ORDERS; c++) {
        if (!e->curve[c])
            continue;
        json_begin_object(w, measure_key(c));
        json_put_number(w, "area", e->area[c], 9);
        json_put_numbers(w, "log_probability_per_token", e->curve[c], e->points, 9);
        json_end(w);
    }
    json_end(w);
}

char *attend_explanation_json(const struct attend_explanation *e)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_texts(&w, "source", (const char *const *)e->source, e->source_count);
    json_put_texts(&w, "target", (const char *const *)e->target, e->target_count);
    json_put_number(&w, "log_probability", e->log_probability, 9);
    for (int k = 0; k < ATTEND_MEASURES; k++)
        json_put_matrix(&w, measure_key(k), e->value[k], e->target_count, e->source_count);
    json_put_number(&w, "incompleteness",
                    e->value[ATTEND_INTEGRATED] ? e->incompleteness : (double)NAN, 9);
    put_ranks(&w, "kendall", e->kendall, e->mean_kendall, e->target_count);
    put_ranks(&w, "spearman", e->spearman, e->mean_spearman, e->target_count);
    put_curves(&w, e);
    json_end(&w);
    return strbuf_detach(&out);
}
