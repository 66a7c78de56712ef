#include "document/segments.h"

#include "markup/html.h"

#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\v\f";

static int points(const char *text, size_t length)
{
    int count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* Takes ownership of the text; NULL: memory ran out. */
static void add(struct segments *p, char *text, bool asks)
{
    if (p->count == p->size) {
        const int size = p->size ? 2 * p->size : 8;
        struct segment *more = realloc(p->item, (size_t)size * sizeof *more);
        if (!more) {
            free(text);
            p->failed = true;
            return;
        }
        p->item = more;
        p->size = size;
    }
    p->failed = p->failed || !text;
    if (text)
        p->item[p->count++] = (struct segment){text, asks, p->points};
    p->asking += text && asks;
    if (text)
        p->points += points(text, strlen(text));
}

void segments_add(struct segments *p, const char *text, size_t length, bool asks)
{
    if (length)
        add(p, strndup(text, length), asks);
}

static void keep(struct segments *p, const char *text, size_t length)
{
    segments_add(p, text, length, false);
}

/* ---- Plain text ---- */

void segments_cut_text(struct segments *p, const char *text)
{
    for (;;) {
        const size_t whole = strcspn(text, "\n");
        const size_t line = whole && text[whole] && text[whole - 1] == '\r' ? whole - 1 : whole;
        if (strspn(text, blanks) < line)
            add(p, strndup(text, line), true);
        else /* left out */
            p->points += points(text, line);
        if (!text[whole])
            return;
        keep(p, text + line, whole + 1 - line);
        text += whole + 1;
    }
}

/* ---- HTML ---- */

static bool is_space(char c) { return c && strchr(" \t\r\n", c); }

/* Whether there is text besides tags and white space. */
static bool has_text(const char *run, size_t length)
{
    static const char space[] = "&nbsp;";
    for (size_t at = 0; at < length;) {
        const struct html_tag tag = run[at] == '<' ? html_scan(run + at) : (struct html_tag){0};
        const bool named = strncmp(run + at, space, sizeof space - 1) == 0;
        if (!tag.length && !named && !is_space(run[at]))
            return true;
        at += tag.length ? tag.length : named ? sizeof space - 1 : 1;
    }
    return false;
}

/* Add what stands between two blocks: one sentence with its inline tags. */
static void add_run(struct segments *p, const char *run, size_t length)
{
    size_t from = 0, to = length;
    while (from < to && is_space(run[from]))
        from++;
    while (to > from && is_space(run[to - 1]))
        to--;
    keep(p, run, from);
    if (to > from)
        add(p, strndup(run + from, to - from), has_text(run + from, to - from));
    keep(p, run + to, length - to);
}

void segments_cut_html(struct segments *p, const char *text)
{
    size_t run = 0; /* bytes of the run so far */
    while (text[run]) {
        const struct html_tag tag = text[run] == '<' ? html_scan(text + run) : (struct html_tag){0};
        if (!tag.block) {
            run += tag.length ? tag.length : 1;
            continue;
        }
        add_run(p, text, run);
        keep(p, text + run, tag.length);
        text += run + tag.length;
        run = 0;
    }
    add_run(p, text, run);
}

void segments_release(struct segments *p)
{
    for (int i = 0; i < p->count; i++)
        free(p->item[i].text);
    free(p->item);
    *p = (struct segments){0};
}
