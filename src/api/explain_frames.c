#include "api/explain_frames.h"

#include "api/explain_pair.h"
#include "base/error.h"
#include "explain/variants.h"
#include "metric/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPANS_MOST = 64 };

/* The spans of a source; all of `columns` columns, but the last may be shorter. */
struct spans {
    const struct sequences *source; /* one sequence of frames */
    int frames, columns, count;
    int each;    /* columns of a span */
    int pyramid; /* a column has 2^pyramid frames */
    bool mask;
};

static struct spans spans_of(const struct explain_pair *p, const struct model *m, bool mask)
{
    struct spans s = {.source = &p->source.ids,
                      .frames = tokenized_count(&p->source, 0),
                      .columns = p->translation.source_count,
                      .pyramid = m->net.config.pyramid};
    s.each = (s.columns + SPANS_MOST - 1) / SPANS_MOST;
    s.count = (s.columns + s.each - 1) / s.each;
    s.mask = mask || s.count == 1; /* a source cannot be without frames */
    return s;
}

/* ---- Leave-one-out ---- */

/* Append the source without span `gone`; s->count: all of it. */
static void add_variant(struct sequences *out, const struct spans *s, int gone)
{
    const size_t width = (size_t)s->source->width;
    const int from = gone * s->each << s->pyramid, to = (gone + 1) * s->each << s->pyramid;
    size_t at = out->start[out->count];
    for (int r = 0; r < s->frames; r++) {
        const bool here = gone < s->count && r >= from && r < to;
        float *row = out->rows + at * width;
        if (here && !s->mask)
            continue;
        if (here)
            memset(row, 0, width * sizeof *row); /* frames are normalized: their mean is 0 */
        else
            memcpy(row, s->source->rows + (size_t)r * width, width * sizeof *row);
        at++;
    }
    out->start[++out->count] = at;
}

/* score: (spans + 1, T) log P of each target word without a span; the last is the whole. */
static enum attend_status score_variants(const struct spans *s, const struct attend_translator *t,
                                         const struct sequences *target, double *score,
                                         struct attend_error *err)
{
    const size_t variants = (size_t)s->count + 1, width = (size_t)s->source->width;
    struct sequences source = {.start = calloc(variants + 1, sizeof(size_t)),
                               .ids = calloc(1, sizeof(int)),
                               .width = s->source->width,
                               .rows =
                                   malloc(variants * (size_t)s->frames * width * sizeof(float))};
    enum attend_status status = ATTEND_OK;
    if (!source.start || !source.ids || !source.rows) {
        sequences_release(&source);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu variants", variants);
    }
    for (int j = 0; j <= s->count; j++)
        add_variant(&source, s, j);
    status = variants_score(&(struct variants_job){.net = &t->model->net,
                                                   .source = &source,
                                                   .target = target->ids,
                                                   .target_length = sequences_length(target, 0),
                                                   .stop = t->setup.stop},
                            score, err);
    sequences_release(&source);
    return status;
}

/* The whole and each variant run through the model once, with T target words and </s>. */
static enum attend_status check_cost(const struct spans *s, int T, double most,
                                     struct attend_error *err)
{
    const double cost = (s->count + 1.0) * (s->frames + T + 1.0);
    return most == 0 || cost <= most
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE,
                           "%d frames and %d target tokens are too many to explain: they cost %.0f "
                           "steps of the model, and the limit is %.0f",
                           s->frames, T, cost, most);
}

/* ---- The explanation ---- */

static bool fill_words(struct attend_explanation *e, const struct explain_pair *p,
                       const struct spans *s, const struct model *m)
{
    const struct attend_translation *t = &p->translation;
    struct translation_words source = {0}, target = {0};
    for (int j = 0; j < s->count; j++)
        translation_add_word(&source, t->source[j * s->each], strlen(t->source[j * s->each]));
    for (int i = 0; i < t->target_count; i++)
        translation_add_word(&target, t->target[i], strlen(t->target[i]));
    if (!t->complete)
        translation_add_end(&target, m->target.vocab);
    e->source = source.word;
    e->source_count = source.count;
    e->target = target.word;
    e->target_count = target.count;
    return !source.failed && !target.failed;
}

/* value(t, j): the weights of span j, and log P(y_t) - log P(y_t without j). A translation that was
 * cut off has no weights for </s>. */
