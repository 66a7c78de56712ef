/* The score of each line. */
#include "eval/eval_set.h"

#include "base/error.h"
#include "base/strbuf.h"

#include <stdlib.h>

static enum attend_status sign(struct attend_line_scores *out, const struct measure *m,
                               struct attend_error *err)
{
    struct strbuf text = {0};
    metric_sign(m->ops, &m->settings, m->input->references, 0, 0, &text);
    const enum attend_status status = strbuf_status(&text, err);
    out->metric[out->metrics] = m->ops->name;
    out->signature[out->metrics++] = strbuf_detach(&text);
    return status;
}

/* Score every line in metric `at`. */
static enum attend_status score(struct attend_line_scores *out, const struct measure *m, int at,
                                int metrics, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < out->count && !status; i++) {
        double sums[METRIC_SUMS] = {0};
        status = measure_line(m, 0, i, sums, err);
        out->score[(size_t)i * (size_t)metrics + (size_t)at] = m->ops->score(sums, &m->settings);
    }
    return status;
}

static int count_metrics(const char *list)
{
    int count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

static enum attend_status make(struct attend_line_scores *out, const struct attend_eval_set *set,
                               struct attend_error *err)
{
    const char *list = set->options.metric;
    const int metrics = count_metrics(list);
    struct measure m = {.input = &set->input, .settings = measure_settings(&set->options)};
    m.settings.effective_order = true;
    out->metric = calloc((size_t)metrics, sizeof *out->metric);
    out->signature = calloc((size_t)metrics, sizeof *out->signature);
    out->line = calloc((size_t)set->input.count, sizeof *out->line);
    out->score = calloc((size_t)set->input.count, (size_t)metrics * sizeof *out->score);
    if (!out->metric || !out->signature || !out->line || !out->score)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d lines", set->input.count);
    out->count = set->input.count;
    for (int i = 0; i < out->count; i++)
        out->line[i] = (long)eval_input_number(&set->input, i);
    enum attend_status status = ATTEND_OK;
    for (int at = 0; list && !status; at++) {
        status = measure_next(&list, &m.ops, err);
        if (!status)
            status = sign(out, &m, err);
        if (!status)
            status = score(out, &m, at, metrics, err);
    }
    return status;
}

enum attend_status attend_eval_set_lines(struct attend_line_scores **out,
                                         const struct attend_eval_set *set,
                                         struct attend_error *err)
{
    struct attend_line_scores *scores = calloc(1, sizeof *scores);
    if (!scores)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for scores");
    const enum attend_status status = make(scores, set, err);
    if (status)
        attend_line_scores_free(scores);
    else
        *out = scores;
    return status;
}

void attend_line_scores_free(struct attend_line_scores *s)
{
    if (!s)
        return;
    for (int i = 0; s->signature && i < s->metrics; i++)
        free(s->signature[i]);
    free(s->signature);
    free(s->metric);
    free(s->line);
    free(s->score);
    free(s);
}
