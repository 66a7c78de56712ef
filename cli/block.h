/* Lines of a file, a block at a time, so that memory does not grow with the file. */
#ifndef ATTEND_CLI_BLOCK_H
#define ATTEND_CLI_BLOCK_H

#include <attend/lines.h>

/* Enough to keep all threads busy with lines of like length. */
enum { BLOCK_LINES = 2048 };

/* All zero is an empty block. */
struct block {
    char **line; /* (count), each malloc'ed */
    int count, size;
    long first; /* number of the first line in its file, from 1 */
};

/* Up to `most` lines instead of those that were there; none at the end of the file. When it fails,
 * the block holds the lines before the one at fault. */
enum attend_status block_read(struct block *, struct attend_lines *, int most,
                              struct attend_error *err);
/* A line more, which is copied. */
enum attend_status block_add(struct block *, const char *line, struct attend_error *err);
/* All but the first `count` lines go. */
void block_cut(struct block *, int count);
void block_release(struct block *);

/* The library counts the lines that it was given, and calls them `called`: put the file's name and
 * line in the message. `place` says which lines of the block they were; NULL: all of them. */
void block_name_line(const struct block *, const char *called, const char *name, const int *place,
                     struct attend_error *err);

#endif
