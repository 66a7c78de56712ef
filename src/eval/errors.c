/* Which lines are wrong, worst first. */
#include "eval/compare.h"
#include "eval/eval_set.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* A line that is wrong, before its edits are listed. */
struct found {
    int line, edits, symbols;
};

/* The worse line first: edits a / b > c / d is a d > c b, without division by 0. */
static int by_rate(const void *first, const void *second)
{
    const struct found *a = first, *b = second;
    const long long left = (long long)a->edits * (b->symbols ? b->symbols : 1),
                    right = (long long)b->edits * (a->symbols ? a->symbols : 1);
    if (left != right)
        return left > right ? -1 : 1;
    if (a->edits != b->edits)
        return a->edits > b->edits ? -1 : 1;
    return a->line - b->line;
}

static enum attend_status find(struct compare *c, struct found *found, int *count,
                               struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < c->input->count && !status; i++) {
        int edits;
        status = compare_line(c, i, &edits, NULL, err);
        if (!status && edits)
            found[(*count)++] = (struct found){i, edits, c->reference.id.count};
    }
    return status;
}

/* ---- One line ---- */

static char *symbol(const struct units *u, int at)
{
    return at < 0 ? NULL : strndup(u->line.text + u->span[at].start, u->span[at].length);
}

static bool copy_edits(struct attend_wrong_line *w, const struct compare *c)
{
    static const enum attend_edit_kind kinds[] = {[EDIT_SAME] = ATTEND_EDIT_SAME,
                                                  [EDIT_SUBSTITUTED] = ATTEND_EDIT_SUBSTITUTED,
                                                  [EDIT_DELETED] = ATTEND_EDIT_DELETED,
                                                  [EDIT_INSERTED] = ATTEND_EDIT_INSERTED};
    bool good = (w->edit = calloc((size_t)c->edits.count + 1, sizeof *w->edit));
    for (int i = 0; i < c->edits.count && good; i++) {
        const struct edit *from = &c->edits.item[i];
        struct attend_edit *to = &w->edit[w->edit_count++];
        to->kind = kinds[from->kind];
        to->output = symbol(&c->output, from->output);
        to->reference = symbol(&c->reference, from->reference);
        good = (to->output || from->output < 0) && (to->reference || from->reference < 0);
    }
    return good;
}

static enum attend_status describe(struct attend_wrong_line *w, struct compare *c, int line,
                                   struct attend_error *err)
{
    const struct eval_input *j = c->input;
    const char *nearest = "", *source = j->source ? j->source[line] : NULL;
    enum attend_status status = compare_line(c, line, &w->edits, &nearest, err);
    if (!status)
        status = compare_align(c, line, err);
    if (status)
        return status;
    w->line = (long)eval_input_number(j, line);
    w->symbols = c->reference.id.count;
    w->source = source ? strdup(source) : NULL;
    w->output = strdup(eval_input_output(j, 0, line));
    w->reference = strdup(nearest);
    return copy_edits(w, c) && w->output && w->reference && !source == !w->source
               ? ATTEND_OK
               : error_set(err, ATTEND_NO_MEMORY, "out of memory for line %d", line + 1);
}

/* ---- All lines ---- */

static enum attend_status list(struct attend_wrong_lines *out, struct compare *c, int limit,
                               struct attend_error *err)
{
    int count = 0;
    struct found *found = calloc((size_t)c->input->count + 1, sizeof *found);
    enum attend_status status =
        found ? find(c, found, &count, err)
              : error_set(err, ATTEND_NO_MEMORY, "out of memory for %d lines", c->input->count);
    if (!status)
        qsort(found, (size_t)count, sizeof *found, by_rate);
    out->wrong = count;
    out->lines = c->input->count;
    count = limit && limit < count ? limit : count;
    out->item = calloc((size_t)count + 1, sizeof *out->item);
    if (!status && !out->item)
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d lines", count);
    while (!status && out->count < count) {
        const int line = found[out->count].line;
        status = describe(&out->item[out->count++], c, line, err);
    }
    free(found);
    return status;
}

enum attend_status attend_eval_set_errors(struct attend_wrong_lines **out,
                                          const struct attend_eval_set *set, int limit,
                                          struct attend_error *err)
{
    struct attend_wrong_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for wrong lines");
    struct compare c = {.input = &set->input};
    enum attend_status status = compare_begin(&c, &set->options, err);
    lines->characters = c.characters;
    if (!status)
        status = list(lines, &c, limit, err);
    compare_release(&c);
    if (status)
        attend_wrong_lines_free(lines);
    else
        *out = lines;
    return status;
}

void attend_wrong_lines_free(struct attend_wrong_lines *lines)
{
    for (int i = 0; lines && i < lines->count; i++) {
        struct attend_wrong_line *w = &lines->item[i];
        for (int e = 0; e < w->edit_count; e++) {
            free(w->edit[e].output);
            free(w->edit[e].reference);
        }
        free(w->edit);
        free(w->source);
        free(w->output);
        free(w->reference);
    }
    if (lines)
        free(lines->item);
    free(lines);
}
