#include "api/focus.h"

#include "api/translation.h"
#include "base/error.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parsing ---- */

/* Parse a place, counted from 1 and followed by `end`; both are skipped. *out counts from 0, so that
 * 0 becomes -1. */
static bool read_place(const char **text, char end, int *out)
{
    char *after;
    errno = 0;
    const long number = strtol(*text, &after, 10);
    const bool good = after != *text && **text >= '0' && **text <= '9' && *after == end && !errno &&
                      number < INT_MAX;
    *out = good ? (int)number - 1 : 0;
    *text = good ? after + 1 : *text;
    return good;
}

/* Parse one "T:J=W"; it and the comma after it are skipped. */
static bool read_focus(const char **text, struct attend_focus *out)
{
    char *after;
    if (!read_place(text, ':', &out->target) || !read_place(text, '=', &out->source))
        return false;
    out->weight = strtod(*text, &after);
    const bool good = after != *text && (*after == ',' || !*after) && isfinite(out->weight);
    *text = *after == ',' ? after + 1 : after;
    return good && !(*after == ',' && !after[1]);
}

static enum attend_status refuse_text(const char *text, bool readable, struct attend_error *err)
{
    return error_set(err, ATTEND_USAGE,
                     readable ? "'%.200s' has a 0: steps and source tokens count from 1, so the "
                                "first word at the first source token is 1:1=W"
                              : "'%.200s' is not T:J=W[,T:J=W...]: a step from 1, a source token "
                                "from 1 and a weight from 0 to 1",
                     text);
}

enum attend_status attend_focus_parse(struct attend_focus **out, int *count, const char *text,
                                      struct attend_error *err)
{
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    struct attend_focus *focus = calloc(most, sizeof *focus);
    if (!focus)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu steps", most);
    int read = 0;
    bool good = true, zero = false;
    for (const char *at = text; good && (*at || !read); read++) {
        good = read_focus(&at, &focus[read]);
        zero = zero || focus[read].target < 0 || focus[read].source < 0;
    }
    if (!good || zero) {
        free(focus);
        return refuse_text(text, good, err);
    }
    *out = focus;
    *count = read;
    return ATTEND_OK;
}

/* ---- Checking ---- */

static enum attend_status check_one(const struct attend_focus *f, int source_count,
                                    struct attend_error *err)
{
    if (f->target < 0 || f->target > SEQUENCES_MAX_LENGTH)
        return error_set(err, ATTEND_USAGE, "there is no step %d (counted from 1)", f->target + 1);
    if (f->source < 0 || f->source >= source_count)
        return error_set(err, ATTEND_USAGE,
                         "there is no source token %d (counted from 1); the sentence has %d, and "
                         "the last is </s>",
                         f->source + 1, source_count);
    if (!(f->weight >= 0 && f->weight <= 1))
        return error_set(err, ATTEND_USAGE, "a weight must be from 0 to 1, not %g", f->weight);
    return ATTEND_OK;
}

/* In sorted order, duplicates are neighbors. */
static enum attend_status check_twice(const struct attend_focus *f, int count,
                                      struct attend_error *err)
{
    for (int i = 1; i < count; i++)
        if (f[i - 1].target == f[i].target && f[i - 1].source == f[i].source)
            return error_set(err, ATTEND_USAGE,
                             "step %d has two weights for source token %d (both counted from 1)",
                             f[i].target + 1, f[i].source + 1);
    return ATTEND_OK;
}

/* The weights of a step sum to at most 1; if they sum to less, other words must take the rest. */
static enum attend_status check_step(const struct attention_focus *step, int number,
                                     int source_count, struct attend_error *err)
{
    const double slack = 1e-6;
    double sum = 0;
    for (int k = 0; k < step->count; k++)
        sum += (double)step->weight[k];
    if (sum > 1 + slack)
        return error_set(err, ATTEND_USAGE,
                         "the weights of step %d (counted from 1) sum to %g, more than 1",
                         number + 1, sum);
    if (step->count == source_count && sum < 1 - slack)
        return error_set(err, ATTEND_USAGE,
                         "the weights of step %d (counted from 1) sum to %g, and no source token "
                         "is left for the rest",
                         number + 1, sum);
    return ATTEND_OK;
}

/* ---- Grouping by step ---- */

static int by_step(const void *a, const void *b)
{
    const struct attend_focus *x = a, *y = b;
    return x->target != y->target ? (x->target > y->target ? 1 : -1)
                                  : (x->source > y->source) - (x->source < y->source);
}

/* Make a sorted copy and check it. Because of the sorting, the work does not grow with the square
 * of the number of weights. */
static enum attend_status sort(struct attend_focus **out, const struct attend_focus *f, int count,
                               int source_count, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < count && !status; i++)
        status = check_one(&f[i], source_count, err);
    if (status)
        return status;
    struct attend_focus *sorted = malloc((size_t)count * sizeof *sorted);
    if (!sorted)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d weights", count);
    memcpy(sorted, f, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_step);
    *out = sorted;
    return check_twice(sorted, count, err);
}

static void lay_out(struct focus_plan *p, const struct attend_focus *sorted, int count)
{
    for (int i = 0; i < count; i++) {
        struct attention_focus *step = &p->step[sorted[i].target];
        p->at[i] = sorted[i].source;
        p->weight[i] = (real)sorted[i].weight;
        if (step->count++ == 0) {
            step->at = p->at + i;
            step->weight = p->weight + i;
        }
    }
}

static enum attend_status plan_sorted(struct focus_plan *p, const struct attend_focus *sorted,
                                      int count, int source_count, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    p->steps = sorted[count - 1].target + 1;
    p->step = calloc((size_t)p->steps, sizeof *p->step);
    p->at = calloc((size_t)count, sizeof *p->at);
    p->weight = calloc((size_t)count, sizeof *p->weight);
    if (!p->step || !p->at || !p->weight)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d steps", p->steps);
    lay_out(p, sorted, count);
    for (int t = 0; t < p->steps && !status; t++)
        status = check_step(&p->step[t], t, source_count, err);
    return status;
}

enum attend_status focus_plan_make(struct focus_plan *p, const struct model *m, int source_count,
                                   const struct attend_focus *f, int count,
                                   struct attend_error *err)
{
    struct attend_focus *sorted = NULL;
    *p = (struct focus_plan){0};
    if (count <= 0)
        return ATTEND_OK;
    if (!translation_looks(m))
        return error_set(err, ATTEND_USAGE,
                         "the model was trained with `attention` none and has no weights to set");
    enum attend_status status = sort(&sorted, f, count, source_count, err);
    if (!status)
        status = plan_sorted(p, sorted, count, source_count, err);
    free(sorted);
    return status;
}

void focus_plan_release(struct focus_plan *p)
{
    free(p->step);
    free(p->at);
    free(p->weight);
    *p = (struct focus_plan){0};
}
