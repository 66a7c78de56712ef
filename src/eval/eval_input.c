#include "eval/eval_input.h"

#include "base/error.h"
#include "base/stream.h"
#include "corpus/parallel.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The file that the references must match, line for line. */
static const char *first_file(const struct attend_eval_options *options, const struct eval_input *j)
{
    const char *path = j->answered ? options->src : options->hyp;
    return path ? path : "-";
}

static enum attend_status same_count(const char *a, int n, const char *b, int m,
                                     struct attend_error *err)
{
    return parallel_same_count(stream_file_name(a), (size_t)n, stream_file_name(b), (size_t)m, err);
}

enum attend_status eval_input_room(struct eval_input *j, size_t most, struct attend_error *err)
{
    const bool fits = most < SIZE_MAX / sizeof *j->ref;
    j->ref = fits ? malloc((most + 1) * sizeof *j->ref) : NULL;
    j->start = calloc((size_t)j->count + 1, sizeof *j->start);
    return j->ref && j->start
               ? ATTEND_OK
               : error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu references", most);
}

void eval_input_add(struct eval_input *j, int line, const char *text)
{
    const size_t first = j->start[line];
    size_t *end = &j->start[line + 1];
    if (*end == first + 1 && !*j->ref[first])
        *end = first;
    if (*text || *end == first)
        j->ref[(*end)++] = text;
}

static void count_references(struct eval_input *j)
{
    j->references = j->count ? (int)(j->start[1] - j->start[0]) : 0;
    for (int i = 1; i < j->count; i++)
        if (j->start[i + 1] - j->start[i] != (size_t)j->references) {
            j->references = 0;
            return;
        }
}

/* ---- Reference files ---- */

static enum attend_status read_references(struct eval_input *j,
                                          const struct attend_eval_options *options,
                                          struct attend_error *err)
{
    enum attend_status status = eval_input_room(j, (size_t)j->count * (size_t)j->files, err);
    for (int f = 0; f < j->files && !status; f++) {
        const char *path = options->ref[f];
        status = lines_read(&j->file[f], path, err);
        if (!status)
            status = same_count(first_file(options, j), j->count, path, j->file[f].count, err);
    }
    for (int i = 0; i < j->count && !status; i++) {
        j->start[i + 1] = j->start[i];
        for (int f = 0; f < j->files; f++)
            eval_input_add(j, i, lines_at(&j->file[f], i, NULL));
    }
    return status;
}

/* ---- Accepted answers ---- */

/* Cut off the text before the next tab, in place; *rest is set to what follows, or NULL. */
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

/* The number of items. The lines have been cut at their first tab. */
static int count_items(const struct lines *lines)
{
    int items = 0;
    for (int i = 0; i < lines->count; i++)
        items += !same_item(lines, i);
    return items;
}

/* Consecutive lines with the same item belong together. */
static void add_answers(struct eval_input *j, char **answers)
{
    const struct lines *lines = &j->file[0];
    for (int i = 0, item = -1; i < lines->count; i++) {
        if (!same_item(lines, i)) {
            item++;
            j->start[item + 1] = j->start[item];
        }
        for (char *rest = answers[i]; rest;)
            eval_input_add(j, item, cut(&rest));
    }
}

static enum attend_status cut_items(const struct lines *lines, const char *path, char **answers,
                                    struct attend_error *err)
{
    for (int i = 0; i < lines->count; i++) {
        answers[i] = lines->bytes + lines->start[i];
        cut(&answers[i]);
        if (!answers[i])
            return error_at(err, ATTEND_DATA, path, (size_t)i + 1, "no tab; write item<TAB>answer");
    }
    return ATTEND_OK;
}

static enum attend_status read_answers(struct eval_input *j,
                                       const struct attend_eval_options *options,
                                       struct attend_error *err)
{
    const char *path = options->answers, *hyp = first_file(options, j);
    char **answers = NULL;
    struct lines *lines = &j->file[0];
    enum attend_status status = lines_read(lines, path, err);
    if (!status)
        status = eval_input_room(j, count_tabs(lines), err);
    if (!status && !(answers = calloc((size_t)lines->count + 1, sizeof *answers)))
        status = error_set(err, ATTEND_NO_MEMORY, "%s: out of memory for its answers", path);
    if (!status)
        status = cut_items(lines, path, answers, err);
    if (!status && count_items(lines) != j->count)
        status = error_set(err, ATTEND_DATA,
                           "%s has %d lines and %s answers %d items: they must pair in order",
                           stream_file_name(hyp), j->count, path, count_items(lines));
    if (!status)
        add_answers(j, answers);
    free(answers);
    return status;
}

/* ---- All input ---- */

static enum attend_status read_outputs(struct eval_input *j, const char *hyp, const char *compare,
                                       struct attend_error *err)
{
    enum attend_status status = lines_read(&j->output[0], hyp, err);
    j->count = j->output[0].count;
    j->outputs = compare ? 2 : 1;
    if (!status && !j->count)
        status = error_set(err, ATTEND_DATA, "%s is empty: there is nothing to judge",
                           stream_file_name(hyp));
    if (!status && compare)
        status = lines_read(&j->output[1], compare, err);
    if (!status && compare)
        status = same_count(hyp, j->count, compare, j->output[1].count, err);
    return status;
}

