#include "attend/eval.h"

#include "api/measure.h"
#include "base/error.h"

#include <limits.h>
#include <stdlib.h>

static int group_of(const struct lines *source, int line, int width)
{
    /* 0 is the group of lines without words. */
    const long long words = (long long)lines_words(lines_at(source, line, NULL));
    return (int)((words + width - 1) / width);
}

static int capped(long long number) { return number < INT_MAX ? (int)number : INT_MAX; }

/* The lines of a group, by what each output's sums say. */
struct group {
    long lines;
    double sums[ATTEND_OUTPUTS][METRIC_SUMS];
};

static enum attend_status count_group(const struct measure *m, int line, struct group *group,
                                      struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    group->lines++;
    for (int o = 0; o < m->judge->outputs && !status; o++)
        status = measure_line(m, o, line, group->sums[o], err);
    return status;
}

static struct attend_length_row row_of(const struct measure *m, const struct group *group, int from,
                                       int to)
{
    struct attend_length_row row = {.from = from, .to = to, .lines = group->lines};
    for (int o = 0; o < m->judge->outputs; o++)
        row.score[o] = m->ops->score(group->sums[o], &m->settings);
    return row;
}

/* Add the rows, and the row of all lines, of which *groups are the first. */
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
        for (int o = 0; o < m->judge->outputs; o++)
            for (int s = 0; s < m->ops->sums; s++)
                all.sums[o][s] += group[g].sums[o][s];
    }
    table->all = row_of(m, &all, 0, 0);
}

static enum attend_status fill_table(struct attend_length_table *table, const struct measure *m,
                                     const struct lines *source, int width,
                                     struct attend_error *err)
{
    int groups = 1;
    for (int i = 0; i < source->count; i++)
        groups = group_of(source, i, width) >= groups ? group_of(source, i, width) + 1 : groups;
    struct group *group = calloc((size_t)groups, sizeof *group);
    table->row = calloc((size_t)groups, sizeof *table->row);
    enum attend_status status = ATTEND_OK;
    if (!group || !table->row)
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d groups of lengths", groups);
    for (int i = 0; i < source->count && !status; i++)
        status = count_group(m, i, &group[group_of(source, i, width)], err);
    if (!status)
        add_rows(table, m, group, groups, width);
    free(group);
    return status;
}

static enum attend_status table_new(struct attend_length_table **out, const struct measure *m,
                                    const struct eval_options *options, const struct lines *source,
                                    struct attend_error *err)
{
    struct attend_length_table *table = calloc(1, sizeof *table);
    if (!table)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a table");
    table->label = m->ops->label;
    table->unit = m->ops->unit;
    table->outputs = m->judge->outputs;
    const enum attend_status status = fill_table(table, m, source, options->by_length, err);
    if (status)
        attend_length_table_free(table);
    else
        *out = table;
    return status;
}

enum attend_status attend_eval_by_length(struct attend_length_table **out,
                                         const struct attend_options *o, struct attend_error *err)
{
    const struct eval_options *options = &o->eval;
    const char *list = options->metric;
    struct lines source = {0};
    struct judge judge = {0};
    struct measure m = {.judge = &judge, .settings = measure_settings(options)};
    enum attend_status status = measure_next(&list, &m.ops, err);
    if (!status && list)
        status = error_set(err, ATTEND_USAGE, "a table by length takes one metric");
    if (!status && (!options->src || options->by_length < 1))
        status = error_set(err, ATTEND_USAGE, "a table by length needs --src and --by-length");
    if (!status)
        status = judge_read(&judge, options, err);
    if (!status)
        status = lines_read(&source, options->src, err);
    if (!status)
        status = judge_same_count(options->src, source.count, options->hyp ? options->hyp : "-",
                                  judge.count, err);
    if (!status)
        status = table_new(out, &m, options, &source, err);
    lines_release(&source);
    judge_release(&judge);
    return status;
}

void attend_length_table_free(struct attend_length_table *table)
{
    if (table)
        free(table->row);
    free(table);
}
