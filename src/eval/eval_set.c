#include "eval/eval_set.h"

#include "base/error.h"
#include "settings/tables.h"

#include <stdlib.h>
#include <string.h>

typedef enum attend_status read_fn(struct eval_input *, const struct attend_eval_options *,
                                   struct attend_error *err);

static enum attend_status make(struct attend_eval_set **out,
                               const struct attend_eval_options *options, read_fn *read,
                               struct attend_error *err)
{
    struct attend_eval_set *set = calloc(1, sizeof *set);
    if (!set)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for an evaluation");
    enum attend_status status = SETTINGS_TAKE(&set->options, eval_tables, options, err);
    if (!status)
        status = measure_check(&set->options, err);
    if (!status)
        status = read(&set->input, &set->options, err);
    if (status)
        attend_eval_set_free(set);
    else
        *out = set;
    return status;
}

static enum attend_status read_both(struct eval_input *input,
                                    const struct attend_eval_options *options,
                                    struct attend_error *err)
{
    const enum attend_status status = eval_input_read(input, options, err);
    return status || !options->src ? status : eval_input_sources(input, options, err);
}

enum attend_status attend_eval_set_load(struct attend_eval_set **out,
                                        const struct attend_eval_options *options,
                                        struct attend_error *err)
{
    return make(out, options, read_both, err);
}

enum attend_status attend_eval_set_ask(struct attend_eval_set **out,
                                       const struct attend_eval_options *options,
                                       struct attend_error *err)
{
    return make(out, options, eval_input_ask, err);
}

void attend_eval_set_free(struct attend_eval_set *set)
{
    if (set)
        eval_input_release(&set->input);
    free(set);
}

int attend_eval_set_count(const struct attend_eval_set *set) { return set->input.count; }

const char *attend_eval_set_source(const struct attend_eval_set *set, int i)
{
    return set->input.source ? set->input.source[i] : NULL;
}

long attend_eval_set_number(const struct attend_eval_set *set, int i)
{
    return (long)eval_input_number(&set->input, i);
}

enum attend_status attend_eval_set_answer(struct attend_eval_set *set, int i, const char *text,
                                          struct attend_error *err)
{
    if (!set->input.answered)
        return error_set(err, ATTEND_USAGE, "the outputs of this set were read from a file");
    char *copy = strdup(text);
    if (!copy)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the output of line %d", i + 1);
    free(set->input.answered[i]);
    set->input.answered[i] = copy;
    return ATTEND_OK;
}

int attend_eval_set_right(const struct attend_eval_set *set, int i)
{
    double sums[METRIC_SUMS] = {0};
    const struct measure m = {
        .input = &set->input, .ops = &metric_accuracy, .settings = measure_settings(&set->options)};
    if (measure_line(&m, 0, i, sums, NULL))
        return -1;
    return metric_accuracy.score(sums, &m.settings) > 0;
}

enum attend_status attend_eval_set_scores(struct attend_evaluation **out,
                                          const struct attend_eval_set *set,
                                          struct attend_error *err)
{
    return eval_scores(out, &set->input, &set->options, err);
}

enum attend_status attend_eval_set_by_length(struct attend_length_table **out,
                                             const struct attend_eval_set *set,
                                             struct attend_error *err)
{
    return by_length_table(out, &set->input, &set->options, err);
}
