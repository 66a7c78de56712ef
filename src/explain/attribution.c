#include "explain/attribution.h"

#include "base/error.h"
#include "explain/gradient.h"
#include "explain/trace.h"
#include "explain/variants.h"
#include "metric/rank.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>

static bool looks(const struct seq2seq *net)
{
    return net->decoder.attention.ops != &attention_none;
}

/* ---- Memory ---- */

static enum attend_status take_memory(struct attribution *a, const struct attribution_job *job,
                                      struct attend_error *err)
{
    const size_t T = (size_t)a->T, values = (size_t)a->S * T;
    const bool has[ATTRIBUTION_KINDS] = {looks(job->net), true, job->trains, job->trains};
    a->block = calloc(ATTRIBUTION_KINDS * values + T + (size_t)a->S, sizeof *a->block);
    if (!a->block)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu attributions", values);
    for (int k = 0; k < ATTRIBUTION_KINDS; k++)
        a->value[k] = has[k] ? a->block + (size_t)k * values : NULL;
    a->score = a->block + ATTRIBUTION_KINDS * values;
    a->size = a->score + T;
    return ATTEND_OK;
}

void attribution_release(struct attribution *a)
{
    free(a->block);
    *a = (struct attribution){0};
}

/* ---- Attention, and the probability of the target ---- */

static enum attend_status attend_to(struct attribution *a, const struct attribution_job *job,
                                    struct attend_error *err)
{
    struct trace trace;
    const struct trace_job steps = {.net = job->net,
                                    .source = job->source,
                                    .target = job->target,
                                    .source_length = job->source_length,
                                    .target_length = job->target_length,
                                    .stop = job->stop};
    const enum attend_status status = trace_run(&trace, &steps, err);
    double *value = a->value[ATTRIBUTION_ATTENTION];
    for (int t = 0; t < a->T && !status; t++) {
        a->score[t] = trace.word[t].log_probability;
        for (int k = 0; value && k < trace.heads * a->S; k++)
            value[t * a->S + k % a->S] +=
                (double)trace.weight[t * trace.heads * a->S + k] / trace.heads;
    }
    trace_release(&trace);
    return status;
}

/* ---- Leave-one-out ---- */

void attribution_reduce(const struct attribution_job *job, const bool *gone, struct sequences *out)
{
    size_t at = out->start[out->count];
    for (int j = 0; j < job->source_length; j++)
        if (!gone[j])
            out->ids[at++] = job->source[j];
        else if (job->mask)
            out->ids[at++] = VOCAB_UNK;
    out->start[++out->count] = at;
}

/* value(t, j) = log P(y_t) - log P(y_t without j), from the scores (S, T) of the variants; the last
 * variant is the whole sentence. */
static void compare(struct attribution *a, const double *score)
{
    double *value = a->value[ATTRIBUTION_LEAVE_ONE_OUT];
    const int words = a->S - 1;
    for (int t = 0; t < a->T; t++) {
        for (int j = 0; j < words; j++)
            value[t * a->S + j] = score[words * a->T + t] - score[j * a->T + t];
        value[t * a->S + words] = (double)NAN;
    }
}

static enum attend_status leave_out(struct attribution *a, const struct attribution_job *job,
                                    struct attend_error *err)
{
    const size_t words = (size_t)job->source_length, variants = words + 1;
    struct sequences source = {.start = calloc(variants + 1, sizeof(size_t)),
                               .ids = malloc((variants * words + 1) * sizeof(int))};
    bool *gone = calloc(variants, sizeof *gone);
    double *score = malloc(variants * (size_t)a->T * sizeof *score);
    enum attend_status status = ATTEND_OK;
    if (!source.start || !source.ids || !gone || !score) {
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu variants", variants);
        goto done;
    }
    for (size_t j = 0; j < variants; j++) {
        gone[j] = true;
        if (j)
            gone[j - 1] = false;
        attribution_reduce(job, gone, &source);
    }
    status = variants_score(
        &(struct variants_job){job->net, &source, job->target, job->target_length, job->stop},
        score, err);
    if (!status)
        compare(a, score);
done:
    sequences_release(&source);
    free(gone);
    free(score);
    return status;
}

/* ---- Gradients ---- */

/* The largest difference between a sum of integrated gradients and its exact value. */
static enum attend_status check_sums(struct attribution *a, const struct gradient_job *job,
                                     struct attend_error *err)
{
    double *score = malloc(2 * (size_t)a->T * sizeof *score);
    enum attend_status status = score
                                    ? gradient_scores(job, 1, score, err)
                                    : error_set(err, ATTEND_NO_MEMORY, "out of memory for scores");
    if (!status)
        status = gradient_scores(job, 0, score + a->T, err);
    for (int t = 0; t < a->T && !status; t++) {
        double sum = 0;
        for (int j = 0; j < a->S; j++)
            sum += a->value[ATTRIBUTION_INTEGRATED][t * a->S + j];
        const double off = fabs(sum - (score[t] - score[a->T + t]));
        if (!(off <= a->incompleteness)) /* NaN must not be hidden */
            a->incompleteness = off;
    }
    free(score);
    return status;
}

static enum attend_status differentiate(struct attribution *a, const struct attribution_job *job,
                                        struct attend_error *err)
{
    struct gradient_job gradient = {.net = job->trains,
                                    .source = job->source,
                                    .target = job->target,
                                    .source_length = job->source_length,
                                    .target_length = job->target_length,
                                    .stop = job->stop};
    enum attend_status status = gradient_run(&gradient, a->value[ATTRIBUTION_GRADIENT], err);
    gradient.points = job->ig_steps;
    if (!status)
        status = gradient_run(&gradient, a->value[ATTRIBUTION_INTEGRATED], err);
    return status ? status : check_sums(a, &gradient, err);
}

enum attend_status attribution_run(struct attribution *a, const struct attribution_job *job,
                                   struct attend_error *err)
{
    *a = (struct attribution){.S = job->source_length + 1, .T = job->target_length + 1};
    enum attend_status status = take_memory(a, job, err);
    if (!status)
        status = attend_to(a, job, err);
    if (!status)
        status = leave_out(a, job, err);
    if (!status && job->trains)
        status = differentiate(a, job, err);
    return status;
}

/* ---- Ranks ---- */

struct attribution_ranks attribution_ranks(const struct attribution *a, enum attribution_kind kind,
                                           int t)
{
    const int words = a->S - 1;
    const double *attention = a->value[ATTRIBUTION_ATTENTION], *value = a->value[kind];
    struct attribution_ranks ranks = {(double)NAN, (double)NAN};
    if (!value || !attention)
        return ranks;
    for (int j = 0; j < words; j++)
        a->size[j] = fabs(value[t * a->S + j]);
    ranks = (struct attribution_ranks){rank_kendall(attention + t * a->S, a->size, words),
                                       rank_spearman(attention + t * a->S, a->size, words)};
    return ranks;
}

int attribution_top(const struct attribution *a, enum attribution_kind kind, int t)
{
    const double *row = a->value[kind] + t * a->S;
    int top = 0;
    for (int j = 1; j < a->S - 1; j++)
        top = row[j] > row[top] ? j : top;
    return top;
}
