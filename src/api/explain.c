#include "attend/explain.h"

#include "api/explain_frames.h"
#include "api/explain_pair.h"
#include "base/error.h"
#include "explain/deletion.h"
#include "explain/gradient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)ATTEND_MEASURES == (int)ATTRIBUTION_KINDS &&
                   (int)ATTEND_INTEGRATED == (int)ATTRIBUTION_INTEGRATED &&
                   (int)ATTEND_ORDERS == (int)DELETION_CURVES,
               "the same numbers inside and out");

/* ---- Copies ---- */

static double *copy_numbers(const double *from, int count)
{
    double *to = malloc(((size_t)count + 1) * sizeof *to);
    if (to)
        memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

static bool copy_values(struct attend_explanation *e, const struct attribution *a)
{
    const size_t count = (size_t)a->S * (size_t)a->T;
    for (int k = 0; k < ATTEND_MEASURES; k++) {
        if (!a->value[k])
            continue;
        e->value[k] = malloc(count * sizeof *e->value[k]);
        if (!e->value[k])
            return false;
        for (size_t i = 0; i < count; i++)
            e->value[k][i] = (float)a->value[k][i];
    }
    return true;
}

/* The mean over the words without </s>, where NAN values are left out. */
static double mean_of(const double *x, int words)
{
    double sum = 0;
    int count = 0;
    for (int t = 0; t < words; t++)
        if (!isnan(x[t])) {
            sum += x[t];
            count++;
        }
    return count ? sum / count : (double)NAN;
}

static bool copy_ranks(struct attend_explanation *e, const struct attribution *a)
{
    for (int k = 0; k < ATTEND_MEASURES; k++) {
        e->mean_kendall[k] = e->mean_spearman[k] = (double)NAN;
        if (k == ATTEND_ATTENTION || !a->value[k] || !a->value[ATTRIBUTION_ATTENTION])
            continue;
        e->kendall[k] = calloc((size_t)a->T, sizeof *e->kendall[k]);
        e->spearman[k] = calloc((size_t)a->T, sizeof *e->spearman[k]);
        if (!e->kendall[k] || !e->spearman[k])
            return false;
        for (int t = 0; t < a->T; t++) {
            const struct attribution_ranks r = attribution_ranks(a, (enum attribution_kind)k, t);
            e->kendall[k][t] = r.kendall;
            e->spearman[k][t] = r.spearman;
        }
        e->mean_kendall[k] = mean_of(e->kendall[k], a->T - 1);
        e->mean_spearman[k] = mean_of(e->spearman[k], a->T - 1);
    }
    return true;
}

static bool copy_curves(struct attend_explanation *e, const struct deletion *d)
{
    e->points = d->points;
    for (int c = 0; c < ATTEND_ORDERS; c++) {
        e->area[c] = d->y[c] ? d->area[c] : (double)NAN;
        e->curve[c] = d->y[c] ? copy_numbers(d->y[c], d->points) : NULL;
        if (d->y[c] && !e->curve[c])
            return false;
    }
    return true;
}

/* Move the words to the explanation. </s> is appended to a translation that was cut off. */
static bool take_words(struct attend_explanation *e, struct explain_pair *p, const struct model *m)
{
    struct attend_translation *t = &p->translation;
    struct translation_words target = {
        .word = t->target, .count = t->target_count, .size = t->target_count};
    e->source = t->source;
    e->source_count = t->source_count;
    t->source = NULL;
    t->target = NULL;
    t->source_count = t->target_count = 0;
    if (target.count == tokenized_count(&p->target, 0))
        translation_add_end(&target, m->target.vocab);
    e->target = target.word;
    e->target_count = target.count;
    return !target.failed;
}

/* ---- Explaining ---- */

enum { IG_STEPS = 32 };

static enum attend_status explanation_of(struct attend_explanation **out, struct explain_pair *p,
                                         const struct model *m, const struct attribution *a,
                                         const struct deletion *d, struct attend_error *err)
{
    struct attend_explanation *e = calloc(1, sizeof *e);
    if (!e || !take_words(e, p, m) || !copy_values(e, a) || !copy_ranks(e, a) ||
        !copy_curves(e, d)) {
        attend_explanation_free(e);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for an explanation");
    }
    e->incompleteness = a->incompleteness;
    for (int t = 0; t < a->T; t++)
        e->log_probability += a->score[t];
    *out = e;
    return ATTEND_OK;
}

double attend_explain_cost(int source_count, int target_count, int ig_steps)
{
    const double S = source_count + 1.0, T = target_count + 1.0, copies = T * (S + T / 2);
    const double points = ig_steps ? ig_steps : IG_STEPS, forward_and_backward = 3;
    const double orders = ATTRIBUTION_KINDS + DELETION_DRAWS;
    return S + T + S * (S + T)                            /* attention, leave-one-out */
           + forward_and_backward * (1 + points) * copies /* gradients of each target word */
           + 2 * copies                                   /* the values they must sum to */
           + orders * S * (S / 2 + T);                    /* deletion curves */
}

static enum attend_status check_cost(const struct explain_pair *p,
                                     const struct attend_explain_job *job, struct attend_error *err)
{
    const int source = tokenized_count(&p->source, 0), target = tokenized_count(&p->target, 0);
    const double cost = attend_explain_cost(source, target, job->ig_steps);
    return job->max_cost == 0 || cost <= job->max_cost
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE,
                           "%d source and %d target tokens are too many to explain: they cost "
                           "%.0f steps of the model, and the limit is %.0f",
                           source, target, cost, job->max_cost);
}

