#include "corpus/lexicon.h"

#include "base/error.h"
#include "corpus/reader.h"
#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

/* Text without the blanks around it. */
struct span {
    const char *text;
    size_t length;
};

static struct span trimmed(const char *text, size_t length)
{
    for (; length && tokenizer_is_blank(*text); length--)
        text++;
    while (length && tokenizer_is_blank(text[length - 1]))
        length--;
    return (struct span){text, length};
}

static bool add(struct lexicon *l, struct span source, struct span target)
{
    const int known = l->source.count;
    if (known == l->size) {
        const int size = l->size ? 2 * l->size : 64;
        size_t *more = realloc(l->start, (size_t)size * sizeof *more);
        if (!more)
            return false;
        l->start = more;
        l->size = size;
    }
    const int at = piece_table_add(&l->source, source.text, source.length);
    if (at != known)
        return at >= 0;
    l->start[at] = l->target.length;
    strbuf_add(&l->target, target.text, target.length);
    strbuf_addc(&l->target, '\0');
    return !l->target.failed;
}

static enum attend_status read_line(struct lexicon *l, const struct reader *reader,
                                    const struct reader_line *line, struct attend_error *err)
{
    if (line->fault)
        return reader_refuse(reader, line, err);
    if (line->length == 0)
        return ATTEND_OK;
    const char *tab = memchr(line->text, '\t', line->length), *end = line->text + line->length;
    if (!tab || memchr(tab + 1, '\t', (size_t)(end - tab - 1)))
        return error_at(err, ATTEND_DATA, reader_name(reader), line->number,
                        "has %s; write the source, one tab and the target",
                        tab ? "several tabs" : "no tab");
    const struct span source = trimmed(line->text, (size_t)(tab - line->text)),
                      target = trimmed(tab + 1, (size_t)(end - tab - 1));
    if (!source.length || !target.length)
        return error_at(err, ATTEND_DATA, reader_name(reader), line->number,
                        "has no %s; write it or take the line out",
                        source.length ? "target" : "source");
    return add(l, source, target)
               ? ATTEND_OK
               : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", reader_name(reader));
}

enum attend_status lexicon_load(struct lexicon *out, const char *path, struct attend_error *err)
{
    struct lexicon l = {0};
    struct reader *reader = NULL;
    struct reader_line line = {.text = ""};
    enum attend_status status = reader_open(&reader, path, err);
    while (!status && line.text) {
        status = reader_next(reader, &line, err);
        if (!status && line.text)
            status = read_line(&l, reader, &line, err);
    }
    if (!status) {
        *out = l;
        l = (struct lexicon){0};
    }
    reader_close(reader);
    lexicon_release(&l);
    return status;
}

const char *lexicon_find(const struct lexicon *l, const char *text)
{
    const struct span span = trimmed(text, strlen(text));
    const int at = piece_table_find(&l->source, span.text, span.length);
    return at < 0 ? NULL : l->target.text + l->start[at];
}

void lexicon_release(struct lexicon *l)
{
    piece_table_release(&l->source);
    strbuf_release(&l->target);
    free(l->start);
    *l = (struct lexicon){0};
}
