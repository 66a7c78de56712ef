/* A text file as lines of valid UTF-8, all of them in memory and each as long as it likes.
 * text/reader.h says what a line is and reads them one at a time. */
#ifndef ATTEND_TEXT_LINES_H
#define ATTEND_TEXT_LINES_H

#include "attend/status.h"

#include <stddef.h>

struct lines {
    char *bytes;   /* the lines one after the other, each with a NUL in place of its end */
    size_t *start; /* (count + 1) */
    int count;
};

/* Standard input when path is "-"; gzip and zstd are decompressed. Bytes that are not UTF-8, and
 * NUL, are ATTEND_DATA; the message names the line and the byte within it, both from 1. */
enum attend_status lines_read(struct lines *out, const char *path, struct attend_error *err);
/* The same from memory, which is copied; `name` is for messages. */
enum attend_status lines_parse(struct lines *out, const char *bytes, size_t length,
                               const char *name, struct attend_error *err);
/* Line i from 0, NUL-terminated, without its end; *length (may be NULL) is its bytes. */
const char *lines_at(const struct lines *, int i, size_t *length);
/* Words of a line: what stands between spaces or tabs. */
size_t lines_words(const char *line);
void lines_release(struct lines *);

#endif
