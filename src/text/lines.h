/* A text file as lines of valid UTF-8. LF ends a line and one CR before it goes with it; a byte
 * order mark at the start of the file is dropped; empty lines are kept; what follows the last LF is
 * a line if it is not empty. */
#ifndef ATTEND_TEXT_LINES_H
#define ATTEND_TEXT_LINES_H

#include "attend/status.h"

#include <stddef.h>

struct lines {
    char *bytes;   /* the lines one after the other, each with a NUL in place of its end */
    size_t *start; /* (count + 1) */
    int count;
};

/* Standard input when path is "-". Bytes that are not UTF-8, and NUL, are ATTEND_DATA; the message
 * names the line and the byte within it, both from 1. */
enum attend_status lines_read(struct lines *out, const char *path, struct attend_error *err);
/* The same from memory, which is copied; `name` is for messages. */
enum attend_status lines_parse(struct lines *out, const char *bytes, size_t length,
                               const char *name, struct attend_error *err);
/* Line i from 0, NUL-terminated, without its end; *length (may be NULL) is its bytes. */
const char *lines_at(const struct lines *, int i, size_t *length);
void lines_release(struct lines *);

#endif