enum attend_status attend_explain(struct attend_explanation **out, struct attend_translator *t,
                                  const struct attend_explain_job *job, struct attend_error *err)
{
    const struct seq2seq *net = &t->model->net;
    struct explain_pair p = {0};
    struct gradient_net trains = {0};
    struct attribution a = {0};
    struct deletion d = {0};
    if (t->model->source.frames || job->frames)
        return explain_frames(out, t, job, err);
    enum attend_status status = explain_pair_make(&p, t, job->source, job->target, NULL, err);
    if (!status)
        status = check_cost(&p, job, err);
    if (!status && !net->int8)
        status = gradient_net_init(&trains, net, err);
    if (status)
        goto done;
    const struct attribution_job one = {.net = net,
                                        .trains = net->int8 ? NULL : &trains.net,
                                        .source = p.source.ids.ids,
                                        .target = p.target.ids.ids,
                                        .source_length = tokenized_count(&p.source, 0),
                                        .target_length = tokenized_count(&p.target, 0),
                                        .mask = job->mask,
                                        .ig_steps = job->ig_steps ? job->ig_steps : IG_STEPS,
                                        .stop = t->setup.stop};
    status = attribution_run(&a, &one, err);
    if (!status)
        status = deletion_run(&d, &one, &a, (uint64_t)job->seed, err);
    if (!status)
        status = explanation_of(out, &p, t->model, &a, &d, err);
done:
    attribution_release(&a);
    deletion_release(&d);
    gradient_net_release(&trains);
    explain_pair_release(&p);
    return status;
}

void attend_explanation_free(struct attend_explanation *e)
{
    if (!e)
        return;
    translation_free_words(e->source, e->source_count);
    translation_free_words(e->target, e->target_count);
    for (int k = 0; k < ATTEND_MEASURES; k++) {
        free(e->value[k]);
        free(e->kendall[k]);
        free(e->spearman[k]);
    }
    for (int c = 0; c < ATTEND_ORDERS; c++)
        free(e->curve[c]);
    free(e);
}

float *attend_explanation_shares(const struct attend_explanation *e, enum attend_measure measure)
{
    const float *value = e->value[measure];
    float *share =
        value ? malloc(((size_t)e->target_count * (size_t)e->source_count + 1) * sizeof *share)
              : NULL;
    for (int t = 0; share && t < e->target_count; t++) {
        const float *row = value + t * e->source_count;
        float *to = share + t * e->source_count, sum = 0;
        for (int j = 0; j < e->source_count; j++)
            sum += isnan(row[j]) ? 0 : fabsf(row[j]);
        for (int j = 0; j < e->source_count; j++)
            to[j] = measure == ATTEND_ATTENTION ? row[j] : fabsf(row[j]) / (sum > 0 ? sum : 1);
    }
    return share;
}
