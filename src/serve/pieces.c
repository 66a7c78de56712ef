#include "serve/pieces.h"

#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t\r\v\f";

/* Takes the text, NULL when memory ran out. */
static void add(struct pieces *p, char *text, bool asks)
{
    if (p->count == p->size) {
        const int size = p->size ? 2 * p->size : 8;
        struct piece *more = realloc(p->item, (size_t)size * sizeof *more);
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
        p->item[p->count++] = (struct piece){text, asks};
    p->asking += text && asks;
}

static void keep(struct pieces *p, const char *text, size_t length)
{
    if (length)
        add(p, strndup(text, length), false);
}

/* ---- Plain text ---- */

void pieces_cut_text(struct pieces *p, const char *text)
{
    for (;;) {
        const size_t whole = strcspn(text, "\n");
        const size_t line = whole && text[whole] && text[whole - 1] == '\r' ? whole - 1 : whole;
        if (strspn(text, blanks) < line)
            add(p, strndup(text, line), true);
        if (!text[whole])
            return;
        keep(p, text + line, whole + 1 - line);
        text += whole + 1;
    }
}

/* ---- HTML ---- */

/* Append a code point as UTF-8; whether there is such a character. */
static bool add_point(struct strbuf *out, unsigned long point)
{
    if (point == 0 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        return false;
    const int extra = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    strbuf_addc(out, (char)(first[extra] | point >> (6 * extra)));
    for (int i = extra - 1; i >= 0; i--)
        strbuf_addc(out, (char)(0x80 | (point >> (6 * i) & 0x3f)));
    return true;
}

/* The reference at `text`, which begins with &; its bytes, 0 when it is none. */
static size_t resolve(struct strbuf *out, const char *text)
{
    static const struct {
        const char *name;
        unsigned long point;
    } names[] = {{"&amp;", '&'},  {"&lt;", '<'},    {"&gt;", '>'},
                 {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", 0xa0}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(text, names[i].name, strlen(names[i].name)) == 0) {
            add_point(out, names[i].point);
            return strlen(names[i].name);
        }
    if (text[1] != '#')
        return 0;
    const bool hex = text[2] == 'x' || text[2] == 'X';
    const char *digits = text + 2 + hex;
    const size_t length = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
    if (!length || length > 7 || digits[length] != ';' ||
        !add_point(out, strtoul(digits, NULL, hex ? 16 : 10)))
        return 0;
    return (size_t)(digits - text) + length + 1;
}

/* A run of text without tags, on one line as far as translation goes. */
static void add_run(struct pieces *p, const char *text, size_t length)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < length;) {
        const size_t reference = text[i] == '&' ? resolve(&out, text + i) : 0;
        if (!reference)
            strbuf_addc(&out, text[i]);
        i += reference ? reference : 1;
    }
    char *run = strbuf_detach(&out);
    for (char *c = run; c && *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    add(p, run, run && run[strspn(run, blanks)]);
}

static void add_text(struct pieces *p, const char *text, size_t length)
{
    size_t before = 0;
    while (before < length && strchr(" \t\r\n", text[before]))
        before++;
    size_t after = length;
    while (after > before && strchr(" \t\r\n", text[after - 1]))
        after--;
    keep(p, text, before);
    if (after > before)
        add_run(p, text + before, after - before);
    keep(p, text + after, length - after);
}

/* Bytes up to and with `end`, or all. */
static size_t through(const char *text, const char *end)
{
    const char *found = strcasestr(text, end);
    return found ? (size_t)(found - text) + strlen(end) : strlen(text);
}

/* Bytes of what stands at a `<`: a tag, or all of an element that holds no text. */
static size_t markup_length(const char *text)
{
    static const struct {
        const char *begin, *end;
    } silent[] = {{"<!--", "-->"}, {"<script", "</script>"}, {"<style", "</style>"}};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (strncasecmp(text, silent[i].begin, strlen(silent[i].begin)) == 0)
            return through(text, silent[i].end);
    return through(text, ">");
}

void pieces_cut_html(struct pieces *p, const char *text)
{
    while (*text) {
        const size_t run = strcspn(text, "<");
        if (run)
            add_text(p, text, run);
        text += run;
        if (!*text)
            return;
        const size_t markup = markup_length(text);
        keep(p, text, markup);
        text += markup;
    }
}

void pieces_escape_html(struct strbuf *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': strbuf_adds(out, "&amp;"); break;
        case '<': strbuf_adds(out, "&lt;"); break;
        case '>': strbuf_adds(out, "&gt;"); break;
        default: strbuf_addc(out, *text);
        }
}

void pieces_release(struct pieces *p)
{
    for (int i = 0; i < p->count; i++)
        free(p->item[i].text);
    free(p->item);
    *p = (struct pieces){0};
}
