/* The bytes of a document, from a file or from memory, checked to be UTF-8 without NUL. */
#ifndef ATTEND_DOCUMENT_INTAKE_H
#define ATTEND_DOCUMENT_INTAKE_H

#include "attend/status.h"
#include "base/strbuf.h"

#include <stdbool.h>

struct stream;

/* The most bytes of one unit of a document. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { INTAKE_UNIT = 1 << 14 };
#else
enum { INTAKE_UNIT = 1 << 26 };
#endif

/* All zero, then one of the two open functions. */
struct intake {
    const char *name;      /* for messages; borrowed */
    struct stream *stream; /* NULL: from memory */
    const char *bytes; /* read and not yet taken; points into `block` or to the caller's bytes */
    size_t left;
    char *block;
    long line; /* number of the next byte's line, from 1 */
    long from; /* the line at which the last intake_take began */
    bool begun;
};

/* Read a file, or standard input when path is "-". */
enum attend_status intake_open(struct intake *, const char *path, struct attend_error *err);
/* Read bytes in memory, which the caller keeps. */
void intake_open_bytes(struct intake *, const char *name, const char *bytes, size_t size);
void intake_close(struct intake *);

/* Append the bytes up to and including the next `end`, or all that is left if there is none; with
 * nothing left, nothing is appended. `end` is ASCII; NUL: all that is left. ATTEND_DATA if the unit
 * `out` becomes too large, or if the bytes are UTF-16, not UTF-8, or contain NUL. */
enum attend_status intake_take(struct intake *, struct strbuf *out, char end,
                               struct attend_error *err);
/* Append a byte order mark, if the document starts with one. */
enum attend_status intake_mark(struct intake *, struct strbuf *out, struct attend_error *err);

#endif
