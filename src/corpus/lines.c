#include "corpus/lines.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "corpus/reader.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Make room for one more line. */
static bool grow(struct lines *lines, int *size)
{
    if (lines->count + 1 < *size)
        return true;
    const size_t more = *size ? 2 * (size_t)*size : 64;
    size_t *start =
        more <= SIZE_MAX / sizeof *start ? realloc(lines->start, more * sizeof *start) : NULL;
    if (!start)
        return false;
    lines->start = start;
    *size = more < INT_MAX ? (int)more : INT_MAX;
    return true;
}

static enum attend_status no_memory(const struct reader *reader, struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory for its lines", reader_name(reader));
}

/* Append every line and its NUL to `bytes`, and its start to lines->start. */
static enum attend_status gather(struct lines *lines, struct strbuf *bytes, struct reader *reader,
                                 struct attend_error *err)
{
    for (int size = 0;;) {
        if (!grow(lines, &size) || bytes->failed)
            return no_memory(reader, err);
        lines->start[lines->count] = bytes->length;
        struct reader_line line;
        const enum attend_status status = reader_next(reader, &line, err);
        if (status || !line.text)
            return status;
        if (line.fault)
            return reader_refuse(reader, &line, err);
        if (++lines->count > INT_MAX - 2)
            return error_set(err, ATTEND_DATA, "%s: has more than %d lines; split it",
                             reader_name(reader), INT_MAX - 2);
        strbuf_add(bytes, line.text, line.length + 1);
    }
}

enum attend_status lines_read(struct lines *out, const char *path, struct attend_error *err)
{
    struct reader *reader = NULL;
    struct strbuf bytes = {0};
    struct lines lines = {0};
    enum attend_status status = reader_open(&reader, path, err);
    if (status)
        return status;
    reader_set_limit(reader, SIZE_MAX);
    status = gather(&lines, &bytes, reader, err);
    if (status)
        goto done;
    lines.bytes = strbuf_detach(&bytes);
    if (!lines.bytes) {
        status = no_memory(reader, err);
        goto done;
    }
    *out = lines;
    lines = (struct lines){0};
done:
    lines_release(&lines);
    strbuf_release(&bytes);
    reader_close(reader);
    return status;
}

const char *lines_at(const struct lines *lines, int i, size_t *length)
{
    BUG_ON(i < 0 || i >= lines->count);
    if (length)
        *length = lines->start[i + 1] - lines->start[i] - 1;
    return lines->bytes + lines->start[i];
}

size_t lines_words(const char *line)
{
    static const char blanks[] = " \t";
    size_t words = 0;
    for (line += strspn(line, blanks); *line; line += strspn(line, blanks)) {
        words++;
        line += strcspn(line, blanks);
    }
    return words;
}

void lines_release(struct lines *lines)
{
    free(lines->bytes);
    free(lines->start);
    *lines = (struct lines){0};
}
