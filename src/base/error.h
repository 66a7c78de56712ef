/* Filling in struct attend_error. */
#ifndef ATTEND_BASE_ERROR_H
#define ATTEND_BASE_ERROR_H

#include "attend/status.h"

#include <stddef.h>

/* Write a message ready to print (one line, no full stop) and return `status`, so that callers can
 * `return error_set(err, ATTEND_IO, "%s: %s", path, strerror(errno));`. The message is valid UTF-8
 * without control characters, whatever the arguments contain. err may be NULL. */
enum attend_status error_set(struct attend_error *err, enum attend_status status,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same about a line of a file: the message is "file:line: reason". */
enum attend_status error_at(struct attend_error *err, enum attend_status status, const char *file,
                            size_t line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* The same about an item of an array argument: the message is "argument:number: reason", where the
 * number counts from 1. `argument` is not copied. */
enum attend_status error_item(struct attend_error *err, enum attend_status status,
                              const char *argument, int item, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Static analyzers look at one file at a time. This tells them that error_set returns `status`;
 * without it they follow every failure into code that runs only on success. */
#ifdef ATTEND_ANALYZE
#define error_set(err, status, ...) (error_set(err, status, __VA_ARGS__), (status))
#define error_at(err, status, ...) (error_at(err, status, __VA_ARGS__), (status))
#define error_item(err, status, ...) (error_item(err, status, __VA_ARGS__), (status))
#endif

#endif
