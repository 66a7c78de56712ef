#include "attend/eval.h"

#include "eval/eval_set.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "metric/bootstrap.h"
#include "settings/tables.h"

#include <stdlib.h>
#include <string.h>

/* ---- One metric ---- */

static int resamples_of(const struct attend_eval_options *options)
{
    return options->confidence || options->compare ? options->resamples : 0;
}

/* The statistics of an output: a row per line if they are resampled, otherwise a row of sums. */
struct statistics {
    double *row; /* (rows, sums of the metric) */
    int rows;
};

static enum attend_status collect(struct statistics *out, const struct measure *m, int output,
                                  bool each, struct attend_error *err)
{
    const size_t width = (size_t)m->ops->sums;
    out->rows = each ? m->input->count : 1;
    out->row = calloc((size_t)out->rows, width * sizeof *out->row);
    if (!out->row)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the statistics of %d lines",
                         out->rows);
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < m->input->count && !status; i++)
        status = measure_line(m, output, i, out->row + (each ? (size_t)i * width : 0), err);
    return status;
}

static double score_of(const struct measure *m, const struct statistics *stats)
{
    const int width = m->ops->sums;
    double sums[METRIC_SUMS] = {0};
    for (int i = 0; i < stats->rows; i++)
        for (int s = 0; s < width; s++)
            sums[s] += stats->row[(size_t)i * (size_t)width + (size_t)s];
    return m->ops->score(sums, &m->settings);
}

/* Fill in the results of resampling. The scores over all lines are set already. */
static enum attend_status resample(const struct measure *m, const struct statistics *stats,
                                   const struct attend_eval_options *options,
                                   struct attend_metric_result *score, struct attend_error *err)
{
    const int resamples = options->resamples;
    double *sampled[ATTEND_OUTPUTS] = {0};
    enum attend_status status = ATTEND_OK;
    for (int o = 0; o < m->input->outputs && !status; o++) {
        const struct bootstrap b = {m->ops, &m->settings, stats[o].row, stats[o].rows};
        sampled[o] = malloc((size_t)resamples * sizeof *sampled[o]);
        if (sampled[o])
            bootstrap_scores(&b, (uint64_t)options->seed, sampled[o], resamples);
        else
            status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d resamples", resamples);
    }
    if (!status && sampled[1])
        score->p = bootstrap_p(sampled[0], sampled[1], resamples, score->score - score->other);
    if (!status) {
        const struct bootstrap_interval interval = bootstrap_interval(sampled[0], resamples);
        score->mean = interval.mean;
        score->low = interval.low;
        score->high = interval.high;
    }
    free(sampled[0]);
    free(sampled[1]);
    return status;
}

static enum attend_status sign(const struct measure *m, const struct attend_eval_options *options,
                               struct attend_metric_result *score, struct attend_error *err)
{
    struct strbuf text = {0};
    metric_sign(m->ops, &m->settings, m->input->references, resamples_of(options), options->seed,
                &text);
    const enum attend_status status = strbuf_status(&text, err);
    score->signature = strbuf_detach(&text);
    return status;
}

static enum attend_status measure(const struct measure *m,
                                  const struct attend_eval_options *options,
                                  struct attend_metric_result *score, struct attend_error *err)
{
    struct statistics stats[ATTEND_OUTPUTS] = {0};
    *score = (struct attend_metric_result){.metric = m->ops->name,
                                           .label = m->ops->label,
                                           .unit = m->ops->unit,
                                           .lower_is_better = m->ops->lower_is_better};
    enum attend_status status = sign(m, options, score, err);
    for (int o = 0; o < m->input->outputs && !status; o++)
        status = collect(&stats[o], m, o, resamples_of(options), err);
    if (!status) {
        score->score = score_of(m, &stats[0]);
        score->other = stats[1].rows ? score_of(m, &stats[1]) : 0;
        if (resamples_of(options))
            status = resample(m, stats, options, score, err);
    }
    for (int o = 0; o < ATTEND_OUTPUTS; o++)
        free(stats[o].row);
    return status;
}

/* ---- All metrics ---- */

static enum attend_status scores_new(struct attend_evaluation **out,
                                     const struct attend_eval_options *options, long lines,
                                     struct attend_error *err)
{
    size_t most = 1;
    for (const char *at = options->metric; *at; at++)
        most += *at == ',';
    struct attend_evaluation *scores = calloc(1, sizeof *scores);
    if (scores)
        scores->item = calloc(most, sizeof *scores->item);
    if (!scores || !scores->item) {
        attend_evaluation_free(scores);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu metrics", most);
    }
    scores->lines = lines;
    scores->confidence = options->confidence;
    scores->compared = options->compare;
    scores->resamples = resamples_of(options);
    *out = scores;
    return ATTEND_OK;
}

static bool has(const struct attend_evaluation *scores, const struct metric_ops *ops)
{
    for (int i = 0; i < scores->count; i++)
        if (scores->item[i].metric == ops->name)
            return true;
    return false;
}

enum attend_status eval_scores(struct attend_evaluation **out, const struct eval_input *input,
                               const struct attend_eval_options *options, struct attend_error *err)
{
    const char *list = options->metric;
    struct attend_evaluation *scores = NULL;
    struct measure m = {.input = input, .settings = measure_settings(options)};
    enum attend_status status = scores_new(&scores, options, input->count, err);
    while (!status && list) {
        status = measure_next(&list, &m.ops, err);
        if (!status && !has(scores, m.ops))
            status = measure(&m, options, &scores->item[scores->count++], err);
    }
    if (status)
        attend_evaluation_free(scores);
    else
        *out = scores;
    return status;
}

static enum attend_status evaluate(struct attend_evaluation **out,
                                   const struct attend_eval_options *options,
                                   struct attend_error *err)
{
    struct eval_input input;
    enum attend_status status = measure_check(options, err);
    if (status)
        return status;
    status = eval_input_read(&input, options, err);
    if (!status)
        status = eval_scores(out, &input, options, err);
    eval_input_release(&input);
    return status;
}

enum attend_status attend_evaluate(struct attend_evaluation **out,
                                   const struct attend_eval_options *options,
                                   struct attend_error *err)
{
    struct attend_eval_options o;
    const enum attend_status status = SETTINGS_TAKE(&o, eval_tables, options, err);
    return status ? status : evaluate(out, &o, err);
}

void attend_evaluation_free(struct attend_evaluation *scores)
{
    for (int i = 0; scores && i < scores->count; i++)
        free(scores->item[i].signature);
    if (scores)
        free(scores->item);
    free(scores);
}