static bool fill_values(struct attend_explanation *e, const struct attend_translation *t,
                        const struct spans *s, const double *score)
{
    const int S = s->count, T = e->target_count;
    float *attention = t->attention ? calloc((size_t)T * (size_t)S, sizeof *attention) : NULL;
    float *without = calloc((size_t)T * (size_t)S, sizeof *without);
    e->value[ATTEND_ATTENTION] = attention;
    e->value[ATTEND_LEAVE_ONE_OUT] = without;
    for (int i = 0; attention && i < t->target_count; i++)
        for (int c = 0; c < s->columns; c++)
            attention[i * S + c / s->each] += t->attention[i * s->columns + c];
    for (int i = 0; without && i < T; i++) {
        e->log_probability += score[S * T + i];
        for (int j = 0; j < S; j++)
            without[i * S + j] = (float)(score[S * T + i] - score[j * T + i]);
    }
    return without && (attention || !t->attention);
}

/* Correlations of attention with the absolute values of leave-one-out. */
static bool fill_ranks(struct attend_explanation *e)
{
    const float *attention = e->value[ATTEND_ATTENTION], *value = e->value[ATTEND_LEAVE_ONE_OUT];
    const int S = e->source_count, T = e->target_count;
    double *x = calloc(2 * (size_t)S, sizeof *x), *y = x ? x + S : NULL, sum[2] = {0, 0};
    double *kendall = calloc((size_t)T, sizeof *kendall), *spearman = calloc((size_t)T, sizeof *x);
    const bool good = x && kendall && spearman;
    int counted = 0;
    for (int t = 0; attention && good && t < T; t++) {
        for (int j = 0; j < S; j++) {
            x[j] = (double)attention[t * S + j];
            y[j] = fabs((double)value[t * S + j]);
        }
        kendall[t] = rank_kendall(x, y, S);
        spearman[t] = rank_spearman(x, y, S);
        if (t == T - 1 || isnan(kendall[t]) || isnan(spearman[t]))
            continue;
        sum[0] += kendall[t];
        sum[1] += spearman[t];
        counted++;
    }
    free(x);
    e->kendall[ATTEND_LEAVE_ONE_OUT] = kendall;
    e->spearman[ATTEND_LEAVE_ONE_OUT] = spearman;
    e->mean_kendall[ATTEND_LEAVE_ONE_OUT] = counted ? sum[0] / counted : (double)NAN;
    e->mean_spearman[ATTEND_LEAVE_ONE_OUT] = counted ? sum[1] / counted : (double)NAN;
    return good;
}

static enum attend_status explanation_of(struct attend_explanation **out,
                                         const struct explain_pair *p, const struct spans *s,
                                         const struct model *m, const double *score,
                                         struct attend_error *err)
{
    struct attend_explanation *e = calloc(1, sizeof *e);
    for (int k = 0; e && k < ATTEND_MEASURES; k++)
        e->mean_kendall[k] = e->mean_spearman[k] = (double)NAN;
    for (int c = 0; e && c < ATTEND_ORDERS; c++)
        e->area[c] = (double)NAN;
    if (!e || !fill_words(e, p, s, m) || !fill_values(e, &p->translation, s, score) ||
        (p->translation.attention && !fill_ranks(e))) {
        attend_explanation_free(e);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for an explanation");
    }
    *out = e;
    return ATTEND_OK;
}

enum attend_status explain_frames(struct attend_explanation **out, struct attend_translator *t,
                                  const struct attend_explain_job *job, struct attend_error *err)
{
    struct explain_pair p = {0};
    struct spans s = {0};
    double *score = NULL;
    enum attend_status status = job->frames
                                    ? explain_pair_take(&p, t, job->frames, job->target, err)
                                    : explain_pair_read(&p, t, job->source, job->target, NULL, err);
    if (!status) {
        s = spans_of(&p, t->model, job->mask);
        status = check_cost(&s, sequences_length(&p.target.ids, 0), job->max_cost, err);
    }
    if (!status) {
        const size_t T = (size_t)sequences_length(&p.target.ids, 0) + 1;
        score = calloc(((size_t)s.count + 1) * T, sizeof *score);
        status = score ? score_variants(&s, t, &p.target.ids, score, err)
                       : error_set(err, ATTEND_NO_MEMORY, "out of memory for an explanation");
    }
    if (!status)
        status = explanation_of(out, &p, &s, t->model, score, err);
    free(score);
    explain_pair_release(&p);
    return status;
}
