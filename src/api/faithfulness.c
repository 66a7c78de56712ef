#include "api/explain.h"

#include "api/cells.h"
#include "api/translation.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "explain/faithfulness.h"

#include <math.h>
#include <string.h>

static enum attend_status check_lengths(const struct tokenized *side, const char *name,
                                        struct attend_error *err)
{
    for (int i = 0; i < side->ids.count; i++)
        if (tokenized_count(side, i) > ATTEND_EXPLAIN_LONGEST)
            return error_set(err, ATTEND_USAGE, "%s:%d: has %d tokens; up to %d can be explained",
                             name, i + 1, tokenized_count(side, i), ATTEND_EXPLAIN_LONGEST);
    return ATTEND_OK;
}

_Static_assert((int)ATTEND_SHARES == (int)FAITHFULNESS_SHARES, "the same shares inside and out");

static struct attend_mean mean_of(struct faithfulness_mean m)
{
    return (struct attend_mean){m.mean, m.low, m.high};
}

static void copy(struct attend_faithfulness *to, const struct faithfulness *from)
{
    *to = (struct attend_faithfulness){.pairs = from->pairs,
                                       .words = from->words,
                                       .agreement = mean_of(from->agreement),
                                       .incompleteness = from->incompleteness};
    for (int k = 0; k < ATTEND_MEASURES; k++) {
        to->kendall[k] = mean_of(from->kendall[k]);
        to->spearman[k] = mean_of(from->spearman[k]);
    }
    for (int c = 0; c < ATTEND_ORDERS; c++)
        to->area[c] = mean_of(from->area[c]);
    memcpy(to->curve, from->curve, sizeof to->curve);
}

enum attend_status attend_faithfulness(struct attend_faithfulness *out, struct attend_translator *t,
                                       const struct attend_faithfulness_job *job,
                                       struct attend_error *err)
{
    struct tokenized source = {0}, target = {0};
    struct faithfulness f;
    enum attend_status status =
        translation_tokenize(&source, &t->model->source, job->source, job->count, "source", err);
    if (!status)
        status = translation_tokenize(&target, &t->model->target, job->target, job->count, "target",
                                      err);
    if (!status)
        status = check_lengths(&source, "source", err);
    if (!status)
        status = check_lengths(&target, "target", err);
    if (!status)
        status = faithfulness_run(
            &f, t->team,
            &(struct faithfulness_job){.net = &t->model->net,
                                       .source = &source.ids,
                                       .target = &target.ids,
                                       .mask = job->mask,
                                       .ig_steps = job->ig_steps ? job->ig_steps : 32,
                                       .resamples = job->resamples ? job->resamples : 1000,
                                       .seed = job->seed,
                                       .stop = t->setup.stop},
            err);
    if (!status)
        copy(out, &f);
    tokenized_release(&source);
    tokenized_release(&target);
    return status;
}

/* ---- As text ---- */

static void add_mean(struct strbuf *out, const struct attend_mean *m)
{
    if (isnan(m->mean))
        strbuf_addf(out, "  %27s", "-");
    else
        strbuf_addf(out, "  %8.4f [%7.4f, %7.4f]", m->mean, m->low, m->high);
}

char *attend_faithfulness_text(const struct attend_faithfulness *f)
{
    struct strbuf out = {0};
    strbuf_addf(&out, "%d pairs, %d target words; means with 95%% intervals over pairs\n\n",
                f->pairs, f->words);
    strbuf_addf(&out, "%-22s  %27s  %27s  %27s\n", "", "Kendall with attention",
                "Spearman with attention", "deletion: log P per token");
    for (int c = 0; c < ATTEND_ORDERS; c++) {
        const struct attend_mean none = {(double)NAN, (double)NAN, (double)NAN};
        const bool ranked = c < ATTEND_MEASURES;
        if (isnan(f->area[c].mean))
            continue;
        strbuf_addf(&out, "%-22s", attend_measure_name(c));
        add_mean(&out, ranked ? &f->kendall[c] : &none);
        add_mean(&out, ranked ? &f->spearman[c] : &none);
        add_mean(&out, &f->area[c]);
        strbuf_addc(&out, '\n');
    }
    if (!isnan(f->agreement.mean)) {
        strbuf_adds(&out,
                    "\nthe most attended source word is also the one whose absence costs most");
        strbuf_addf(&out, ": %.1f%% of words [%.1f, %.1f]\n", 100 * f->agreement.mean,
                    100 * f->agreement.low, 100 * f->agreement.high);
    }
    if (!isnan(f->area[ATTEND_INTEGRATED].mean))
        strbuf_addf(&out, "integrated gradients sum to what they should within %.2g\n",
                    f->incompleteness);
    return strbuf_detach(&out);
}

static void add_json(struct strbuf *out, const char *name, const struct attend_mean *m)
{
    strbuf_addf(out, "%s\"%s\":{\"mean\":", out->text[out->length - 1] == '{' ? "" : ",", name);
    json_add_number(out, m->mean, 9);
    strbuf_adds(out, ",\"low\":");
    json_add_number(out, m->low, 9);
    strbuf_adds(out, ",\"high\":");
    json_add_number(out, m->high, 9);
    strbuf_addc(out, '}');
}

static void add_means(struct strbuf *out, const char *name, const struct attend_mean *m, int from,
                      int to)
{
    strbuf_addf(out, ",\"%s\":{", name);
    for (int k = from; k < to && !out->failed; k++)
        add_json(out, explain_key(k), &m[k]);
    strbuf_addc(out, '}');
}

static void add_curves(struct strbuf *out, const struct attend_faithfulness *f)
{
    strbuf_adds(out, ",\"deletion_curve\":{");
    for (int c = 0; c < ATTEND_ORDERS && !out->failed; c++) {
        strbuf_addf(out, "%s\"%s\":", c ? "," : "", explain_key(c));
        cells_add_numbers(out, f->curve[c], ATTEND_SHARES);
    }
    strbuf_addc(out, '}');
}

char *attend_faithfulness_json(const struct attend_faithfulness *f)
{
    struct strbuf out = {0};
    strbuf_addf(&out, "{\"pairs\":%d,\"words\":%d", f->pairs, f->words);
    add_means(&out, "kendall", f->kendall, ATTEND_LEAVE_ONE_OUT, ATTEND_MEASURES);
    add_means(&out, "spearman", f->spearman, ATTEND_LEAVE_ONE_OUT, ATTEND_MEASURES);
    add_means(&out, "deletion_area", f->area, 0, ATTEND_ORDERS);
    add_curves(&out, f);
    if (!out.failed)
        add_json(&out, "agreement", &f->agreement);
    strbuf_adds(&out, ",\"incompleteness\":");
    json_add_number(&out, f->incompleteness, 9);
    strbuf_addc(&out, '}');
    return strbuf_detach(&out);
}
