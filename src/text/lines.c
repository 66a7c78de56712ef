#include "text/lines.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char BOM[] = "\xEF\xBB\xBF";
enum { BOM_LENGTH = sizeof BOM - 1 };

static size_t count_ends(const char *text, size_t length)
{
    size_t count = 0;
    for (const char *end; (end = memchr(text, '\n', length)); count++) {
        length -= (size_t)(end - text) + 1;
        text = end + 1;
    }
    return count;
}

/* Name the line and the byte in it of what stands at text[bad]. */
static enum attend_status bad_byte(const char *text, size_t bad, const char *name,
                                   struct attend_error *err)
{
    size_t start = bad;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    return error_set(
        err, ATTEND_DATA, "%s:%zu: %s at byte %zu of the line; convert the file to UTF-8", name,
        count_ends(text, start) + 1, text[bad] ? "invalid UTF-8" : "NUL", bad - start + 1);
}

static enum attend_status check(const char *text, size_t length, const char *name,
                                struct attend_error *err)
{
    const char *nul = length ? memchr(text, '\0', length) : NULL;
    size_t bad = 0;
    if (!utf8_valid(text, nul ? (size_t)(nul - text) : length, &bad))
        return bad_byte(text, bad, name, err);
    return nul ? bad_byte(text, (size_t)(nul - text), name, err) : ATTEND_OK;
}

/* Find the lines of text[0 .. length - 1], which lies within out->bytes, and move each down over
 * the bytes that are dropped. */
static void split(struct lines *out, const char *text, size_t length)
{
    size_t to = 0;
    out->start[0] = 0;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t line = end ? (size_t)(end - (text + at)) : length - at;
        const size_t kept = line > 0 && text[at + line - 1] == '\r' ? line - 1 : line;
        memmove(out->bytes + to, text + at, kept);
        out->bytes[to + kept] = '\0';
        to += kept + 1;
        at += line + 1;
        out->start[++out->count] = to;
    }
}

/* Split the bytes of a file, which are taken over. */
static enum attend_status take(struct lines *out, struct strbuf *file, const char *name,
                               struct attend_error *err)
{
    enum attend_status status = strbuf_status(file, err);
    if (status)
        return status;
    const bool bom = file->length >= BOM_LENGTH && memcmp(file->text, BOM, BOM_LENGTH) == 0;
    const size_t skip = bom ? BOM_LENGTH : 0, length = file->length - skip;
    const char *text = length ? file->text + skip : "";
    status = check(text, length, name, err);
    if (status)
        return status;
    const size_t most = (length ? count_ends(text, length) : 0) + 1;
    if (most >= INT_MAX || most >= SIZE_MAX / sizeof *out->start - 1)
        return error_set(err, ATTEND_DATA, "%s: has more than %d lines; split it", name,
                         INT_MAX - 2);
    struct lines lines = {.start = malloc((most + 1) * sizeof *lines.start)};
    lines.bytes = lines.start ? strbuf_detach(file) : NULL;
    if (!lines.bytes) {
        lines_release(&lines);
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory for its lines", name);
    }
    split(&lines, lines.bytes + skip, length);
    *out = lines;
    return ATTEND_OK;
}

enum attend_status lines_read(struct lines *out, const char *path, struct attend_error *err)
{
    struct strbuf file = {0};
    enum attend_status status = io_read(path, &file, err);
    if (!status)
        status = take(out, &file, strcmp(path, "-") == 0 ? "standard input" : path, err);
    strbuf_release(&file);
    return status;
}

enum attend_status lines_parse(struct lines *out, const char *bytes, size_t length,
                               const char *name, struct attend_error *err)
{
    struct strbuf file = {0};
    strbuf_add(&file, bytes, length);
    const enum attend_status status = take(out, &file, name, err);
    strbuf_release(&file);
    return status;
}

const char *lines_at(const struct lines *lines, int i, size_t *length)
{
    BUG_ON(i < 0 || i >= lines->count);
    if (length)
        *length = lines->start[i + 1] - lines->start[i] - 1;
    return lines->bytes + lines->start[i];
}

void lines_release(struct lines *lines)
{
    free(lines->bytes);
    free(lines->start);
    *lines = (struct lines){0};
}
