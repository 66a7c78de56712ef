#include "block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum attend_status block_add(struct block *b, const char *line, struct attend_error *err)
{
    if (b->count == b->size) {
        const int size = b->size ? 2 * b->size : 64;
        char **more = realloc(b->line, (size_t)size * sizeof *more);
        if (more) {
            b->line = more;
            b->size = size;
        }
    }
    char *copy = b->count < b->size ? strdup(line) : NULL;
    if (!copy) {
        snprintf(err->message, sizeof err->message, "out of memory for %d lines", b->count);
        return ATTEND_NO_MEMORY;
    }
    b->line[b->count++] = copy;
    return ATTEND_OK;
}

/* A block that ends at every pause would cut the stream of a fast program into small blocks, whose
 * batches are slower: the pipe is empty for a moment while that program is being woken. So a block
 * that shows by its size that a program writes it waits a little, at most WAITS * WAIT altogether. */
enum { FEW = 64, WAIT = 5, WAITS = 16 };

/* Whether to read another line into the block. *waits counts the waits so far. */
static enum attend_status goes_on(const struct block *b, struct attend_lines *lines, int *waits,
                                  bool *more, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    *more = b->count == 0;
    if (!*more)
        status = attend_lines_ready(lines, 0, more, err);
    if (!status && !*more && b->count >= FEW && *waits < WAITS) {
        ++*waits;
        status = attend_lines_ready(lines, WAIT, more, err);
    }
    return status;
}

enum attend_status block_read(struct block *b, struct attend_lines *lines, int most,
                              struct attend_error *err)
{
    const char *line = "";
    enum attend_status status = ATTEND_OK;
    bool more = true;
    int waits = 0;
    block_cut(b, 0);
    b->first = attend_lines_number(lines) + 1;
    while (!status && b->count < most) {
        status = goes_on(b, lines, &waits, &more, err);
        if (!status && more)
            status = attend_lines_next(lines, &line, err);
        if (!status && (!more || !line))
            break;
        if (!status)
            status = block_add(b, line, err);
    }
    return status;
}

void block_cut(struct block *b, int count)
{
    while (b->count > count)
        free(b->line[--b->count]);
}

void block_release(struct block *b)
{
    block_cut(b, 0);
    free(b->line);
    *b = (struct block){0};
}

void block_name_line(const struct block *b, const char *called, const char *name, const int *place,
                     struct attend_error *err)
{
    if (err->argument && strcmp(err->argument, called) == 0 && err->item < b->count)
        attend_error_move(err, name, b->first + (place ? place[err->item] : err->item));
}
