#include "api/judge.h"

#include "base/error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *judge_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

enum attend_status judge_same_count(const char *a, int n, const char *b, int m,
                                    struct attend_error *err)
{
    return n == m ? ATTEND_OK
                  : error_set(err, ATTEND_DATA,
                              "%s has %d lines and %s has %d: they must pair line for line",
                              judge_name(a), n, judge_name(b), m);
}

/* Room for `most` references in all. */
static enum attend_status make_room(struct judge *j, size_t most, struct attend_error *err)
{
    const bool fits = most < SIZE_MAX / sizeof *j->ref;
    j->ref = fits ? malloc((most + 1) * sizeof *j->ref) : NULL;
    j->start = calloc((size_t)j->count + 1, sizeof *j->start);
    return j->ref && j->start
               ? ATTEND_OK
               : error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu references", most);
}

/* An empty reference beside others means that a line has fewer of them. */
static void add_reference(struct judge *j, int line, const char *text)
{
    const size_t first = j->start[line];
    size_t *end = &j->start[line + 1];
    if (*end == first + 1 && !*j->ref[first])
        *end = first;
    if (*text || *end == first)
        j->ref[(*end)++] = text;
}

static void count_references(struct judge *j)
{
    j->references = j->count ? (int)(j->start[1] - j->start[0]) : 0;
    for (int i = 1; i < j->count; i++)
        if (j->start[i + 1] - j->start[i] != (size_t)j->references) {
            j->references = 0;
            return;
        }
}

/* ---- References line for line ---- */

static enum attend_status read_references(struct judge *j, const struct eval_options *options,
                                          struct attend_error *err)
{
    enum attend_status status = make_room(j, (size_t)j->count * (size_t)j->files, err);
    for (int f = 0; f < j->files && !status; f++) {
        const char *path = options->ref[f];
        status = lines_read(&j->file[f], path, err);
        if (!status)
            status = judge_same_count(options->hyp ? options->hyp : "-", j->count, path,
                                      j->file[f].count, err);
    }
    for (int i = 0; i < j->count && !status; i++) {
        j->start[i + 1] = j->start[i];
        for (int f = 0; f < j->files; f++)
            add_reference(j, i, lines_at(&j->file[f], i, NULL));
    }
    return status;
}

/* ---- Accepted answers ---- */

/* The answers of a line are cut apart in place; *item is what stands before them. */
static char *cut(char **rest)
{
    char *field = *rest, *tab = strchr(field, '\t');
    if (tab)
        *tab = '\0';
    *rest = tab ? tab + 1 : NULL;
    return field;
}

static size_t count_tabs(const struct lines *lines)
{
    size_t tabs = 0;
    for (int i = 0; i < lines->count; i++)
        for (const char *at = lines_at(lines, i, NULL); (at = strchr(at, '\t')); at++)
            tabs++;
    return tabs;
}

static bool same_item(const struct lines *lines, int line)
{
    return line > 0 && strcmp(lines_at(lines, line - 1, NULL), lines_at(lines, line, NULL)) == 0;
}

/* How many items there are, once the items have been cut off. */
static int count_items(const struct lines *lines)
{
    int items = 0;
    for (int i = 0; i < lines->count; i++)
        items += !same_item(lines, i);
    return items;
}

/* Lines that follow each other with the same item are one item. */
static void add_answers(struct judge *j, char **answers)
{
    const struct lines *lines = &j->file[0];
    for (int i = 0, item = -1; i < lines->count; i++) {
        if (!same_item(lines, i)) {
            item++;
            j->start[item + 1] = j->start[item];
        }
        for (char *rest = answers[i]; rest;)
            add_reference(j, item, cut(&rest));
    }
}

static enum attend_status cut_items(const struct lines *lines, const char *path, char **answers,
                                    struct attend_error *err)
{
    for (int i = 0; i < lines->count; i++) {
        answers[i] = lines->bytes + lines->start[i];
        cut(&answers[i]);
        if (!answers[i])
            return error_set(err, ATTEND_DATA, "%s:%d: no tab; write item<TAB>answer", path, i + 1);
    }
    return ATTEND_OK;
}

static enum attend_status read_answers(struct judge *j, const struct eval_options *options,
                                       struct attend_error *err)
{
    const char *path = options->answers, *hyp = options->hyp ? options->hyp : "-";
    char **answers = NULL;
    struct lines *lines = &j->file[0];
    enum attend_status status = lines_read(lines, path, err);
    if (!status)
        status = make_room(j, count_tabs(lines), err);
    if (!status && !(answers = calloc((size_t)lines->count + 1, sizeof *answers)))
        status = error_set(err, ATTEND_NO_MEMORY, "%s: out of memory for its answers", path);
    if (!status)
        status = cut_items(lines, path, answers, err);
    if (!status && count_items(lines) != j->count)
        status = error_set(err, ATTEND_DATA,
                           "%s has %d lines and %s answers %d items: they must pair in order",
                           judge_name(hyp), j->count, path, count_items(lines));
    if (!status)
        add_answers(j, answers);
    free(answers);
    return status;
}

/* ---- All of it ---- */

static enum attend_status read_outputs(struct judge *j, const char *hyp, const char *compare,
                                       struct attend_error *err)
{
    enum attend_status status = lines_read(&j->output[0], hyp, err);
    j->count = j->output[0].count;
    j->outputs = compare ? 2 : 1;
    if (!status && !j->count)
        status =
            error_set(err, ATTEND_DATA, "%s is empty: there is nothing to judge", judge_name(hyp));
    if (!status && compare)
        status = lines_read(&j->output[1], compare, err);
    if (!status && compare)
        status = judge_same_count(hyp, j->count, compare, j->output[1].count, err);
    return status;
}

enum attend_status judge_read(struct judge *j, const struct eval_options *options,
                              struct attend_error *err)
{
    *j = (struct judge){.files = options->answers ? 1 : 0};
    while (!options->answers && options->ref && options->ref[j->files])
        j->files++;
    if (!options->answers == !options->ref)
        return error_set(err, ATTEND_USAGE, "give either --ref or --answers");
    j->file = calloc((size_t)j->files, sizeof *j->file);
    enum attend_status status =
        j->file ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for references");
    if (!status)
        status = read_outputs(j, options->hyp ? options->hyp : "-", options->compare, err);
    if (!status)
        status =
            options->answers ? read_answers(j, options, err) : read_references(j, options, err);
    if (!status)
        count_references(j);
    return status;
}

void judge_release(struct judge *j)
{
    for (int f = 0; j->file && f < j->files; f++)
        lines_release(&j->file[f]);
    for (int o = 0; o < 2; o++)
        lines_release(&j->output[o]);
    free(j->file);
    free(j->ref);
    free(j->start);
    *j = (struct judge){0};
}
