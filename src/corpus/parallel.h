/* Reads parallel files side by side, a block of lines at a time, so that memory does not grow with
 * the files. */
#ifndef ATTEND_CORPUS_PARALLEL_H
#define ATTEND_CORPUS_PARALLEL_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

struct reader;
struct reader_line;

/* The next line of each of `count` readers; NULL readers are skipped. *more is false at the end of
 * all files. If only some have ended, it is ATTEND_DATA. The caller checks the faults of lines. */
enum attend_status parallel_lines(struct reader *const *, struct reader_line *line, int count,
                                  bool *more, struct attend_error *err);
/* ATTEND_DATA unless n = m, the numbers of lines of the files `a` and `b`. */
enum attend_status parallel_same_count(const char *a, size_t n, const char *b, size_t m,
                                       struct attend_error *err);

/* ---- Blocks ---- */

enum { PARALLEL_FILES = 8 };

/* All zero needs no closing. */
struct parallel {
    struct reader *reader[PARALLEL_FILES]; /* NULL: a file that was not given */
    char **line[PARALLEL_FILES];           /* (block) */
    int block;
    int count;     /* lines of this block */
    size_t before; /* lines of earlier blocks */
};

/* `path` has PARALLEL_FILES entries, NULL for files that are not given. "-" is standard input, for
 * at most one of them. */
enum attend_status parallel_open(struct parallel *, const char *const *path, int block,
                                 struct attend_error *err);
/* Replace the block by the next one; its count is 0 at the end. Files of unequal length and lines
 * that are not UTF-8 are ATTEND_DATA. */
enum attend_status parallel_next(struct parallel *, struct attend_error *err);
/* The line number of line i of the block, from 1. */
size_t parallel_number(const struct parallel *, int i);
void parallel_close(struct parallel *);

#endif
