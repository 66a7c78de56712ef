/* The lines of a text file, one at a time, in constant memory: plain, or compressed by gzip or
 * zstd. */
#ifndef ATTEND_LINES_H
#define ATTEND_LINES_H

#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct attend_lines;

/** Standard input when path is NULL or "-". */
ATTEND_API enum attend_status attend_lines_open(struct attend_lines **out, const char *path,
                                                struct attend_error *err);
/** The next line without its end (LF, or CR and LF) in *line, valid until the next call; NULL when
 * there is none. A byte order mark is dropped. A line that is not UTF-8, holds NUL or is longer
 * than 64 MiB is ATTEND_DATA; the message names file and line. */
ATTEND_API enum attend_status attend_lines_next(struct attend_lines *lines, const char **line,
                                                struct attend_error *err);
/** What messages call the file: its path, or "standard input". */
ATTEND_API const char *attend_lines_name(const struct attend_lines *lines);
/** The number of the line that was read last, from 1; 0 before the first. */
ATTEND_API long attend_lines_number(const struct attend_lines *lines);
/** NULL is fine. */
ATTEND_API void attend_lines_close(struct attend_lines *lines);

#ifdef __cplusplus
}
#endif

#endif
