#include "markup/line.h"

#include "base/error.h"
#include "base/utf8.h"
#include "markup/placeholder.h"
#include "markup/slots.h"

#include <stdlib.h>
#include <string.h>

void line_insert(struct attend_markup *m, int index, struct marker marker)
{
    if (m->count == m->size) {
        const int size = m->size ? 2 * m->size : 8;
        struct marker *more = realloc(m->marker, (size_t)size * sizeof *more);
        m->failed = m->failed || !more;
        if (!more)
            return;
        m->marker = more;
        m->size = size;
    }
    memmove(m->marker + index + 1, m->marker + index,
            (size_t)(m->count - index) * sizeof *m->marker);
    m->marker[index] = marker;
    m->count++;
}

/* ---- Taking the line apart ---- */

static enum marker_kind kind_of(const struct html_tag *tag)
{
    if (tag->shows || !tag->length)
        return MARKER_KEPT;
    return tag->kind == HTML_OPEN    ? MARKER_OPEN
           : tag->kind == HTML_CLOSE ? MARKER_CLOSE
                                     : MARKER_TAG;
}

/* Append the character at `at`; returns its bytes in the line. */
static size_t add_text(struct attend_markup *m, const char *line, size_t at)
{
    const char c = line[at];
    const size_t before = m->full.length;
    const size_t reference = m->html && c == '&' ? html_decode(&m->full, line + at) : 0;
    if (!reference)
        strbuf_addc(&m->full, c);
    /* A line end cannot be translated. */
    for (size_t i = before; m->html && i < m->full.length; i++)
        if (m->full.text[i] == '\n' || m->full.text[i] == '\r')
            m->full.text[i] = ' ';
    return reference ? reference : 1;
}

static void scan(struct attend_markup *m, enum attend_tags tags)
{
    const char *line = m->given;
    for (size_t at = 0; line[at] && !m->failed && m->count <= LINE_MARKERS;) {
        struct marker marker = {.from = at, .start = m->full.length, .end = m->full.length};
        if (m->html && line[at] == '<')
            marker.tag = html_scan(line + at);
        marker.kind = kind_of(&marker.tag);
        marker.length = marker.tag.length          ? marker.tag.length
                        : tags == ATTEND_TAGS_NONE ? 0
                                                   : placeholder_length(line, at);
        if (marker.length)
            line_insert(m, m->count, marker);
        at += marker.length ? marker.length : add_text(m, line, at);
    }
    strbuf_adds(&m->full, "");
}

/* ---- The text to translate ---- */

/* Whether a blank, punctuation or the end of the text follows marker i, other markers aside. */
static bool stands_free(const struct attend_markup *m, int i)
{
    size_t at = m->marker[i].end;
    for (i++; i < m->count && m->marker[i].start == at; i++)
        at = m->marker[i].end;
    if (at == m->full.length)
        return true;
    const enum unit_kind kind = unit_kind(m->full.text + at, m->full.length - at);
    return kind == UNIT_BLANK || kind == UNIT_SYMBOL;
}

/* Whether a blank follows marker i, tags aside. */
static bool blank_follows(const struct attend_markup *m, int i)
{
    const size_t at = m->marker[i].end;
    for (int k = i + 1; k < m->count && m->marker[k].start == at; k++)
        if (m->marker[k].kind == MARKER_KEPT)
            return false;
    return at < m->full.length && unit_kind(m->full.text + at, 1) == UNIT_BLANK;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Leave the last blank of `plain` to the marker. Tags that stood after it now stand before it. */
static void give_blank(struct attend_markup *m, int i)
{
    m->plain.text[--m->plain.length] = '\0';
    for (; i >= 0 && m->marker[i].at > m->plain.length; i--)
        m->marker[i].at = m->plain.length;
}

/* Place kept marker i at the end of `plain`; returns how many bytes of blanks after it it takes. */
static size_t place_kept(struct attend_markup *m, int i)
{
    struct marker *marker = &m->marker[i];
    const struct strbuf *plain = &m->plain;
    const bool after_blank = plain->length && is_blank(plain->text[plain->length - 1]);
    if (after_blank && stands_free(m, i)) {
        marker->side = MARKER_TOOK_BEFORE;
        give_blank(m, i);
        return 0;
    }
    if (!plain->length && blank_follows(m, i)) {
        marker->side = MARKER_TOOK_AFTER;
        return 1;
    }
    marker->side = plain->length && !after_blank ? MARKER_TOUCHES_BEFORE : MARKER_TOUCHES_AFTER;
    return 0;
}

static void make_plain(struct attend_markup *m)
{
    size_t at = 0;
    for (int i = 0; i < m->count && !m->plain.failed; i++) {
        struct marker *marker = &m->marker[i];
        if (marker->start > at)
            strbuf_add(&m->plain, m->full.text + at, marker->start - at);
        at = marker->end > at ? marker->end : at;
        marker->at = m->plain.length;
        if (marker->kind == MARKER_KEPT)
            at += place_kept(m, i);
    }
    if (m->full.length > at)
        strbuf_add(&m->plain, m->full.text + at, m->full.length - at);
    strbuf_adds(&m->plain, "");
}

/* ---- The public functions ---- */

static enum attend_status take_apart(struct attend_markup *m, const char *line,
                                     const struct attend_markup_options *options,
                                     struct attend_error *err)
{
    size_t bad;
    if (!utf8_valid(line, strlen(line), &bad))
        return error_set(err, ATTEND_DATA, "invalid UTF-8 at byte %zu; convert it to UTF-8",
                         bad + 1);
    m->html = options->tags == ATTEND_TAGS_HTML;
    m->given = strdup(line);
    if (m->given)
        scan(m, options->tags);
    if (!m->given || m->failed || m->full.failed)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a line");
    if (m->count > LINE_MARKERS)
        return error_set(err, ATTEND_DATA, "has more than %d tags; split the line", LINE_MARKERS);
    enum attend_status status = line_find_terms(m, options, err);
    if (!status)
        status = line_match(m, options->tolerant, err);
    if (!status)
        make_plain(m);
    if (!status && m->plain.failed)
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for a line");
    return status;
}

enum attend_status attend_markup_parse(struct attend_markup **out, const char *line,
                                       const struct attend_markup_options *options,
                                       struct attend_error *err)
{
    struct attend_markup *m = calloc(1, sizeof *m);
    if (!m)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a line");
    const enum attend_status status = take_apart(m, line, options, err);
    if (status) {
        attend_markup_free(m);
        return status;
    }
    *out = m;
    return ATTEND_OK;
}

const char *attend_markup_text(const struct attend_markup *m) { return m->plain.text; }

const char *const *attend_markup_terms(const struct attend_markup *m, int *count)
{
    *count = m->terms;
    return (const char *const *)m->term;
}

int attend_markup_left_out(const struct attend_markup *m) { return m->left_out; }

bool attend_markup_moves(const struct attend_markup *m) { return m->count > 0; }

void attend_markup_free(struct attend_markup *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->terms; i++)
        free(m->term[i]);
    free(m->term);
    free(m->marker);
    free(m->given);
    strbuf_release(&m->full);
    strbuf_release(&m->plain);
    free(m);
}