static enum attend_status count_files(struct eval_input *j,
                                      const struct attend_eval_options *options,
                                      struct attend_error *err)
{
    *j = (struct eval_input){.files = options->answers ? 1 : 0};
    while (!options->answers && options->ref && options->ref[j->files])
        j->files++;
    if (!options->answers == !options->ref)
        return error_set(err, ATTEND_USAGE, "give either `ref` or `answers`");
    j->file = calloc((size_t)j->files, sizeof *j->file);
    return j->file ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for references");
}

static enum attend_status read_right(struct eval_input *j,
                                     const struct attend_eval_options *options,
                                     struct attend_error *err)
{
    const enum attend_status status =
        options->answers ? read_answers(j, options, err) : read_references(j, options, err);
    if (!status)
        count_references(j);
    return status;
}

enum attend_status eval_input_read(struct eval_input *j, const struct attend_eval_options *options,
                                   struct attend_error *err)
{
    enum attend_status status = count_files(j, options, err);
    if (!status)
        status = read_outputs(j, options->hyp ? options->hyp : "-", options->compare, err);
    return status ? status : read_right(j, options, err);
}

/* ---- Sources ---- */

static enum attend_status read_sources(struct eval_input *j, const char *path,
                                       struct attend_error *err)
{
    enum attend_status status = lines_read(&j->sources, path, err);
    j->source = status ? NULL : calloc((size_t)j->sources.count + 1, sizeof *j->source);
    if (!status && !j->source)
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d lines", j->sources.count);
    for (int i = 0; !status && i < j->sources.count; i++)
        j->source[i] = lines_at(&j->sources, i, NULL);
    return status;
}

enum attend_status eval_input_sources(struct eval_input *j,
                                      const struct attend_eval_options *options,
                                      struct attend_error *err)
{
    const enum attend_status status = read_sources(j, options->src, err);
    return status
               ? status
               : same_count(options->src, j->sources.count, first_file(options, j), j->count, err);
}

static enum attend_status await_answers(struct eval_input *j, int count, const char *path,
                                        struct attend_error *err)
{
    j->count = count;
    j->outputs = 1;
    j->answered = calloc((size_t)count + 1, sizeof *j->answered);
    if (!count)
        return error_set(err, ATTEND_DATA, "%s is empty: there is nothing to translate",
                         stream_file_name(path));
    return j->answered ? ATTEND_OK
                       : error_set(err, ATTEND_NO_MEMORY, "out of memory for %d lines", count);
}

/* A source file with its references. */
static enum attend_status ask_files(struct eval_input *j, const struct attend_eval_options *options,
                                    struct attend_error *err)
{
    enum attend_status status = count_files(j, options, err);
    if (!status)
        status = read_sources(j, options->src, err);
    if (!status)
        status = await_answers(j, j->sources.count, options->src, err);
    return status ? status : read_right(j, options, err);
}

enum attend_status eval_input_ask(struct eval_input *j, const struct attend_eval_options *options,
                                  struct attend_error *err)
{
    *j = (struct eval_input){0};
    if (!options->test == !options->src)
        return error_set(err, ATTEND_USAGE, "give either `test`, or `src` with `ref` or `answers`");
    if (options->test && (options->ref || options->answers))
        return error_set(err, ATTEND_USAGE,
                         "`test` has the references; `ref` and `answers` go with `src`");
    if (!options->test && (options->columns || options->features || options->header))
        return error_set(err, ATTEND_USAGE, "`columns`, `features` and `header` go with `test`");
    if (options->src)
        return ask_files(j, options, err);
    enum attend_status status = eval_table_read(j, options, err);
    if (!status)
        status = await_answers(j, j->count, options->test, err);
    if (!status)
        count_references(j);
    return status;
}

/* ---- Looking at it ---- */

const char *eval_input_output(const struct eval_input *j, int o, int line)
{
    if (!j->answered)
        return lines_at(&j->output[o], line, NULL);
    return j->answered[line] ? j->answered[line] : "";
}

size_t eval_input_number(const struct eval_input *j, int line)
{
    return j->number ? j->number[line] : (size_t)line + 1;
}

static void free_texts(char **text, int count)
{
    for (int i = 0; text && i < count; i++)
        free(text[i]);
    free(text);
}

void eval_input_release(struct eval_input *j)
{
    for (int f = 0; j->file && f < j->files; f++)
        lines_release(&j->file[f]);
    for (int o = 0; o < 2; o++)
        lines_release(&j->output[o]);
    lines_release(&j->sources);
    free_texts(j->answered, j->count);
    free_texts(j->joined, j->count);
    free(j->source);
    free(j->number);
    free(j->file);
    free(j->ref);
    free(j->start);
    *j = (struct eval_input){0};
}
