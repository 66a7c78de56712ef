/* Reads a file in blocks of lines, so that memory does not grow with the file. */
#ifndef ATTEND_CLI_BLOCK_H
#define ATTEND_CLI_BLOCK_H

#include <attend/lines.h>

/* Enough that batches of similar length keep all threads busy. */
enum { BLOCK_LINES = 2048 };
/* The same for lines that name files, whose frames are in memory together. */
enum { BLOCK_FILES = 128 };

/* All zero is an empty block. */
struct block {
    char **line; /* (count), each malloc'ed */
    int count, size;
    long first; /* number of the first line in its file, from 1 */
};

/* Replace the lines by the next `most` lines of the file. There are fewer at its end, and when a
 * terminal, pipe or socket pauses; there are none only at the end. On failure the block has the lines
 * before the one at fault. */
enum attend_status block_read(struct block *, struct attend_lines *, int most,
                              struct attend_error *err);
/* Append a copy of a line. */
enum attend_status block_add(struct block *, const char *line, struct attend_error *err);
/* Drop all lines after the first `count`. */
void block_cut(struct block *, int count);
void block_release(struct block *);

/* If an error is about an item of the array `called`, whose items are lines of this block, move it
 * to the file `name` and the line there. place[item] is the line's index in the block; NULL: item
 * i is line i. */
void block_name_line(const struct block *, const char *called, const char *name, const int *place,
                     struct attend_error *err);

#endif
