#include "eval/measure.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "metric/bleu.h"
#include "metric/words.h"

#include <stdio.h>
#include <string.h>

static enum attend_status unknown_metric(const char *name, int length, struct attend_error *err)
{
    struct strbuf known = {0};
    for (int i = 0; metric_name(i); i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", metric_name(i));
    const enum attend_status status =
        error_set(err, ATTEND_USAGE, "there is no metric '%.*s'; known are %s", length, name,
                  known.failed ? "others" : known.text);
    strbuf_release(&known);
    return status;
}

enum attend_status measure_next(const char **list, const struct metric_ops **out,
                                struct attend_error *err)
{
    const int length = (int)strcspn(*list, ",");
    char name[32];
    snprintf(name, sizeof name, "%.*s", length, *list);
    *out = metric_find(name);
    if (!*out)
        return unknown_metric(*list, length, err);
    *list = (*list)[length] ? *list + length + 1 : NULL;
    return ATTEND_OK;
}

enum attend_status measure_check(const struct attend_eval_options *options,
                                 struct attend_error *err)
{
    const struct metric_ops *ops;
    enum attend_status status = ATTEND_OK;
    for (const char *list = options->metric; list && !status;)
        status = measure_next(&list, &ops, err);
    return status;
}

struct metric_settings measure_settings(const struct attend_eval_options *options)
{
    return (struct metric_settings){
        .rules = options->tokenize ? words_find(options->tokenize) : NULL,
        .lowercase = options->lowercase,
        .smoothing = bleu_smoothing_find(options->smooth),
        .every_order = options->every_order,
    };
}

enum attend_status measure_line(const struct measure *m, int output, int line, double *sums,
                                struct attend_error *err)
{
    const struct eval_input *j = m->input;
    const size_t first = j->start[line];
    return m->ops->collect(eval_input_output(j, output, line), j->ref + first,
                           (int)(j->start[line + 1] - first), &m->settings, sums, err);
}
