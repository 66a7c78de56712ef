#include "attend/eval.h"

#include "eval/eval_set.h"
#include "base/error.h"
#include "settings/tables.h"

#include <limits.h>
#include <stdlib.h>

static int group_of(const struct eval_input *input, int line, int width)
{
    /* Lines without words are group 0. */
    const long long words = (long long)lines_words(input->source[line]);
    return (int)((words + width - 1) / width);
}

static int capped(long long number) { return number < INT_MAX ? (int)number : INT_MAX; }

/* The lines of a group, with the sums of the metric for each output. */
struct group {
    long lines;
    double sums[ATTEND_OUTPUTS][METRIC_SUMS];
};

static enum attend_status count_group(const struct measure *m, int line, struct group *group,
                                      struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    group->lines++;
    for (int o = 0; o < m->input->outputs && !status; o++)
        status = measure_line(m, o, line, group->sums[o], err);
    return status;
}

static struct attend_length_row row_of(const struct measure *m, const struct group *group, int from,
                                       int to)
{
    struct attend_length_row row = {.from = from, .to = to, .lines = group->lines};
    for (int o = 0; o < m->input->outputs; o++)
        row.score[o] = m->ops->score(group->sums[o], &m->settings);
    return row;
}

/* Add a row for each group that has lines, and the row of all lines. */
static void add_rows(struct attend_length_table *table, const struct measure *m,
                     const struct group *group, int groups, int width)
{
    struct group all = {0};
    for (int g = 0; g < groups; g++) {
        const long long to = (long long)g * width;
        if (!group[g].lines)
            continue;
        table->row[table->count++] =
            row_of(m, &group[g], g ? capped(to - width + 1) : 0, capped(to));
        all.lines += group[g].lines;
        for (int o = 0; o < m->input->outputs; o++)
            for (int s = 0; s < m->ops->sums; s++)
                all.sums[o][s] += group[g].sums[o][s];
    }
    table->all = row_of(m, &all, 0, 0);
}

static enum attend_status fill_table(struct attend_length_table *table, const struct measure *m,
                                     int width, struct attend_error *err)
{
    const struct eval_input *input = m->input;
    int groups = 1;
    for (int i = 0; i < input->count; i++)
        groups = group_of(input, i, width) >= groups ? group_of(input, i, width) + 1 : groups;
    struct group *group = calloc((size_t)groups, sizeof *group);
    table->row = calloc((size_t)groups, sizeof *table->row);
    enum attend_status status = ATTEND_OK;
    if (!group || !table->row)
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d groups of lengths", groups);
    for (int i = 0; i < input->count && !status; i++)
        status = count_group(m, i, &group[group_of(input, i, width)], err);
    if (!status)
        add_rows(table, m, group, groups, width);
    free(group);
    return status;
}

static enum attend_status table_new(struct attend_length_table **out, const struct measure *m,
                                    int width, struct attend_error *err)
{
    struct attend_length_table *table = calloc(1, sizeof *table);
    if (!table)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a table");
    table->label = m->ops->label;
    table->unit = m->ops->unit;
    table->outputs = m->input->outputs;
    const enum attend_status status = fill_table(table, m, width, err);
    if (status)
        attend_length_table_free(table);
    else
        *out = table;
    return status;
}

static enum attend_status check(const struct metric_ops **metric,
                                const struct attend_eval_options *options, struct attend_error *err)
{
    const char *list = options->metric;
    enum attend_status status = measure_next(&list, metric, err);
    if (!status && list)
        status = error_set(err, ATTEND_USAGE, "a table by length takes one metric");
    return status;
}

enum attend_status by_length_table(struct attend_length_table **out, const struct eval_input *input,
                                   const struct attend_eval_options *options,
                                   struct attend_error *err)
{
    struct measure m = {.input = input, .settings = measure_settings(options)};
    enum attend_status status = check(&m.ops, options, err);
    if (!status && (!input->source || options->by_length < 1))
        status = error_set(err, ATTEND_USAGE, "a table by length needs `src` and `by_length`");
    return status ? status : table_new(out, &m, options->by_length, err);
}

static enum attend_status by_length(struct attend_length_table **out,
                                    const struct attend_eval_options *options,
                                    struct attend_error *err)
{
    const struct metric_ops *metric;
    struct eval_input input = {0};
    enum attend_status status = check(&metric, options, err);
    if (!status && (!options->src || options->by_length < 1))
        status = error_set(err, ATTEND_USAGE, "a table by length needs `src` and `by_length`");
    if (!status)
        status = eval_input_read(&input, options, err);
    if (!status)
        status = eval_input_sources(&input, options, err);
    if (!status)
        status = by_length_table(out, &input, options, err);
    eval_input_release(&input);
    return status;
}

enum attend_status attend_eval_by_length(struct attend_length_table **out,
                                         const struct attend_eval_options *options,
                                         struct attend_error *err)
{
    struct attend_eval_options o;
    const enum attend_status status = SETTINGS_TAKE(&o, eval_tables, options, err);
    return status ? status : by_length(out, &o, err);
}

void attend_length_table_free(struct attend_length_table *table)
{
    if (table)
        free(table->row);
    free(table);
}
