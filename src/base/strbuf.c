#include "base/strbuf.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Make room for `more` bytes and the NUL. */
static bool grow(struct strbuf *s, size_t more)
{
    if (s->failed || more >= SIZE_MAX / 4 - s->length) {
        s->failed = true;
        return false;
    }
    const size_t need = s->length + more + 1;
    if (need <= s->size)
        return true;
    const size_t size = need < 64 ? 64 : need + need / 2;
    char *text = realloc(s->text, size);
    if (!text) {
        s->failed = true;
        return false;
    }
    s->text = text;
    s->size = size;
    return true;
}

void strbuf_add(struct strbuf *s, const char *bytes, size_t length)
{
    if (!grow(s, length))
        return;
    if (length)
        memcpy(s->text + s->length, bytes, length);
    s->length += length;
    s->text[s->length] = '\0';
}

void strbuf_adds(struct strbuf *s, const char *text) { strbuf_add(s, text, strlen(text)); }

void strbuf_addc(struct strbuf *s, char c) { strbuf_add(s, &c, 1); }

void strbuf_addf(struct strbuf *s, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        s->failed = true;
    else if (grow(s, (size_t)length)) {
        vsnprintf(s->text + s->length, (size_t)length + 1, format, again);
        s->length += (size_t)length;
    }
    va_end(again);
}

void strbuf_clear(struct strbuf *s)
{
    s->length = 0;
    if (s->text)
        s->text[0] = '\0';
}

char *strbuf_detach(struct strbuf *s)
{
    strbuf_add(s, "", 0);
    char *text = s->failed ? NULL : s->text;
    if (!text)
        free(s->text);
    *s = (struct strbuf){.failed = s->failed};
    return text;
}

enum attend_status strbuf_status(const struct strbuf *s, struct attend_error *err)
{
    return s->failed ? error_set(err, ATTEND_NO_MEMORY, "out of memory for a text of %zu bytes",
                                 s->length)
                     : ATTEND_OK;
}

void strbuf_release(struct strbuf *s)
{
    free(s->text);
    *s = (struct strbuf){0};
}
