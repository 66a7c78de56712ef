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

enum attend_status block_read(struct block *b, struct attend_lines *lines, int most,
                              struct attend_error *err)
{
    const char *line = "";
    enum attend_status status = ATTEND_OK;
    block_cut(b, 0);
    b->first = attend_lines_number(lines) + 1;
    while (!status && b->count < most) {
        status = attend_lines_next(lines, &line, err);
        if (!status && !line)
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
    const size_t length = strlen(called);
    struct attend_error moved;
    char *rest;
    if (strncmp(err->message, called, length) != 0 || err->message[length] != ':')
        return;
    const long line = strtol(err->message + length + 1, &rest, 10);
    if (line < 1 || line > b->count)
        return;
    const long number = b->first + (place ? place[line - 1] : line - 1);
    snprintf(moved.message, sizeof moved.message, "%.200s:%ld%.280s", name, number, rest);
    *err = moved;
}
