/* A growable string, NUL-terminated once something was added. `failed` records that memory ran out,
 * so a long sequence of additions needs one check at its end. */
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
/* Return the string, which the caller frees; the buffer is then empty. NULL only if an addition
 * failed. */
char *strbuf_detach(struct strbuf *);
/* ATTEND_NO_MEMORY if any addition failed. */
enum attend_status strbuf_status(const struct strbuf *, struct attend_error *err);
void strbuf_release(struct strbuf *);

#endif
