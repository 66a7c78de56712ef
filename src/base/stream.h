/* Reads a file or standard input block by block in constant memory. Data that starts like a
 * compressed file (codec.h) is decompressed, whatever its name is. */
#ifndef ATTEND_BASE_STREAM_H
#define ATTEND_BASE_STREAM_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

struct stream;

/* Bytes per read. The fuzzer's inputs are small, so its blocks are too: inputs must cross
 * blocks. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { STREAM_BLOCK = 256 };
#else
enum { STREAM_BLOCK = 1 << 16 };
#endif

/* Opens standard input when path is "-". Only a file is read at once; from a terminal, pipe or socket
 * the first call that reads takes the first bytes, so that opening does not wait for them. */
enum attend_status stream_open(struct stream **out, const char *path, struct attend_error *err);
/* Read at least one and at most `room` bytes (room > 0); *got is 0 only at the end. Damaged or
 * incomplete compressed data is ATTEND_DATA, possibly after some valid bytes. */
enum attend_status stream_read(struct stream *, char *out, size_t room, size_t *got,
                               struct attend_error *err);
/* The same for data that may be late: a terminal, pipe or socket. If nothing comes within this many
 * milliseconds (0: look, do not wait), *got is 0 and *late is true. A file is never late. */
enum attend_status stream_read_soon(struct stream *, int milliseconds, char *out, size_t room,
                                    size_t *got, bool *late, struct attend_error *err);
/* The name for messages: the path, or "standard input". It lives as long as the stream. */
const char *stream_name(const struct stream *);
/* The same for a path. */
const char *stream_file_name(const char *path);
/* Standard input is not closed. */
void stream_close(struct stream *);

#endif
