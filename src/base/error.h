/* Filling in struct attend_error. */
#ifndef ATTEND_BASE_ERROR_H
#define ATTEND_BASE_ERROR_H

#include "attend/status.h"

/* Write a message ready to print (one line, no full stop) and return `status`, so that callers can
 * `return error_set(err, ATTEND_IO, "%s: %s", path, strerror(errno));`. Whatever it quotes, the
 * message is valid UTF-8 without control characters. err may be NULL. */
enum attend_status error_set(struct attend_error *err, enum attend_status status,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Analysers look at one file at a time: this tells them that what comes back is the status. Without
 * it they follow every failure into the code that runs on success only. */
#ifdef ATTEND_ANALYZE
#define error_set(err, status, ...) (error_set(err, status, __VA_ARGS__), (status))
#endif

#endif
