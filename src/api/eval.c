#include "attend/eval.h"

#include "base/error.h"
#include "metric/aer.h"
#include "metric/error_rate.h"
#include "text/lines.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static enum attend_status same_count(const char *a, int n, const char *b, int m,
                                     struct attend_error *err)
{
    return n == m ? ATTEND_OK
                  : error_set(err, ATTEND_DATA,
                              "%s has %d lines and %s has %d: they must pair line for line", a, n,
                              b, m);
}

enum attend_status attend_eval_accuracy(const char *hypothesis, const char *reference,
                                        struct attend_accuracy *out, struct attend_error *err)
{
    struct lines hyp = {0}, ref = {0};
    enum attend_status status = lines_read(&hyp, hypothesis, err);
    if (!status)
        status = lines_read(&ref, reference, err);
    if (!status)
        status = same_count(hypothesis, hyp.count, reference, ref.count, err);
    if (!status) {
        *out = (struct attend_accuracy){.total = ref.count};
        for (int i = 0; i < ref.count; i++) {
            size_t length;
            const char *pair[] = {lines_at(&hyp, i, &length), lines_at(&ref, i, &length)};
            out->correct += error_rate_correct(&pair[0], &pair[1], 1);
        }
    }
    lines_release(&hyp);
    lines_release(&ref);
    return status;
}

/* ---- By length ---- */

struct by_length {
    struct lines source, reference, hypothesis[ATTEND_HYPOTHESES];
    int hypotheses, width;
};

static long long count_words(const char *line)
{
    static const char blanks[] = " \t";
    long long words = 0;
    for (line += strspn(line, blanks); *line; line += strspn(line, blanks)) {
        words++;
        line += strcspn(line, blanks);
    }
    return words;
}

/* 0 is the group of lines without words. */
static size_t group_of(const struct by_length *b, int line)
{
    return (size_t)((count_words(lines_at(&b->source, line, NULL)) + b->width - 1) / b->width);
}

static int capped(long long number) { return number < INT_MAX ? (int)number : INT_MAX; }

static struct attend_length_row empty_row(size_t group, int width)
{
    const long long to = (long long)group * width;
    return (struct attend_length_row){.from = group ? capped(to - width + 1) : 0, .to = capped(to)};
}

static void count_line(const struct by_length *b, int line, struct attend_length_row *row)
{
    const char *reference = lines_at(&b->reference, line, NULL);
    row->total++;
    for (int h = 0; h < b->hypotheses; h++) {
        const char *hypothesis = lines_at(&b->hypothesis[h], line, NULL);
        row->correct[h] += error_rate_correct(&hypothesis, &reference, 1);
    }
}

static enum attend_status count_rows(const struct by_length *b, struct attend_length_row **out,
                                     int *count, struct attend_error *err)
{
    size_t groups = 1;
    for (int i = 0; i < b->source.count; i++)
        groups = group_of(b, i) >= groups ? group_of(b, i) + 1 : groups;
    struct attend_length_row *rows = calloc(groups, sizeof *rows);
    if (!rows)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu groups of lengths", groups);
    for (size_t g = 0; g < groups; g++)
        rows[g] = empty_row(g, b->width);
    for (int i = 0; i < b->source.count; i++)
        count_line(b, i, &rows[group_of(b, i)]);
    *count = 0;
    for (size_t g = 0; g < groups; g++)
        if (rows[g].total)
            rows[(*count)++] = rows[g];
    *out = rows;
    return ATTEND_OK;
}

/* Read a file that has as many lines as the source. */
static enum attend_status read_beside(struct lines *out, const char *path, const char *source,
                                      int count, struct attend_error *err)
{
    enum attend_status status = lines_read(out, path, err);
    if (!status)
        status = same_count(path, out->count, source, count, err);
    return status;
}

enum attend_status attend_eval_by_length(const char *source, const char *reference,
                                         const char *const *hypothesis, int hypotheses, int width,
                                         struct attend_length_row **rows, int *count,
                                         struct attend_error *err)
{
    if (hypotheses < 1 || hypotheses > ATTEND_HYPOTHESES || width < 1)
        return error_set(err, ATTEND_USAGE,
                         "judging by length takes 1 to %d outputs and groups of at least 1 word",
                         ATTEND_HYPOTHESES);
    struct by_length b = {.hypotheses = hypotheses, .width = width};
    enum attend_status status = lines_read(&b.source, source, err);
    if (!status)
        status = read_beside(&b.reference, reference, source, b.source.count, err);
    for (int h = 0; h < hypotheses && !status; h++)
        status = read_beside(&b.hypothesis[h], hypothesis[h], source, b.source.count, err);
    if (!status)
        status = count_rows(&b, rows, count, err);
    lines_release(&b.source);
    lines_release(&b.reference);
    for (int h = 0; h < hypotheses; h++)
        lines_release(&b.hypothesis[h]);
    return status;
}

void attend_length_rows_free(struct attend_length_row *rows) { free(rows); }

/* ---- Alignments ---- */

enum attend_status attend_eval_aer(const char *const *links, int count, const char *gold,
                                   int gold_base, struct attend_aer *out, struct attend_error *err)
{
    struct lines lines = {0};
    struct links hypothesis = {0}, reference = {0};
    struct aer_counts counts = {0};
    enum attend_status status = lines_read(&lines, gold, err);
    if (!status)
        status = same_count("the alignment", count, gold, lines.count, err);
    for (int i = 0; i < count && !status; i++) {
        size_t length;
        const char *line = lines_at(&lines, i, &length);
        status = links_parse(&reference, line, length, gold_base, gold, i + 1, err);
        if (!status)
            status =
                links_parse(&hypothesis, links[i], strlen(links[i]), 0, "alignment", i + 1, err);
        if (!status)
            aer_add(&counts, &hypothesis, &reference);
    }
    if (!status)
        *out = (struct attend_aer){.rate = aer_rate(&counts),
                                   .precision = aer_precision(&counts),
                                   .recall = aer_recall(&counts),
                                   .links = counts.hypothesis};
    links_release(&hypothesis);
    links_release(&reference);
    lines_release(&lines);
    return status;
}
