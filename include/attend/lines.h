/* Reads a text file line by line, in constant memory. The file may be compressed by gzip or
 * zstd. */
#ifndef ATTEND_LINES_H
#define ATTEND_LINES_H

#include "attend/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct attend_lines;

/** Open a file, or standard input when path is NULL or "-". */
ATTEND_API enum attend_status attend_lines_open(struct attend_lines **out, const char *path,
                                                struct attend_error *err);
/** Set *line to the next line without its end (LF or CR LF), or to NULL at the end of the file. It
 * is valid until the next call. A byte order mark is dropped. A line that is not UTF-8, contains
 * NUL or is longer than 64 MiB is ATTEND_DATA; the message names the file and the line. */
ATTEND_API enum attend_status attend_lines_next(struct attend_lines *lines, const char **line,
                                                struct attend_error *err);
/** Set *ready to whether attend_lines_next returns at once: the whole next line is there, or the
 * input has ended. This is always so for a file. A terminal, pipe or socket may pause, also in the
 * middle of a line; then a caller can first answer the lines that it has. `milliseconds` is how long
 * to wait for more bytes; 0: not at all. The last line's text is no longer valid. */
ATTEND_API enum attend_status attend_lines_ready(struct attend_lines *lines, int milliseconds,
                                                 bool *ready, struct attend_error *err);
/** The next line of each of two parallel files; both are NULL at the end. ATTEND_DATA as above, and
 * when one file has more lines than the other. */
ATTEND_API enum attend_status attend_lines_next_pair(struct attend_lines *source,
                                                     struct attend_lines *target,
                                                     const char **source_line,
                                                     const char **target_line,
                                                     struct attend_error *err);
/** The name of the file in messages: its path, or "standard input". */
ATTEND_API const char *attend_lines_name(const struct attend_lines *lines);
/** The number of the line read last, from 1; 0 before the first. */
ATTEND_API long attend_lines_number(const struct attend_lines *lines);
ATTEND_API void attend_lines_close(struct attend_lines *lines);

#ifdef __cplusplus
}
#endif

#endif
