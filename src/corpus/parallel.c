#include "corpus/parallel.h"

#include "base/error.h"
#include "corpus/reader.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum attend_status parallel_same_count(const char *a, size_t n, const char *b, size_t m,
                                       struct attend_error *err)
{
    return n == m ? ATTEND_OK
                  : error_set(err, ATTEND_DATA,
                              "%s has %zu lines and %s has %zu: they must pair line for line", a, n,
                              b, m);
}

static enum attend_status count_to_the_end(struct reader *reader, struct attend_error *err)
{
    struct reader_line line;
    enum attend_status status;
    do
        status = reader_next(reader, &line, err);
    while (!status && line.text);
    return status;
}

/* One of two files has ended: count the lines of the other for the message. */
static enum attend_status uneven(struct reader *a, struct reader *b, struct attend_error *err)
{
    enum attend_status status = count_to_the_end(a, err);
    if (!status)
        status = count_to_the_end(b, err);
    return status ? status
                  : parallel_same_count(reader_name(a), reader_count(a), reader_name(b),
                                        reader_count(b), err);
}

enum attend_status parallel_lines(struct reader *const *reader, struct reader_line *line, int count,
                                  bool *more, struct attend_error *err)
{
    struct reader *first = NULL;
    enum attend_status status = ATTEND_OK;
    *more = false;
    for (int f = 0; f < count && !status; f++) {
        if (!reader[f])
            continue;
        status = reader_next(reader[f], &line[f], err);
        const bool here = !status && line[f].text;
        if (!status && first && here != *more)
            status = uneven(first, reader[f], err);
        first = first ? first : reader[f];
        *more = here;
    }
    return status;
}

/* ---- Blocks ---- */

static enum attend_status open_file(struct parallel *p, int f, const char *path,
                                    struct attend_error *err)
{
    const enum attend_status status = reader_open(&p->reader[f], path, err);
    if (status)
        return status;
    reader_set_limit(p->reader[f], SIZE_MAX);
    p->line[f] = calloc((size_t)p->block, sizeof *p->line[f]);
    return p->line[f] ? ATTEND_OK
                      : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory to read it", path);
}

enum attend_status parallel_open(struct parallel *p, const char *const *path, int block,
                                 struct attend_error *err)
{
    int standard = 0;
    *p = (struct parallel){.block = block};
    for (int f = 0; f < PARALLEL_FILES; f++)
        standard += path[f] && strcmp(path[f], "-") == 0;
    if (standard > 1)
        return error_set(err, ATTEND_USAGE, "only one of the files can be standard input");
    enum attend_status status = ATTEND_OK;
    for (int f = 0; f < PARALLEL_FILES && !status; f++)
        if (path[f])
            status = open_file(p, f, path[f], err);
    if (status)
        parallel_close(p);
    return status;
}

static void drop_block(struct parallel *p)
{
    for (int f = 0; f < PARALLEL_FILES; f++)
        for (int i = 0; p->line[f] && i < p->block; i++) {
            free(p->line[f][i]);
            p->line[f][i] = NULL;
        }
    p->count = 0;
}

static enum attend_status keep_line(struct parallel *p, int f, const struct reader_line *line,
                                    struct attend_error *err)
{
    if (line->fault)
        return reader_refuse(p->reader[f], line, err);
    p->line[f][p->count] = strdup(line->text);
    return p->line[f][p->count] ? ATTEND_OK
                                : error_at(err, ATTEND_NO_MEMORY, reader_name(p->reader[f]),
                                           line->number, "out of memory");
}

/* Read one line of every file; *more is false at the end. */
static enum attend_status read_row(struct parallel *p, bool *more, struct attend_error *err)
{
    struct reader_line line[PARALLEL_FILES];
    enum attend_status status = parallel_lines(p->reader, line, PARALLEL_FILES, more, err);
    for (int f = 0; *more && f < PARALLEL_FILES && !status; f++)
        if (p->reader[f])
            status = keep_line(p, f, &line[f], err);
    return status;
}

enum attend_status parallel_next(struct parallel *p, struct attend_error *err)
{
    bool more = true;
    p->before += (size_t)p->count;
    drop_block(p);
    while (p->count < p->block) {
        const enum attend_status status = read_row(p, &more, err);
        if (status) {
            drop_block(p);
            return status;
        }
        if (!more)
            break;
        p->count++;
    }
    return ATTEND_OK;
}

size_t parallel_number(const struct parallel *p, int i) { return p->before + (size_t)i + 1; }

void parallel_close(struct parallel *p)
{
    drop_block(p);
    for (int f = 0; f < PARALLEL_FILES; f++) {
        reader_close(p->reader[f]);
        free(p->line[f]);
    }
    *p = (struct parallel){0};
}
