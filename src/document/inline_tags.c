#include "document/inline_tags.h"

#include "base/error.h"
#include "markup/html.h"
#include "markup/placeholder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

struct mark {
    size_t length; /* 0: none */
    bool opens;    /* belongs to what follows */
};

/* The tag or placeholder at text + at. */
static struct mark mark_at(const char *text, size_t at, enum attend_tags tags)
{
    if (tags == ATTEND_TAGS_HTML && text[at] == '<') {
        const struct html_tag tag = html_scan(text + at);
        return (struct mark){tag.kind == HTML_TEXT ? 0 : tag.length, tag.kind == HTML_OPEN};
    }
    const size_t length = placeholder_length(text, at);
    const bool whole = tags == ATTEND_TAGS_HTML || !memchr(text + at, '\n', length);
    return (struct mark){whole ? length : 0, true};
}

/* A copy of the text in which marks are blank; in HTML, so are line ends. */
static char *blanked(const char *text, size_t length, enum attend_tags tags)
{
    char *copy = malloc(length + 1);
    for (size_t at = 0; copy && at < length;) {
        const struct mark mark = mark_at(text, at, tags);
        const size_t bytes = mark.length ? mark.length : 1;
        const bool blank = mark.length || (tags == ATTEND_TAGS_HTML && is_line_end(text[at]));
        memset(copy + at, blank ? ' ' : text[at], bytes);
        at += bytes;
    }
    if (copy)
        copy[length] = '\0';
    return copy;
}

/* Extend two sentences by the marks between them; one of them may be NULL. `from` and `to` are where
 * what is between them begins and ends. */
static void take_marks(const char *text, size_t from, size_t to, enum attend_tags tags,
                       struct attend_span *before, struct attend_span *after)
{
    bool opened = !before;
    for (size_t at = from; at < to;) {
        const struct mark mark = mark_at(text, at, tags);
        if (mark.length && after && (opened || mark.opens)) {
            opened = true;
            if (at < after->from)
                after->from = at;
        } else if (mark.length && before) {
            before->to = at + mark.length;
        }
        at += mark.length ? mark.length : 1;
    }
}

/* Sentences of HTML may hold line ends, others end there: marks on a line of their own stay. */
static void take_lines(const char *text, size_t from, size_t to, enum attend_tags tags,
                       struct attend_span *before, struct attend_span *after)
{
    size_t first = from, last = to;
    while (first < to && !is_line_end(text[first]))
        first++;
    while (last > first && !is_line_end(text[last - 1]))
        last--;
    if (tags == ATTEND_TAGS_HTML || first == to) {
        take_marks(text, from, to, tags, before, after);
        return;
    }
    if (before)
        take_marks(text, from, first, tags, before, NULL);
    if (after)
        take_marks(text, last, to, tags, NULL, after);
}

static void take_all_marks(struct attend_span *span, int count, const char *text, size_t length,
                           enum attend_tags tags)
{
    for (int i = 0; i <= count && count; i++)
        take_lines(text, i ? span[i - 1].to : 0, i < count ? span[i].from : length, tags,
                   i ? &span[i - 1] : NULL, i < count ? &span[i] : NULL);
}

enum attend_status inline_tags_split(struct attend_span **out, int *count, const char *text,
                                     size_t length, enum attend_tags tags,
                                     const struct attend_splitting *how, long *cut,
                                     struct attend_error *err)
{
    if (tags == ATTEND_TAGS_NONE)
        return attend_split(out, count, text, length, how, cut, err);
    char *given = strndup(text, length), *plain = NULL;
    if (given)
        plain = blanked(given, length, tags);
    enum attend_status status =
        plain ? attend_split(out, count, plain, length, how, cut, err)
              : error_set(err, ATTEND_NO_MEMORY, "out of memory for the sentences of a text");
    if (!status)
        take_all_marks(*out, *count, given, length, tags);
    free(given);
    free(plain);
    return status;
}
