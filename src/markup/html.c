#include "markup/html.h"

#include "base/strbuf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Names ---- */

/* Elements that never have content. */
static const char *const voids[] = {"area", "base", "br",    "col",   "embed",  "hr",    "img",
                                    "link", "meta", "input", "param", "source", "track", "wbr"};
/* Elements that separate sentences. */
static const char *const blocks[] = {
    "address", "article",  "aside",      "blockquote", "body",   "br",       "caption", "center",
    "col",     "colgroup", "dd",         "details",    "dialog", "dir",      "div",     "dl",
    "dt",      "fieldset", "figcaption", "figure",     "footer", "form",     "frame",   "frameset",
    "h1",      "h2",       "h3",         "h4",         "h5",     "h6",       "head",    "header",
    "hgroup",  "hr",       "html",       "iframe",     "legend", "li",       "link",    "main",
    "menu",    "meta",     "nav",        "noscript",   "ol",     "optgroup", "option",  "p",
    "pre",     "script",   "section",    "select",     "source", "style",    "summary", "table",
    "tbody",   "td",       "template",   "textarea",   "tfoot",  "th",       "thead",   "title",
    "tr",      "track",    "ul",         "video"};
/* Elements whose content is not text. */
static const char *const silent[] = {"script", "style"};

#define IS_IN(tag, list) is_in(tag, list, sizeof(list) / sizeof *(list))

static bool is_in(const struct html_tag *t, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == t->name_length && strncasecmp(list[i], t->name, t->name_length) == 0)
            return true;
    return false;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || (c && strchr(":_-.", c)); }

bool html_same_name(const struct html_tag *a, const struct html_tag *b)
{
    return a->name_length == b->name_length && strncasecmp(a->name, b->name, a->name_length) == 0;
}

/* ---- Tags ---- */

/* Bytes up to and including `end`, or to the end of the text. */
static size_t through(const char *text, const char *end, bool *found)
{
    const char *at = strstr(text, end);
    *found = at;
    return at ? (size_t)(at - text) + strlen(end) : strlen(text);
}

/* The length of a tag, with a > in quotes passed over. */
static size_t tag_length(const char *text, bool *ends)
{
    char quote = 0;
    size_t at = 1;
    for (; text[at]; at++) {
        if (quote) {
            quote = text[at] == quote ? 0 : quote;
        } else if (text[at] == '>') {
            break;
        } else if ((text[at] == '"' || text[at] == '\'') && text[at - 1] == '=') {
            quote = text[at];
        }
    }
    *ends = text[at];
    return at + *ends;
}

/* Whether the tag says translate="no". */
static bool stays(const char *text, size_t length)
{
    static const char *const says[] = {"translate=\"no\"", "translate='no'", "translate=no>",
                                       "translate=no "};
    for (size_t at = 0; at + 12 < length; at++)
        for (size_t i = 0; i < sizeof says / sizeof *says; i++)
            if (isspace((unsigned char)text[at]) && at + strlen(says[i]) < length &&
                strncasecmp(text + at + 1, says[i], strlen(says[i])) == 0)
                return true;
    return false;
}

/* Whether an end tag with this name is here. */
static bool closes(const char *text, const struct html_tag *t)
{
    return text[0] == '<' && text[1] == '/' &&
           strncasecmp(text + 2, t->name, t->name_length) == 0 &&
           !in_name(text[2 + t->name_length]);
}

static bool opens(const char *text, const struct html_tag *t)
{
    return text[0] == '<' && strncasecmp(text + 1, t->name, t->name_length) == 0 &&
           !in_name(text[1 + t->name_length]);
}

/* Extend a start tag to its whole element. Elements of the same name nest, except for scripts. */
static void take_element(struct html_tag *t, const char *text, bool nests)
{
    size_t at = t->length;
    int depth = 1;
    for (; text[at] && depth; at++) {
        depth += nests && opens(text + at, t);
        depth -= closes(text + at, t);
    }
    bool ends = false;
    t->length = at + (depth ? 0 : through(text + at, ">", &ends));
    t->ends = ends;
    t->kind = HTML_VOID;
}

static struct html_tag scan_start(const char *text)
{
    struct html_tag t = {.kind = HTML_OPEN, .name = text + 1};
    while (in_name(t.name[t.name_length]))
        t.name_length++;
    t.length = tag_length(text, &t.ends);
    t.block = IS_IN(&t, blocks);
    const bool alone = IS_IN(&t, voids) || (t.ends && text[t.length - 2] == '/');
    if (!t.ends || alone)
        t.kind = HTML_VOID;
    else if (IS_IN(&t, silent))
        take_element(&t, text, false);
    else if (stays(text, t.length))
        take_element(&t, text, true);
    t.shows = t.kind == HTML_VOID && !alone && t.ends && !IS_IN(&t, silent);
    return t;
}

static struct html_tag scan_end(const char *text)
{
    struct html_tag t = {.kind = HTML_CLOSE, .name = text + 2};
    while (in_name(t.name[t.name_length]))
        t.name_length++;
    t.length = tag_length(text, &t.ends);
    t.block = IS_IN(&t, blocks);
    /* </br> is a line break, as browsers read it. */
    if (!t.ends || IS_IN(&t, voids))
        t.kind = HTML_VOID;
    return t;
}

struct html_tag html_scan(const char *text)
{
    struct html_tag t = {.kind = HTML_VOID, .name = ""};
    if (isalpha((unsigned char)text[1]))
        return scan_start(text);
    if (text[1] == '/' && isalpha((unsigned char)text[2]))
        return scan_end(text);
    if (strncmp(text, "<!--", 4) == 0)
        t.length = through(text, "-->", &t.ends);
    else if (text[1] == '!' || text[1] == '?')
        t.length = through(text, ">", &t.ends);
    else
        t.kind = HTML_TEXT;
    t.block = t.kind == HTML_VOID && text[1] != '?' && strncmp(text, "<!--", 4) != 0;
    return t;
}

/* ---- Character references ---- */

/* Append a code point as UTF-8; false if it is not a character. */
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

/* The named references of ordinary text. */
static const struct {
    const char *name;
    unsigned long point;
} names[] = {{"&amp;", '&'},      {"&lt;", '<'},       {"&gt;", '>'},        {"&quot;", '"'},
             {"&apos;", '\''},    {"&nbsp;", 0xa0},    {"&laquo;", 0xab},    {"&raquo;", 0xbb},
             {"&ndash;", 0x2013}, {"&mdash;", 0x2014}, {"&lsquo;", 0x2018},  {"&rsquo;", 0x2019},
             {"&ldquo;", 0x201c}, {"&rdquo;", 0x201d}, {"&hellip;", 0x2026}, {"&euro;", 0x20ac},
             {"&copy;", 0xa9},    {"&reg;", 0xae},     {"&agrave;", 0xe0},   {"&ccedil;", 0xe7},
             {"&egrave;", 0xe8},  {"&eacute;", 0xe9},  {"&ecirc;", 0xea},    {"&auml;", 0xe4},
             {"&ouml;", 0xf6},    {"&uuml;", 0xfc},    {"&szlig;", 0xdf}};

size_t html_decode(struct strbuf *out, const char *text)
{
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

void html_escape(struct strbuf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case '&': strbuf_adds(out, "&amp;"); break;
        case '<': strbuf_adds(out, "&lt;"); break;
        case '>': strbuf_adds(out, "&gt;"); break;
        default: strbuf_addc(out, text[i]);
        }
}
