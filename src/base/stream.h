/* The bytes of a file or of standard input, a block at a time, in constant memory. What begins like
 * a compressed file (codec.h) is decompressed, whatever its name. */
#ifndef ATTEND_BASE_STREAM_H
#define ATTEND_BASE_STREAM_H

#include "attend/status.h"

#include <stddef.h>

struct stream;

/* Bytes that are read at once. Inputs of the fuzzer are small, and are to cross blocks. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { STREAM_BLOCK = 256 };
#else
enum { STREAM_BLOCK = 1 << 16 };
#endif

/* Standard input when path is "-". */
enum attend_status stream_open(struct stream **out, const char *path, struct attend_error *err);
/* At least one and at most `room` bytes (room > 0); *got is 0 at the end only. Compressed data that
 * is damaged or incomplete is ATTEND_DATA; what was given out before may be all right. */
enum attend_status stream_read(struct stream *, char *out, size_t room, size_t *got,
                               struct attend_error *err);
/* What messages call it: the path, or "standard input". Lives as long as the stream. */
const char *stream_name(const struct stream *);
/* Standard input stays open. */
void stream_close(struct stream *);

#endif
