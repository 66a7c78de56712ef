/* A growing string. Always NUL-terminated once something was added; running out of memory is
 * remembered in `failed`, so that a long sequence of additions is checked once, at its end. */
#ifndef ATTEND_BASE_STRBUF_H
#define ATTEND_BASE_STRBUF_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

struct strbuf {
    char *text; /* NULL while empty */
    size_t length, size;
    bool failed;
};

void strbuf_add(struct strbuf *, const char *bytes, size_t length);
void strbuf_adds(struct strbuf *, const char *text);
void strbuf_addc(struct strbuf *, char c);
void strbuf_addf(struct strbuf *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Set the length to 0 and keep the memory. */
void strbuf_clear(struct strbuf *);
/* The string, which now belongs to the caller (free it); the buffer is empty again. Never NULL
 * unless it failed. */
char *strbuf_detach(struct strbuf *);
/* ATTEND_NO_MEMORY if any addition failed. */
enum attend_status strbuf_status(const struct strbuf *, struct attend_error *err);
void strbuf_release(struct strbuf *);

#endif
