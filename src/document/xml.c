#include "document/xml.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- Tags ---- */

static size_t name_length(const char *name) { return strcspn(name, " \t\r\n/>"); }

bool xml_is(const char *tag, const char *name)
{
    tag += tag[1] == '/' ? 2 : 1;
    const size_t length = strlen(name);
    return name_length(tag) == length && strncmp(tag, name, length) == 0;
}

bool xml_attribute(struct strbuf *out, const char *tag, size_t length, const char *name)
{
    const char *end = tag + length, *at = tag + 1 + name_length(tag + 1);
    const size_t size = strlen(name);
    while (at < end) {
        at += strspn(at, " \t\r\n");
        const char *key = at;
        at += strcspn(at, "= \t\r\n/>");
        const size_t found = (size_t)(at - key);
        at += strspn(at, " \t\r\n");
        if (*at != '=')
            return false;
        at += 1 + strspn(at + 1, " \t\r\n");
        const char *close = *at == '"' || *at == '\'' ? strchr(at + 1, *at) : NULL;
        if (!close || close >= end)
            return false;
        if (found == size && strncmp(key, name, size) == 0) {
            strbuf_add(out, at + 1, (size_t)(close - at) - 1);
            strbuf_addc(out, '\0');
            return !out->failed;
        }
        at = close + 1;
    }
    return false;
}

/* ---- References ---- */

static bool add_point(struct strbuf *out, unsigned long point)
{
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    if (point == 0 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        return false;
    const int extra = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    strbuf_addc(out, (char)(first[extra] | point >> (6 * extra)));
    for (int i = extra - 1; i >= 0; i--)
        strbuf_addc(out, (char)(0x80 | (point >> (6 * i) & 0x3f)));
    return true;
}

/* Decode the reference at a &. Returns its length; 0: not known. */
static size_t decode(struct strbuf *out, const char *text, size_t length)
{
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    static const char meanings[] = "&<>\"'";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length >= strlen(names[i]) && memcmp(text, names[i], strlen(names[i])) == 0) {
            strbuf_addc(out, meanings[i]);
            return strlen(names[i]);
        }
    if (length < 4 || text[1] != '#')
        return 0;
    const bool hex = text[2] == 'x';
    const char *digits = text + 2 + hex;
    const size_t size = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
    const size_t all = (size_t)(digits - text) + size + 1;
    if (!size || size > 7 || all > length || digits[size] != ';' ||
        !add_point(out, strtoul(digits, NULL, hex ? 16 : 10)))
        return 0;
    return all;
}

bool xml_decode(struct strbuf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        const size_t size = text[i] == '&' ? decode(out, text + i, length - i) : 1;
        if (!size)
            return false;
        if (text[i] != '&')
            strbuf_addc(out, text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
        i += size;
    }
    return true;
}

/* ---- Nesting ---- */

static enum attend_status wrong(const struct intake *in, struct attend_error *err,
                                const char *reason)
{
    return error_at(err, ATTEND_DATA, in->name, (size_t)in->line, "%s", reason);
}

static enum attend_status nest(struct xml *x, const struct intake *in, const char *tag,
                               enum xml_kind kind, struct attend_error *err)
{
    const char *name = tag + (kind == XML_CLOSE ? 2 : 1);
    const size_t length = name_length(name);
    if (length == 0 || length >= XML_NAME)
        return wrong(in, err, "a tag without a sensible name");
    if (kind == XML_EMPTY)
        return ATTEND_OK;
    if (kind == XML_CLOSE) {
        if (x->depth == 0 || !xml_is(tag, x->open[x->depth - 1]))
            return error_at(err, ATTEND_DATA, in->name, (size_t)in->line,
                            "</%.*s> closes an element that is not open", (int)length, name);
        x->depth--;
        return ATTEND_OK;
    }
    if (x->depth == XML_DEPTH)
        return wrong(in, err, "elements are nested too deeply");
    memcpy(x->open[x->depth], name, length);
    x->open[x->depth++][length] = '\0';
    return ATTEND_OK;
}

/* ---- Tokens ---- */

/* What is inside of quotes or brackets does not end a tag. */
struct balance {
    size_t seen;
    char quote;
    int brackets;
};

static bool is_balanced(struct balance *b, const char *tag, size_t length)
{
    for (; b->seen < length; b->seen++) {
        const char c = tag[b->seen];
        if (b->quote)
            b->quote = c == b->quote ? '\0' : b->quote;
        else if (c == '"' || c == '\'')
            b->quote = c;
        else
            b->brackets += (c == '[') - (c == ']');
    }
    return !b->quote && b->brackets <= 0;
}

static bool ends_with(const char *text, size_t length, const char *end, size_t least)
{
    const size_t size = strlen(end);
    return length >= least && memcmp(text + length - size, end, size) == 0;
}

static bool is_whole(const char *tag, size_t length, struct balance *b)
{
    if (strncmp(tag, "<!--", 4) == 0)
        return ends_with(tag, length, "-->", 7);
    if (strncmp(tag, "<![CDATA[", 9) == 0)
        return ends_with(tag, length, "]]>", 12);
    if (tag[1] == '?')
        return ends_with(tag, length, "?>", 4);
    return ends_with(tag, length, ">", 2) && is_balanced(b, tag, length);
}

static enum xml_kind kind_of(const char *tag, size_t length)
{
    if (tag[1] == '!')
        return strncmp(tag, "<![CDATA[", 9) == 0 ? XML_CDATA : XML_OTHER;
    if (tag[1] == '?')
        return XML_OTHER;
    return tag[1] == '/' ? XML_CLOSE : tag[length - 2] == '/' ? XML_EMPTY : XML_OPEN;
}

/* The `<` was read. */
static enum attend_status take_tag(struct xml *x, struct intake *in, struct strbuf *unit,
                                   struct xml_token *token, struct attend_error *err)
{
    struct balance balance = {0};
    enum attend_status status = ATTEND_OK;
    strbuf_addc(unit, '<');
    x->tag = false;
    do {
        const size_t before = unit->length;
        status = intake_take(in, unit, '>', err);
        if (!status && unit->length == before)
            status = wrong(in, err, "the file ends in the middle of a tag");
    } while (!status && !is_whole(unit->text + token->from, unit->length - token->from, &balance));
    if (status)
        return status;
    token->to = unit->length;
    token->kind = kind_of(unit->text + token->from, token->to - token->from);
    return token->kind == XML_CDATA || token->kind == XML_OTHER
               ? ATTEND_OK
               : nest(x, in, unit->text + token->from, token->kind, err);
}

enum attend_status xml_next(struct xml *x, struct intake *in, struct strbuf *unit,
                            struct xml_token *token, struct attend_error *err)
{
    *token = (struct xml_token){.from = unit->length, .to = unit->length};
    if (!x->tag) {
        const enum attend_status status = intake_take(in, unit, '<', err);
        if (status)
            return status;
        x->tag = unit->length > token->from && unit->text[unit->length - 1] == '<';
        if (x->tag)
            unit->text[--unit->length] = '\0';
        token->to = unit->length;
        if (token->to > token->from || !x->tag) {
            token->kind = token->to > token->from ? XML_TEXT : XML_END;
            return ATTEND_OK;
        }
    }
    return take_tag(x, in, unit, token, err);
}
