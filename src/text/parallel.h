/* Texts whose lines belong together, read side by side and a block of lines at a time, so that
 * memory does not grow with them. */
#ifndef ATTEND_TEXT_PARALLEL_H
#define ATTEND_TEXT_PARALLEL_H

#include "attend/status.h"

#include <stddef.h>

enum { PARALLEL_FILES = 8 };

/* All zero is nothing to close. */
struct parallel {
    struct reader *reader[PARALLEL_FILES]; /* NULL: a file that was not given */
    char **line[PARALLEL_FILES];           /* (block) */
    int block;
    int count;     /* lines of this block */
    size_t before; /* lines of earlier ones */
};

/* path: PARALLEL_FILES of them, NULL for those that are not there. "-" is standard input, for one
 * of them only. */
enum attend_status parallel_open(struct parallel *, const char *const *path, int block,
                                 struct attend_error *err);
/* Replace the block by the next one; its count is 0 at the end. ATTEND_DATA when not all texts end
 * at the same line, or a line is not UTF-8. */
enum attend_status parallel_next(struct parallel *, struct attend_error *err);
/* Number of line i of the block, from 1. */
size_t parallel_number(const struct parallel *, int i);
void parallel_close(struct parallel *);

#endif
