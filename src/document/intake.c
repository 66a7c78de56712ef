#include "document/intake.h"

#include "base/error.h"
#include "base/stream.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum attend_status intake_open(struct intake *in, const char *path, struct attend_error *err)
{
    *in = (struct intake){.line = 1, .block = malloc(STREAM_BLOCK)};
    if (!in->block)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a document");
    const enum attend_status status = stream_open(&in->stream, path, err);
    in->name = status ? path : stream_name(in->stream);
    return status;
}

void intake_open_bytes(struct intake *in, const char *name, const char *bytes, size_t size)
{
    *in = (struct intake){.name = name, .bytes = bytes, .left = size, .line = 1};
}

void intake_close(struct intake *in)
{
    stream_close(in->stream);
    free(in->block);
    *in = (struct intake){0};
}

/* Make sure that there are bytes, except at the end. */
static enum attend_status fill(struct intake *in, struct attend_error *err)
{
    if (in->left || !in->stream)
        return ATTEND_OK;
    in->bytes = in->block;
    return stream_read(in->stream, in->block, STREAM_BLOCK, &in->left, err);
}

/* ---- Checks ---- */

static long count_lines(const char *bytes, size_t length)
{
    long lines = 0;
    for (const char *end = bytes + length; (bytes = memchr(bytes, '\n', (size_t)(end - bytes)));
         bytes++)
        lines++;
    return lines;
}

static enum attend_status check(const struct intake *in, const char *bytes, size_t length,
                                struct attend_error *err)
{
    size_t bad = 0;
    const char *nul = memchr(bytes, '\0', length);
    if (!nul && utf8_valid(bytes, length, &bad))
        return ATTEND_OK;
    bad = nul ? (size_t)(nul - bytes) : bad;
    const size_t line = (size_t)(in->line + count_lines(bytes, bad));
    return error_at(err, ATTEND_DATA, in->name, line,
                    nul ? "contains a NUL byte; remove it"
                        : "invalid UTF-8; convert the document with iconv");
}

enum attend_status intake_mark(struct intake *in, struct strbuf *out, struct attend_error *err)
{
    const enum attend_status status = fill(in, err);
    if (status)
        return status;
    if (in->left >= 2 &&
        (memcmp(in->bytes, "\xff\xfe", 2) == 0 || memcmp(in->bytes, "\xfe\xff", 2) == 0))
        return error_set(err, ATTEND_DATA,
                         "%s: is UTF-16, which is not read; convert it: iconv -f UTF-16 -t UTF-8",
                         in->name);
    if (in->left < 3 || memcmp(in->bytes, "\xef\xbb\xbf", 3) != 0)
        return ATTEND_OK;
    strbuf_add(out, in->bytes, 3);
    in->bytes += 3;
    in->left -= 3;
    return ATTEND_OK;
}

/* ---- Taking ---- */

/* Append bytes up to `end`; *found: it was there. */
static void take_some(struct intake *in, struct strbuf *out, char end, bool *found)
{
    const char *at = end ? memchr(in->bytes, end, in->left) : NULL;
    const size_t length = at ? (size_t)(at - in->bytes) + 1 : in->left;
    strbuf_add(out, in->bytes, length);
    in->bytes += length;
    in->left -= length;
    *found = at;
}

enum attend_status intake_take(struct intake *in, struct strbuf *out, char end,
                               struct attend_error *err)
{
    const size_t before = out->length;
    bool found = false;
    in->from = in->line;
    enum attend_status status = fill(in, err);
    while (!status && in->left && !found) {
        take_some(in, out, end, &found);
        if (out->failed)
            status = strbuf_status(out, err);
        else if (out->length > INTAKE_UNIT)
            status = error_at(err, ATTEND_DATA, in->name, (size_t)in->line,
                              "is longer than %d MiB without an end; divide the document",
                              INTAKE_UNIT >> 20);
        if (!status && !found)
            status = fill(in, err);
    }
    if (status || out->length == before)
        return status;
    status = check(in, out->text + before, out->length - before, err);
    in->line += count_lines(out->text + before, out->length - before);
    return status;
}
