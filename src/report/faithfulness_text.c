#include "attend/explain.h"

#include "base/json_writer.h"
#include "base/strbuf.h"
#include "report/measures.h"
#include "report/table.h"
#include "viz/fit.h"

#include <math.h>
#include <stddef.h>

static void add_mean(struct strbuf *out, const struct attend_mean *m)
{
    if (isnan(m->mean))
        strbuf_addf(out, "  %27s", "-");
    else
        strbuf_addf(out, "  %8.4f [%7.4f, %7.4f]", m->mean, m->low, m->high);
}

/* The columns of the table. */
static const struct {
    const char *name;
    size_t offset; /* in struct attend_faithfulness, of an array of struct attend_mean */
    bool ranked;   /* only measures have it, not all orders */
} figures[] = {
    {"Kendall with attention", offsetof(struct attend_faithfulness, kendall), true},
    {"Spearman with attention", offsetof(struct attend_faithfulness, spearman), true},
    {"deletion: log P per token", offsetof(struct attend_faithfulness, area), false},
};
enum { FIGURES = sizeof figures / sizeof *figures, FIGURE = 29, LEFT = 22, LEFT_LEAST = 6 };

static void add_figures(struct strbuf *out, const struct attend_faithfulness *f, int from, int to,
                        int left)
{
    const struct attend_mean none = {(double)NAN, (double)NAN, (double)NAN};
    strbuf_addf(out, "%-*s", left, "");
    for (int i = from; i < to; i++)
        strbuf_addf(out, "%*s", FIGURE, figures[i].name);
    strbuf_addc(out, '\n');
    for (int c = 0; c < ATTEND_ORDERS; c++) {
        if (isnan(f->area[c].mean))
            continue;
        table_add_cut(out, attend_measure_name(c), left);
        for (int i = from; i < to; i++) {
            const struct attend_mean *means =
                (const struct attend_mean *)((const char *)f + figures[i].offset);
            add_mean(out, c < ATTEND_MEASURES || !figures[i].ranked ? &means[c] : &none);
        }
        strbuf_addc(out, '\n');
    }
}

static void add_table(struct strbuf *out, const struct attend_faithfulness *f, int width)
{
    static const int wide[FIGURES] = {FIGURE, FIGURE, FIGURE};
    const int room = width > LEFT_LEAST + FIGURE ? width - FIGURE : LEFT_LEAST;
    const int left = width > 0 && room < LEFT ? room : LEFT;
    for (int from = 0, to; from < FIGURES; from = to) {
        to = fit_block(wide, from, FIGURES, left, width);
        strbuf_adds(out, from ? "\n" : "");
        add_figures(out, f, from, to, left);
    }
}

char *attend_faithfulness_text(const struct attend_faithfulness *f, int width)
{
    struct strbuf out = {0};
    strbuf_addf(&out, "%d pairs, %d target words; means with 95%% intervals over pairs\n\n",
                f->pairs, f->words);
    add_table(&out, f, width);
    if (!isnan(f->agreement.mean)) {
        strbuf_adds(&out,
                    "\nthe most attended source word is also the one whose absence costs most");
        strbuf_addf(&out, ": %.1f%% of words [%.1f, %.1f]\n", 100 * f->agreement.mean,
                    100 * f->agreement.low, 100 * f->agreement.high);
    }
    if (!isnan(f->area[ATTEND_INTEGRATED].mean))
        strbuf_addf(&out, "integrated gradients sum to what they should within %.2g\n",
                    f->incompleteness);
    return table_detach(&out, width);
}

/* ---- JSON ---- */

static void put_mean(struct json_writer *w, const char *name, const struct attend_mean *m)
{
    json_begin_object(w, name);
    json_put_number(w, "mean", m->mean, 9);
    json_put_number(w, "low", m->low, 9);
    json_put_number(w, "high", m->high, 9);
    json_end(w);
}

static void put_means(struct json_writer *w, const char *name, const struct attend_mean *m,
                      int from, int to)
{
    json_begin_object(w, name);
    for (int k = from; k < to; k++)
        put_mean(w, measure_key(k), &m[k]);
    json_end(w);
}

char *attend_faithfulness_json(const struct attend_faithfulness *f)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_whole(&w, "pairs", f->pairs);
    json_put_whole(&w, "words", f->words);
    put_means(&w, "kendall", f->kendall, ATTEND_LEAVE_ONE_OUT, ATTEND_MEASURES);
    put_means(&w, "spearman", f->spearman, ATTEND_LEAVE_ONE_OUT, ATTEND_MEASURES);
    put_means(&w, "deletion_area", f->area, 0, ATTEND_ORDERS);
    json_begin_object(&w, "deletion_curve");
    for (int c = 0; c < ATTEND_ORDERS; c++)
        json_put_numbers(&w, measure_key(c), f->curve[c], ATTEND_SHARES, 9);
    json_end(&w);
    put_mean(&w, "agreement", &f->agreement);
    json_put_number(&w, "incompleteness", f->incompleteness, 9);
    json_end(&w);
    return strbuf_detach(&out);
}
