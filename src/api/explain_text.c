/* An explanation as tables and as JSON. */
#include "api/explain.h"

#include "api/cells.h"
#include "base/json.h"
#include "base/strbuf.h"

#include <math.h>

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

/* One measure: a row for each target word. */
static void add_table(struct strbuf *out, const struct attend_explanation *e, int measure)
{
    const float *value = e->value[measure];
    const int left = cells_width(e->target, e->target_count);
    strbuf_addf(out, "%s\n", attend_measure_name(measure));
    cells_add_word(out, "", left);
    for (int j = 0; j < e->source_count; j++) {
        strbuf_adds(out, "  ");
        cells_add_word(out, e->source[j], LEAST);
    }
    strbuf_addc(out, '\n');
    for (int t = 0; t < e->target_count; t++) {
        cells_add_word(out, e->target[t], left);
        for (int j = 0; j < e->source_count; j++) {
            strbuf_adds(out, "  ");
            add_cell(out, (double)value[t * e->source_count + j],
                     at_least(cells_width(&e->source[j], 1), LEAST));
        }
        strbuf_addc(out, '\n');
    }
    strbuf_addc(out, '\n');
}

/* Correlations with attention: a row for each target word, and the means. */
static void add_ranks(struct strbuf *out, const struct attend_explanation *e)
{
    const int left = at_least(cells_width(e->target, e->target_count), LEAST);
    strbuf_adds(out, "rank correlation with attention (Kendall's tau-b, Spearman's rho)\n");
    cells_add_word(out, "", left);
    for (int k = ATTEND_LEAVE_ONE_OUT; k < ATTEND_MEASURES; k++)
        if (e->kendall[k])
            strbuf_addf(out, "  %*s", 2 * NUMBER + 4, attend_measure_name(k));
    strbuf_addc(out, '\n');
    for (int t = 0; t <= e->target_count; t++) {
        const bool mean = t == e->target_count;
        cells_add_word(out, mean ? "mean" : e->target[t], left);
        for (int k = ATTEND_LEAVE_ONE_OUT; k < ATTEND_MEASURES; k++) {
            if (!e->kendall[k])
                continue;
            strbuf_adds(out, "      ");
            add_cell(out, mean ? e->mean_kendall[k] : e->kendall[k][t], NUMBER);
            add_cell(out, mean ? e->mean_spearman[k] : e->spearman[k][t], NUMBER);
        }
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, "the mean leaves </s> out\n\n");
}

static void add_areas(struct strbuf *out, const struct attend_explanation *e)
{
    strbuf_adds(out, "log P per token while source words go, most important first: its mean\n");
    for (int c = 0; c < ATTEND_ORDERS; c++)
        if (e->curve[c])
            strbuf_addf(out, "  %-22s %8.4f\n", attend_measure_name(c), e->area[c]);
}

char *attend_explanation_text(const struct attend_explanation *e)
{
    struct strbuf out = {0};
    for (int k = 0; k < ATTEND_MEASURES; k++)
        if (e->value[k])
            add_table(&out, e, k);
    if (e->value[ATTEND_INTEGRATED])
        strbuf_addf(&out,
                    "integrated gradients sum to log P less log P(zero embeddings) within %.2g\n\n",
                    e->incompleteness);
    if (e->value[ATTEND_ATTENTION])
        add_ranks(&out, e);
    add_areas(&out, e);
    strbuf_addf(&out, "log P = %.4f\n", e->log_probability);
    return strbuf_detach(&out);
}

/* ---- JSON ---- */

static void add_ranks_json(struct strbuf *out, const char *name, double *const *x,
                           const double *mean, int count)
{
    bool first = true;
    strbuf_addf(out, ",\"%s\":{", name);
    for (int k = ATTEND_LEAVE_ONE_OUT; k < ATTEND_MEASURES; k++) {
        if (!x[k])
            continue;
        strbuf_addf(out, "%s\"%s\":{\"mean\":", first ? "" : ",", explain_key(k));
        json_add_number(out, mean[k], 9);
        strbuf_adds(out, ",\"words\":");
        cells_add_numbers(out, x[k], count);
        strbuf_addc(out, '}');
        first = false;
    }
    strbuf_addc(out, '}');
}

static void add_curves_json(struct strbuf *out, const struct attend_explanation *e)
{
    bool first = true;
    strbuf_adds(out, ",\"deletion\":{");
    for (int c = 0; c < ATTEND_ORDERS; c++) {
        if (!e->curve[c])
            continue;
        strbuf_addf(out, "%s\"%s\":{\"area\":", first ? "" : ",", explain_key(c));
        json_add_number(out, e->area[c], 9);
        strbuf_adds(out, ",\"log_probability_per_token\":");
        cells_add_numbers(out, e->curve[c], e->points);
        strbuf_addc(out, '}');
        first = false;
    }
    strbuf_addc(out, '}');
}

char *attend_explanation_json(const struct attend_explanation *e)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "{\"source\":");
    cells_add_json(&out, e->source, e->source_count);
    strbuf_adds(&out, ",\"target\":");
    cells_add_json(&out, e->target, e->target_count);
    strbuf_adds(&out, ",\"log_probability\":");
    json_add_number(&out, e->log_probability, 9);
    for (int k = 0; k < ATTEND_MEASURES; k++) {
        strbuf_addf(&out, ",\"%s\":", explain_key(k));
        cells_add_matrix(&out, e->value[k], e->target_count, e->source_count);
    }
    strbuf_adds(&out, ",\"incompleteness\":");
    json_add_number(&out, e->value[ATTEND_INTEGRATED] ? e->incompleteness : (double)NAN, 9);
    add_ranks_json(&out, "kendall", e->kendall, e->mean_kendall, e->target_count);
    add_ranks_json(&out, "spearman", e->spearman, e->mean_spearman, e->target_count);
    add_curves_json(&out, e);
    strbuf_addc(&out, '}');
    return strbuf_detach(&out);
}
