/* Matrices as JSON objects, one sentence per line, out and in. */
#include "report/matrices.h"

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>

/* ---- Writing ---- */

static void put_source(struct json_writer *w, const struct attend_matrix *m)
{
    if (m->source || !m->frames) {
        json_put_texts(w, "source", m->source, m->source_count);
        return;
    }
    json_begin_array(w, "source");
    for (int j = 0; j < m->source_count; j++) {
        char number[16];
        snprintf(number, sizeof number, "%d", j);
        json_put_text(w, NULL, number);
    }
    json_end(w);
}

char *attend_matrix_json(const struct attend_matrix *m)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    if (m->title)
        json_put_text(&w, "title", m->title);
    put_source(&w, m);
    json_put_texts(&w, "target", m->target, m->target_count);
    json_put_matrix(&w, "attention", m->weight, m->target_count, m->source_count);
    json_end(&w);
    return strbuf_detach(&out);
}

/* ---- Reading ---- */

/* The line being read. */
struct place {
    char name[300];
    struct attend_error *err;
};

static enum attend_status no_memory(const struct place *p)
{
    return error_set(p->err, ATTEND_NO_MEMORY, "%s: out of memory for a matrix", p->name);
}

static enum attend_status read_words(const struct place *p, const struct json *array,
                                     const char *member, const char *const *out)
{
    for (int i = 0; i < json_length(array); i++) {
        const char *word = json_text(json_at(array, i));
        if (!word)
            return error_set(p->err, ATTEND_FORMAT, "%s: word %d of \"%s\" is not a text", p->name,
                             i + 1, member);
        if (!matrices_set_word(out, i, word, strlen(word)))
            return no_memory(p);
    }
    return ATTEND_OK;
}

static enum attend_status read_row(const struct place *p, const struct json *row, int t,
                                   struct attend_matrix *m)
{
    const int count = json_length(row);
    if (count < 0)
        return error_set(p->err, ATTEND_FORMAT, "%s: row %d of \"attention\" is not an array",
                         p->name, t + 1);
    if (count != m->source_count)
        return error_set(p->err, ATTEND_FORMAT,
                         "%s: row %d of \"attention\" has %d weights for %d source words", p->name,
                         t + 1, count, m->source_count);
    for (int j = 0; j < count; j++)
        if (!matrices_set_weight(m, t, j, json_number(json_at(row, j))))
            return error_set(p->err, ATTEND_FORMAT,
                             "%s: weight %d in row %d of \"attention\" is not a number", p->name,
                             j + 1, t + 1);
    return ATTEND_OK;
}

static enum attend_status read_rows(const struct place *p, const struct json *rows,
                                    struct attend_matrix *m)
{
    const int count = json_length(rows);
    enum attend_status status = ATTEND_OK;
    if (count < 0 && m->target_count == 0)
        return ATTEND_OK; /* an empty line has no matrix */
    if (count < 0)
        return error_set(p->err, ATTEND_FORMAT, "%s: \"attention\" is not an array of rows",
                         p->name);
    if (count != m->target_count)
        return error_set(p->err, ATTEND_FORMAT, "%s: \"attention\" has %d rows for %d target words",
                         p->name, count, m->target_count);
    for (int t = 0; t < count && !status; t++)
        status = read_row(p, json_at(rows, t), t, m);
    return status;
}

/* Read one hypothesis. Its source is in the sentence's object. */
static enum attend_status read_matrix(const struct place *p, const struct json *sentence,
                                      const struct json *hypothesis, struct attend_matrix *m)
{
    const struct json *source = json_member(sentence, "source");
    const struct json *target = json_member(hypothesis, "target");
    const int S = json_length(source), T = json_length(target);
    if (S < 0 || T < 0)
        return error_set(p->err, ATTEND_FORMAT, "%s: \"%s\" is not an array of words", p->name,
                         S < 0 ? "source" : "target");
    if (!matrices_make(m, S, T))
        return no_memory(p);
    enum attend_status status = read_words(p, source, "source", m->source);
    if (!status)
        status = read_words(p, target, "target", m->target);
    return status ? status : read_rows(p, json_member(hypothesis, "attention"), m);
}

static enum attend_status add(const struct place *p, const struct json *sentence,
                              const struct json *hypothesis, struct attend_matrices *list,
                              long number)
{
    struct attend_matrix m = {0};
    enum attend_status status = read_matrix(p, sentence, hypothesis, &m);
    if (!status)
        status = matrices_take(list, &m, number, p->err);
    matrices_drop(&m);
    return status;
}

enum attend_status matrix_json_read(struct attend_matrix_file *file, struct attend_matrices *list,
                                    struct attend_error *err)
{
    struct place p = {.err = err};
    struct json *sentence = NULL;
    snprintf(p.name, sizeof p.name, "%.200s:%ld", attend_lines_name(file->lines),
             attend_lines_number(file->lines));
    enum attend_status status = json_parse(&sentence, file->held, strlen(file->held), p.name, err);
    if (!status)
        status = add(&p, sentence, sentence, list, file->number);
    const struct json *others = json_member(sentence, "alternatives");
    for (int i = 0; i < json_length(others) && !status; i++)
        status = add(&p, sentence, json_at(others, i), list, file->number);
    json_free(sentence);
    return status ? status : matrix_file_hold(file, err);
}
