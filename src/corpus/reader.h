/* Reads a text line by line, in constant memory. A line ends with LF or CR LF. A byte order mark at
 * the start of the file is dropped. Empty lines are kept; the rest after the last LF is a line only
 * if it is not empty. All text files are read through this reader. */
#ifndef ATTEND_CORPUS_READER_H
#define ATTEND_CORPUS_READER_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

enum reader_fault { READER_OK, READER_NOT_UTF8, READER_NUL, READER_TOO_LONG };

/* The default limit on the bytes of a line. */
enum { READER_MAX_LENGTH = 1 << 20 };

struct reader_line {
    const char *text; /* NUL-terminated, without its end, valid until the next call; NULL at the end
                         of the file */
    size_t length;
    size_t number;           /* from 1 */
    enum reader_fault fault; /* the first fault; the text of a faulty line must not be used */
    size_t fault_at;         /* its byte in the line, from 1 */
};

struct reader;

/* Open a file, or standard input when path is "-"; gzip and zstd are decompressed
 * (base/stream.h). */
enum attend_status reader_open(struct reader **out, const char *path, struct attend_error *err);
/* A line of more bytes is READER_TOO_LONG; bytes beyond the limit are skipped. */
void reader_set_limit(struct reader *, size_t bytes);
/* Read the next line. A faulty line is not a failure of the call; the next call continues after
 * it. */
enum attend_status reader_next(struct reader *, struct reader_line *out, struct attend_error *err);
/* Whether the next call of reader_next returns at once: the line is there, or the input has ended. A
 * terminal, pipe or socket is given this many milliseconds for each read. Ends the life of the last
 * line's text. */
enum attend_status reader_ready(struct reader *, int milliseconds, bool *ready,
                                struct attend_error *err);
/* The number of lines read so far. */
size_t reader_count(const struct reader *);
/* The name of the file in messages: its path, or "standard input". */
const char *reader_name(const struct reader *);
/* ATTEND_DATA, with a message that names the line, its fault and what to do. */
enum attend_status reader_refuse(const struct reader *, const struct reader_line *,
                                 struct attend_error *err);
void reader_close(struct reader *);

#endif
