/* Matrices in the format of Nematus: a header, then a row of numbers for each target word. */
#include "report/matrices.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 5, LENGTH_MOST = 1000000 };
enum field { ID, TARGET, SCORE, SOURCE, LENGTHS };
static const char between[] = " ||| ";

struct header {
    const char *field[FIELDS];
    size_t length[FIELDS];
    int source_count, target_count;
};

static enum attend_status wrong(const struct attend_matrix_file *file, struct attend_error *err,
                                const char *what)
{
    return error_at(err, ATTEND_FORMAT, attend_lines_name(file->lines),
                    (size_t)attend_lines_number(file->lines), "%s", what);
}

/* Split a header into fields and return their number. */
static int split(struct header *h, const char *line)
{
    int count = 0;
    for (const char *from = line; from; count++) {
        const char *end = strstr(from, between);
        if (count < FIELDS) {
            h->field[count] = from;
            h->length[count] = end ? (size_t)(end - from) : strlen(from);
        }
        from = end ? end + strlen(between) : NULL;
    }
    return count;
}

static bool read_lengths(struct header *h)
{
    char *rest;
    const long source = strtol(h->field[LENGTHS], &rest, 10), target = strtol(rest, &rest, 10);
    h->source_count = (int)source;
    h->target_count = (int)target;
    return source >= 0 && target >= 0 && source <= LENGTH_MOST && target <= LENGTH_MOST &&
           !rest[strspn(rest, " \t")] && h->length[LENGTHS] > 2;
}

static enum attend_status read_header(const struct attend_matrix_file *file, struct header *h,
                                      struct attend_error *err)
{
    const int fields = split(h, file->held);
    if (fields == 1 && file->number == 1)
        return wrong(file, err,
                     "neither JSON, which attend translate writes with `alignment` json, nor a "
                     "matrix, which it writes with `alignment` soft");
    if (fields != FIELDS)
        return wrong(file, err,
                     fields == 1
                         ? "expected a header, `id ||| target ||| ...`: the "
                           "matrix before has more rows than its header says"
                         : "a header needs five fields, `id ||| target ||| score ||| source "
                           "||| source-length target-length`");
    return read_lengths(h) ? ATTEND_OK : wrong(file, err, "the header does not end in two lengths");
}

/* ---- Words ---- */

/* The length of the next word of a field; 0 at the end. */
static size_t next_word(const char **at, const char *end)
{
    while (*at < end && **at == ' ')
        ++*at;
    const char *blank = memchr(*at, ' ', (size_t)(end - *at));
    return (size_t)((blank ? blank : end) - *at);
}

/* Read `count` words. </s> may be missing from the text. */
static enum attend_status read_words(const struct attend_matrix_file *file, const struct header *h,
                                     enum field field, const char *const *out, int count,
                                     struct attend_error *err)
{
    const char *at = h->field[field], *end = at + h->length[field];
    int words = 0;
    bool good = true;
    for (size_t length; (length = next_word(&at, end)) > 0; at += length, words++)
        if (words < count)
            good = good && matrices_set_word(out, words, at, length);
    if (words + 1 == count)
        good = good && matrices_set_word(out, words, "</s>", strlen("</s>"));
    if (!good)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a matrix");
    if (words == count || words + 1 == count)
        return ATTEND_OK;
    return error_at(err, ATTEND_FORMAT, attend_lines_name(file->lines),
                    (size_t)attend_lines_number(file->lines),
                    "the header says %d %s words, but its text has %d", count,
                    field == SOURCE ? "source" : "target", words);
}

/* ---- Weights ---- */

static enum attend_status wrong_count(const struct attend_matrix_file *file,
                                      const struct attend_matrix *m, int t, int count,
                                      struct attend_error *err)
{
    return error_at(err, ATTEND_FORMAT, attend_lines_name(file->lines),
                    (size_t)attend_lines_number(file->lines),
                    "row %d has %s than %d weights, one for each source word", t + 1,
                    count < m->source_count ? "fewer" : "more", m->source_count);
}

static enum attend_status read_row(const struct attend_matrix_file *file, struct attend_matrix *m,
                                   int t, const char *line, struct attend_error *err)
{
    int count = 0;
    while (line[strspn(line, " \t")]) {
        char *rest;
        const double weight = strtod(line, &rest);
        if (rest == line || !isfinite(weight) || (*rest && *rest != ' ' && *rest != '\t'))
            return error_at(err, ATTEND_FORMAT, attend_lines_name(file->lines),
                            (size_t)attend_lines_number(file->lines),
                            "weight %d of row %d is not a number", count + 1, t + 1);
        if (count == m->source_count)
            return wrong_count(file, m, t, count + 1, err);
        if (!matrices_set_weight(m, t, count++, weight))
            return wrong(file, err, "a weight is too large");
        line = rest;
    }
    return count == m->source_count ? ATTEND_OK : wrong_count(file, m, t, count, err);
}

static enum attend_status read_rows(const struct attend_matrix_file *file, struct attend_matrix *m,
                                    struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    /* Without source words there are no rows. */
    for (int t = 0; m->source_count && t < m->target_count && !status; t++) {
        const char *line;
        status = attend_lines_next(file->lines, &line, err);
        if (!status && !line)
            status = error_set(err, ATTEND_FORMAT,
                               "%.200s: ends after row %d of a matrix that has %d rows",
                               attend_lines_name(file->lines), t, m->target_count);
        if (!status)
            status = read_row(file, m, t, line, err);
    }
    return status;
}

/* ---- A sentence ---- */

static enum attend_status read_block(struct attend_matrix_file *file, const struct header *h,
                                     struct attend_matrix *m, struct attend_error *err)
{
    /* Refuse impossible word counts before allocating for them. */
    if ((size_t)h->source_count > h->length[SOURCE] + 1 ||
        (size_t)h->target_count > h->length[TARGET] + 1)
        return wrong(file, err, "the header says more words than its text has");
    if (!matrices_make(m, h->source_count, h->target_count))
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a matrix");
    enum attend_status status = read_words(file, h, SOURCE, m->source, h->source_count, err);
    if (!status)
        status = read_words(file, h, TARGET, m->target, h->target_count, err);
    return status ? status : read_rows(file, m, err);
}

static bool has_id(const struct attend_matrix_file *file, const char *id)
{
    const size_t length = strlen(id);
    return file->held && strncmp(file->held, id, length) == 0 &&
           strncmp(file->held + length, between, strlen(between)) == 0;
}

enum attend_status matrix_nematus_read(struct attend_matrix_file *file,
                                       struct attend_matrices *list, struct attend_error *err)
{
    const char *end = strstr(file->held, between);
    char *id = strndup(file->held, end ? (size_t)(end - file->held) : strlen(file->held));
    enum attend_status status =
        id ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for a matrix");
    do {
        struct attend_matrix m = {0};
        struct header h = {0};
        if (!status)
            status = read_header(file, &h, err);
        if (!status)
            status = read_block(file, &h, &m, err);
        if (!status)
            status = matrices_take(list, &m, file->number, err);
        if (!status)
            status = matrix_file_hold(file, err);
        matrices_drop(&m);
    } while (!status && has_id(file, id));
    free(id);
    return status;
}
