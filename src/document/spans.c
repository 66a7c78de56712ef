#include "attend/document.h"

#include "base/error.h"
#include "base/utf8.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The spans found so far. */
struct splitter {
    const struct attend_splitting *how;
    const char *language;
    const char *text;
    struct attend_span *span;
    int count, size;
    size_t line, from; /* start of the current line and sentence */
    size_t end;        /* of the line */
    long cut;
    bool failed;
};

static void add(struct splitter *s, size_t from, size_t to)
{
    if (s->count == s->size) {
        const int size = s->size ? 2 * s->size : 16;
        struct attend_span *more =
            s->size < INT_MAX / 2 ? realloc(s->span, (size_t)size * sizeof *more) : NULL;
        s->failed = s->failed || !more;
        if (!more)
            return;
        s->span = more;
        s->size = size;
    }
    s->span[s->count++] = (struct attend_span){from, to};
}

/* ---- White space and line ends ---- */

static bool is_blank(int32_t point) { return utf8_class(point) == UTF8_BLANK || point == 0xfeff; }

/* Narrow a span to the text between its outer blanks; false if nothing is left. */
static bool trim(const char *text, size_t *from, size_t *to)
{
    size_t first = *to, last = *to;
    int32_t point;
    for (size_t at = *from, length; at < *to; at += length) {
        length = utf8_next(text + at, *to - at, &point);
        if (is_blank(point))
            continue;
        first = first == *to ? at : first;
        last = at + length;
    }
    *from = first;
    *to = last;
    return first < last;
}

static size_t skip_blanks(const char *text, size_t from, size_t to)
{
    int32_t point;
    for (size_t length; from < to; from += length) {
        length = utf8_next(text + from, to - from, &point);
        if (!is_blank(point))
            break;
    }
    return from;
}

/* Whether a line ends here: LF, VT, FF, CR, NEL, and the separators of lines and paragraphs. */
static bool is_line_end(int32_t point)
{
    return (point >= '\n' && point <= '\r') || point == 0x85 || point == 0x2028 || point == 0x2029;
}

/* The bytes up to the next line end. */
static size_t line_length(const char *text, size_t length)
{
    static const char first[] = "\n\v\f\r\xc2\xe2"; /* the first bytes of all line ends */
    size_t at = 0;
    while (at < length) {
        int32_t point;
        while (at < length && !strchr(first, text[at]))
            at++;
        const size_t size = utf8_next(text + at, length - at, &point);
        if (size == 0 || is_line_end(point))
            break;
        at += size;
    }
    return at;
}

/* ---- Sentences that are too long ---- */

/* Clause punctuation. ASCII needs a blank after it: 1,000 is one number. */
static bool ends_clause(int32_t point, int32_t next)
{
    static const int32_t wide[] = {0x3001, 0x3002, 0xff0c, 0xff0e, 0xff1a, 0xff1b,
                                   0xff01, 0xff1f, 0x060c, 0x061b, 0x0964, 0x0965,
                                   0x1361, 0x1362, 0x1363, 0x104a, 0x104b, 0x17d4};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (point == wide[i])
            return true;
    const bool ascii = point == ',' || point == ';' || point == ':' || point == ')';
    const bool dash = point == 0x2013 || point == 0x2014;
    return (ascii || dash) && is_blank(next);
}

/* Where to cut a text so that its first part has at most `most` bytes. Clauses and words are
 * preferred in the second half, where the first part is not too short; a character is never
 * divided. */
static size_t best_cut(const char *text, size_t length, size_t most)
{
    size_t character = 0, blank = 0, clause = 0;
    for (size_t at = 0, size; at < length; at += size) {
        int32_t point, next = 0;
        size = utf8_cluster(text + at, length - at);
        if (at + size > most && at > 0)
            break;
        utf8_next(text + at, length - at, &point);
        utf8_next(text + at + size, length - at - size, &next);
        character = at + size;
        blank = is_blank(next) ? character : blank;
        clause = ends_clause(point, next) ? character : clause;
    }
    if (clause > most / 2)
        return clause;
    return blank > most / 2 ? blank : clause > most / 4 ? clause : blank ? blank : character;
}

/* Only a part of a very long text is looked at, so that the time stays linear. */
static size_t fitting(const struct splitter *s, const char *text, size_t length)
{
    enum { WINDOW = 1 << 15 };
    const struct attend_model *model = s->how->model;
    if (!model)
        return length;
    const size_t seen = length > WINDOW ? utf8_whole(text, WINDOW) : length;
    return attend_model_fit(model, text, seen);
}

/* One sentence. It is cut as long as its rest is too long. */
static void add_sentence(struct splitter *s, size_t from, size_t to)
{
    bool cut = false;
    if (!trim(s->text, &from, &to))
        return;
    while (!s->failed) {
        const size_t most = fitting(s, s->text + from, to - from);
        if (most >= to - from) {
            add(s, from, to);
            break;
        }
        const size_t size = best_cut(s->text + from, to - from, most);
        size_t begin = from, end = from + size;
        if (trim(s->text, &begin, &end))
            add(s, begin, end);
        from = skip_blanks(s->text, from + size, to);
        cut = true;
    }
    s->cut += cut;
}

/* ---- Sentences ---- */

/* Unicode's rules leave an opening bracket with the sentence before it where no blank separates
 * them, as in Chinese and Japanese. It belongs to the next one. Returns the end without it. */
static size_t without_opening(const char *text, size_t from, size_t to)
{
    static const char *const open[] = {"\u300c", "\u300e", "\uff08", "\u3010", "\u300a",
                                       "\u3008", "\u3014", "\uff3b", "\uff5b"};
    size_t end = to;
    for (size_t i = 0; i < sizeof open / sizeof *open && end - from > 3; i++)
        if (memcmp(text + end - 3, open[i], 3) == 0) {
            end -= 3;
            i = (size_t)-1; /* there may be more of them */
        }
    return end;
}

static void take_sentence(void *taker, size_t end)
{
    struct splitter *s = taker;
    const size_t from = s->from, to = s->line + end;
    if (to > from)
        s->from = to < s->end ? without_opening(s->text, from, to) : to;
    if (s->from > from)
        add_sentence(s, from, s->from);
}

static void add_line(struct splitter *s, size_t from, size_t to)
{
    const struct attend_sentences *sentences = s->how->sentences;
    if (!trim(s->text, &from, &to))
        return;
    if (!sentences) {
        add_sentence(s, from, to);
        return;
    }
    s->line = s->from = from;
    s->end = to;
    const bool found = sentences->find(sentences->context, s->language, s->text + from, to - from,
                                       take_sentence, s);
    s->failed = s->failed || !found;
    if (s->from < to) /* the finder has left the end out */
        add_sentence(s, s->from, to);
}

enum attend_status attend_split(struct attend_span **out, int *count, const char *text,
                                size_t length, const struct attend_splitting *splitting, long *cut,
                                struct attend_error *err)
{
    struct splitter s = {.how = splitting, .text = text, .language = splitting->language};
    if (!s.language && splitting->model)
        s.language = attend_model_info(splitting->model).source;
    for (size_t at = 0; at < length && !s.failed;) {
        const size_t line = line_length(text + at, length - at);
        if (line)
            add_line(&s, at, at + line);
        int32_t point;
        at += line;
        at += utf8_next(text + at, length - at, &point);
    }
    if (s.failed) {
        free(s.span);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the sentences of a text");
    }
    if (cut)
        *cut += s.cut;
    *out = s.span;
    *count = s.count;
    return ATTEND_OK;
}
