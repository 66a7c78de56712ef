/* A text file as lines of valid UTF-8, of any length, all in memory. corpus/reader.h defines what a
 * line is, and reads them one at a time. */
#ifndef ATTEND_CORPUS_LINES_H
#define ATTEND_CORPUS_LINES_H

#include "attend/status.h"

#include <stddef.h>

struct lines {
    char *bytes;   /* all lines, each with a NUL instead of its end */
    size_t *start; /* (count + 1) where each line begins */
    int count;
};

/* Read a file, or standard input when path is "-"; gzip and zstd are decompressed. NUL and bytes
 * that are not UTF-8 are ATTEND_DATA; the message names the line and its byte, both from 1. */
enum attend_status lines_read(struct lines *out, const char *path, struct attend_error *err);
/* Line i, from 0, NUL-terminated, without its end. *length is its number of bytes; length may be
 * NULL. */
const char *lines_at(const struct lines *, int i, size_t *length);
/* The number of words of a line, which are separated by spaces or tabs. */
size_t lines_words(const char *line);
void lines_release(struct lines *);

#endif
