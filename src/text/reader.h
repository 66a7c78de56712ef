/* A text one line at a time, in constant memory. LF ends a line and one CR before it goes with it;
 * a byte order mark at the start of the file is dropped; empty lines are kept; what follows the
 * last LF is a line if it is not empty. Every text from outside comes in through here. */
#ifndef ATTEND_TEXT_READER_H
#define ATTEND_TEXT_READER_H

#include "attend/status.h"

#include <stddef.h>

enum reader_fault { READER_OK, READER_NOT_UTF8, READER_NUL, READER_TOO_LONG };

/* Bytes of a line, unless another limit is set. */
enum { READER_MAX_LENGTH = 1 << 20 };

struct reader_line {
    const char *text; /* NUL-terminated, without its end, valid until the next call; NULL: there is
                         no line more */
    size_t length;
    size_t number;           /* from 1 */
    enum reader_fault fault; /* the first one; the text of a faulty line is not for use */
    size_t fault_at;         /* byte of the line, from 1 */
};

struct reader;

/* Standard input when path is "-"; gzip and zstd are decompressed (base/stream.h). */
enum attend_status reader_open(struct reader **out, const char *path, struct attend_error *err);
/* The same from memory, as it stands there; bytes and name (for messages) are borrowed. */
enum attend_status reader_open_bytes(struct reader **out, const char *bytes, size_t length,
                                     const char *name, struct attend_error *err);
/* A line of more bytes is READER_TOO_LONG: what is past the limit is passed over, not kept. */
void reader_set_limit(struct reader *, size_t bytes);
/* A line with a fault is no failure of the call; the next call goes on behind it. */
enum attend_status reader_next(struct reader *, struct reader_line *out, struct attend_error *err);
/* Lines so far. */
size_t reader_count(const struct reader *);
/* What messages call it: the path, or "standard input". */
const char *reader_name(const struct reader *);
/* ATTEND_DATA with a message that names the line, its fault and what to do. */
enum attend_status reader_refuse(const struct reader *, const struct reader_line *,
                                 struct attend_error *err);
void reader_close(struct reader *);

#endif
