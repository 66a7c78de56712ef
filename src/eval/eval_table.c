/* The table of a test: a source and its right translation in each row. */
#include "eval/eval_input.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "base/stream.h"
#include "corpus/columns.h"

#include <stdlib.h>
#include <string.h>

struct eval_table {
    struct eval_input *input;
    const char *file; /* its name in messages */
    struct columns columns;
    int first; /* the first row, from 0: 1 after a header */
};

static enum attend_status find_columns(struct eval_table *t, struct columns_names names,
                                       bool header, struct attend_error *err)
{
    const struct lines *lines = &t->input->file[0];
    if (!header)
        return columns_from_names(&t->columns, &names, err);
    t->first = 1;
    if (!lines->count)
        return error_set(err, ATTEND_DATA, "%s: is empty; line 1 must hold the names of columns",
                         t->file);
    return columns_from_header(&t->columns, &names, lines_at(lines, 0, NULL), t->file, err);
}

static enum attend_status make_room(struct eval_input *j, int rows, struct attend_error *err)
{
    j->count = rows; /* at most */
    const enum attend_status status = eval_input_room(j, (size_t)rows, err);
    j->source = calloc((size_t)rows + 1, sizeof *j->source);
    j->joined = calloc((size_t)rows + 1, sizeof *j->joined);
    j->number = calloc((size_t)rows + 1, sizeof *j->number);
    if (!status && (!j->source || !j->joined || !j->number))
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d rows", rows);
    return status;
}

static bool is_blank(const char *text) { return !text[strspn(text, " \t")]; }

/* End a field of the row with a NUL, where its TAB was. */
static char *cut(const struct lines *lines, const struct columns_field *field)
{
    char *text = lines->bytes + (field->text - lines->bytes);
    text[field->length] = '\0';
    return text;
}

static enum attend_status join(struct eval_input *j, int item, const char *source,
                               const char *features, struct attend_error *err)
{
    struct strbuf joined = {0};
    strbuf_addf(&joined, "%s\t%s", source, features);
    const enum attend_status status = strbuf_status(&joined, err);
    j->joined[item] = strbuf_detach(&joined);
    return status;
}

/* Add a row, to the item before if that has the same source. */
static enum attend_status add_row(struct eval_table *t, int row, int *items,
                                  struct attend_error *err)
{
    struct eval_input *j = t->input;
    size_t length;
    const char *line = lines_at(&j->file[0], row, &length);
    struct columns_row field;
    const int found = columns_split(&t->columns, line, length, &field);
    if (is_blank(line))
        return ATTEND_OK;
    if (found < t->columns.needed)
        return error_at(err, ATTEND_DATA, t->file, (size_t)row + 1,
                        "has %d column%s and needs %d; put a TAB between columns", found,
                        found == 1 ? "" : "s", t->columns.needed);
    const bool features = t->columns.features >= 0;
    const char *source = cut(&j->file[0], &field.source);
    const char *target = cut(&j->file[0], &field.target);
    if (is_blank(source) || is_blank(target))
        return error_at(err, ATTEND_DATA, t->file, (size_t)row + 1, "the %s is empty",
                        is_blank(source) ? "source" : "target");
    if (features) {
        free(j->joined[*items]); /* of a row that went to the item before */
        const enum attend_status status =
            join(j, *items, source, cut(&j->file[0], &field.features), err);
        if (status)
            return status;
        source = j->joined[*items];
    }
    if (!*items || strcmp(j->source[*items - 1], source) != 0) {
        j->source[*items] = source;
        j->number[*items] = (size_t)row + 1;
        j->start[*items + 1] = j->start[*items];
        ++*items;
    }
    eval_input_add(j, *items - 1, target);
    return ATTEND_OK;
}

enum attend_status eval_table_read(struct eval_input *j, const struct attend_eval_options *options,
                                   struct attend_error *err)
{
    struct eval_table t = {.input = j, .file = stream_file_name(options->test)};
    int items = 0;
    j->files = 1;
    j->file = calloc(1, sizeof *j->file);
    if (!j->file)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for references");
    enum attend_status status = lines_read(&j->file[0], options->test, err);
    if (!status)
        status = find_columns(
            &t, (struct columns_names){.names = options->columns, .features = options->features},
            options->header, err);
    if (!status)
        status = make_room(j, j->file[0].count, err);
    for (int i = t.first; i < j->file[0].count && !status; i++)
        status = add_row(&t, i, &items, err);
    if (!status) {
        free(j->joined[items]);
        j->joined[items] = NULL;
        j->count = items;
    }
    return status;
}
