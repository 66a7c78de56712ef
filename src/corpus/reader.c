#include "corpus/reader.h"

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

/* A line as the file has it, without its LF. */
struct raw {
    size_t length;
    char last;  /* its last byte */
    bool ended; /* by LF */
};

struct reader {
    struct stream *stream;
    const char *at; /* bytes that were read but not used yet */
    size_t left;
    struct strbuf line;
    struct raw raw;
    bool begun; /* `line` and `raw` have the beginning of the next line, or all of it */
    size_t limit, count;
    char block[STREAM_BLOCK];
};

/* ---- Opening ---- */

enum attend_status reader_open(struct reader **out, const char *path, struct attend_error *err)
{
    struct reader *r = calloc(1, sizeof *r);
    if (!r)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory to read it",
                         stream_file_name(path));
    const enum attend_status status = stream_open(&r->stream, path, err);
    if (status) {
        reader_close(r);
        return status;
    }
    r->limit = READER_MAX_LENGTH;
    *out = r;
    return ATTEND_OK;
}

void reader_set_limit(struct reader *r, size_t bytes)
{
    r->limit = bytes < SIZE_MAX / 2 ? bytes : SIZE_MAX / 2;
}

size_t reader_count(const struct reader *r) { return r->count; }

const char *reader_name(const struct reader *r) { return stream_name(r->stream); }

void reader_close(struct reader *r)
{
    if (!r)
        return;
    stream_close(r->stream);
    strbuf_release(&r->line);
    free(r);
}

/* ---- Reading ---- */

static enum attend_status refill(struct reader *r, int milliseconds, bool *late,
                                 struct attend_error *err)
{
    if (r->left > 0)
        return ATTEND_OK;
    r->at = r->block;
    return stream_read_soon(r->stream, milliseconds, r->block, sizeof r->block, &r->left, late,
                            err);
}

/* Take bytes up to the end of the line, or all that were read. */
static void take(struct reader *r)
{
    struct raw *raw = &r->raw;
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

/* Have the next line, or as much of it as comes before the input is late. */
static enum attend_status gather(struct reader *r, int milliseconds, bool *late,
                                 struct attend_error *err)
{
    *late = false;
    if (!r->begun) {
        strbuf_clear(&r->line);
        r->raw = (struct raw){0};
        r->begun = true;
    }
    while (!r->raw.ended) {
        const enum attend_status status = refill(r, milliseconds, late, err);
        if (status)
            return status;
        if (r->left == 0)
            break;
        take(r);
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

enum attend_status reader_ready(struct reader *r, int milliseconds, bool *ready,
                                struct attend_error *err)
{
    bool late;
    const enum attend_status status = gather(r, milliseconds, &late, err);
    if (!status)
        *ready = !late;
    return status;
}

enum attend_status reader_next(struct reader *r, struct reader_line *out, struct attend_error *err)
{
    bool late;
    const enum attend_status status = gather(r, -1, &late, err);
    if (status)
        return status;
    const struct raw raw = r->raw;
    r->begun = false;
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
        return error_at(err, ATTEND_DATA, reader_name(r), line->number,
                        "longer than %zu bytes; split the line", r->limit);
    return error_at(err, ATTEND_DATA, reader_name(r), line->number,
                    "%s at byte %zu of the line; convert the file to UTF-8",
                    line->fault == READER_NUL ? "NUL" : "invalid UTF-8", line->fault_at);
}
