#include "text/reader.h"

#include "base/error.h"
#include "base/stream.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char BOM[] = "\xEF\xBB\xBF";
enum { BOM_LENGTH = sizeof BOM - 1 };
/* A byte order mark and a carriage return do not count against the limit. */
enum { PAST_LIMIT = BOM_LENGTH + 1 };

struct reader {
    struct stream *stream; /* NULL: the caller's bytes */
    const char *name;
    const char *at; /* read, and not yet taken */
    size_t left;
    struct strbuf line;
    size_t limit, count;
    char block[STREAM_BLOCK];
};

/* ---- Opening ---- */

static struct reader *new_reader(const char *name, struct attend_error *err)
{
    struct reader *r = calloc(1, sizeof *r);
    if (!r) {
        error_set(err, ATTEND_NO_MEMORY, "%s: out of memory to read it", name);
        return NULL;
    }
    r->name = name;
    r->limit = READER_MAX_LENGTH;
    return r;
}

enum attend_status reader_open(struct reader **out, const char *path, struct attend_error *err)
{
    struct reader *r = new_reader(path, err);
    if (!r)
        return ATTEND_NO_MEMORY;
    const enum attend_status status = stream_open(&r->stream, path, err);
    if (status) {
        reader_close(r);
        return status;
    }
    r->name = stream_name(r->stream);
    *out = r;
    return ATTEND_OK;
}

enum attend_status reader_open_bytes(struct reader **out, const char *bytes, size_t length,
                                     const char *name, struct attend_error *err)
{
    struct reader *r = new_reader(name, err);
    if (!r)
        return ATTEND_NO_MEMORY;
    r->at = bytes;
    r->left = length;
    *out = r;
    return ATTEND_OK;
}

void reader_set_limit(struct reader *r, size_t bytes)
{
    r->limit = bytes < SIZE_MAX / 2 ? bytes : SIZE_MAX / 2;
}

size_t reader_count(const struct reader *r) { return r->count; }

const char *reader_name(const struct reader *r) { return r->name; }

void reader_close(struct reader *r)
{
    if (!r)
        return;
    stream_close(r->stream);
    strbuf_release(&r->line);
    free(r);
}

/* ---- Reading ---- */

/* A line as it stands in the file, its LF aside. */
struct raw {
    size_t length;
    char last;  /* byte of it */
    bool ended; /* by LF */
};

static enum attend_status refill(struct reader *r, struct attend_error *err)
{
    if (r->left > 0 || !r->stream)
        return ATTEND_OK;
    r->at = r->block;
    return stream_read(r->stream, r->block, sizeof r->block, &r->left, err);
}

/* Take bytes up to the end of the line, or as many as are at hand. */
static void take(struct reader *r, struct raw *raw)
{
    const char *end = memchr(r->at, '\n', r->left);
    const size_t length = end ? (size_t)(end - r->at) : r->left;
    const size_t room = r->limit + PAST_LIMIT - r->line.length;
    strbuf_add(&r->line, r->at, length < room ? length : room);
    if (length > 0)
        raw->last = r->at[length - 1];
    raw->length += length;
    raw->ended = end;
    r->left -= length + raw->ended;
    r->at += length + raw->ended;
}

static enum attend_status gather(struct reader *r, struct raw *raw, struct attend_error *err)
{
    strbuf_clear(&r->line);
    while (!raw->ended) {
        const enum attend_status status = refill(r, err);
        if (status)
            return status;
        if (r->left == 0)
            break;
        take(r, raw);
    }
    return strbuf_status(&r->line, err);
}

static void fault(struct reader_line *line, enum reader_fault kind, size_t offset)
{
    line->fault = kind;
    line->fault_at = offset + 1;
}

static void check(struct reader_line *line)
{
    const char *nul = memchr(line->text, '\0', line->length);
    size_t bad;
    if (!utf8_valid(line->text, nul ? (size_t)(nul - line->text) : line->length, &bad))
        fault(line, READER_NOT_UTF8, bad);
    else if (nul)
        fault(line, READER_NUL, (size_t)(nul - line->text));
}

enum attend_status reader_next(struct reader *r, struct reader_line *out, struct attend_error *err)
{
    struct raw raw = {0};
    const enum attend_status status = gather(r, &raw, err);
    if (status)
        return status;
    const bool bom =
        r->count == 0 && r->line.length >= BOM_LENGTH && memcmp(r->line.text, BOM, BOM_LENGTH) == 0;
    const size_t skip = bom ? BOM_LENGTH : 0;
    size_t length = raw.length - skip;
    *out = (struct reader_line){0};
    if (length == 0 && !raw.ended)
        return ATTEND_OK;
    if (length > 0 && raw.last == '\r')
        length--;
    out->number = ++r->count;
    out->length = length < r->limit ? length : r->limit;
    r->line.text[skip + out->length] = '\0';
    out->text = r->line.text + skip;
    if (length > r->limit)
        fault(out, READER_TOO_LONG, r->limit);
    else
        check(out);
    return ATTEND_OK;
}

enum attend_status reader_refuse(const struct reader *r, const struct reader_line *line,
                                 struct attend_error *err)
{
    if (line->fault == READER_TOO_LONG)
        return error_set(err, ATTEND_DATA, "%s:%zu: longer than %zu bytes; split the line", r->name,
                         line->number, r->limit);
    return error_set(
        err, ATTEND_DATA, "%s:%zu: %s at byte %zu of the line; convert the file to UTF-8", r->name,
        line->number, line->fault == READER_NUL ? "NUL" : "invalid UTF-8", line->fault_at);
}
