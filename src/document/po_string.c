#include "document/po_string.h"

#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

/* ---- Escapes ---- */

static const char letters[] = "ntrabfv\"\\", meanings[] = "\n\t\r\a\b\f\v\"\\";

/* Append what the escape behind a backslash means. Returns its length. */
static size_t unescape(struct strbuf *out, const char *at)
{
    char digits[4] = "";
    const bool hex = *at == 'x';
    const char *found = *at ? strchr(letters, *at) : NULL;
    if (found) {
        strbuf_addc(out, meanings[found - letters]);
        return 1;
    }
    const size_t room = hex ? 2 : 3;
    size_t length = strspn(at + hex, hex ? "0123456789abcdefABCDEF" : "01234567");
    length = length > room ? room : length;
    memcpy(digits, at + hex, length);
    const long byte = length ? strtol(digits, NULL, hex ? 16 : 8) : 0;
    if (byte <= 0 || byte > 0x7f) { /* bytes of other charsets mean nothing here */
        strbuf_addc(out, '\\');
        return 0;
    }
    strbuf_addc(out, (char)byte);
    return length + hex;
}

bool po_string_read(struct strbuf *out, const char *line, size_t *length)
{
    const char *at = line + 1;
    if (*line != '"')
        return false;
    while (*at && *at != '"' && *at != '\n')
        if (*at == '\\' && at[1] && at[1] != '\n')
            at += 1 + unescape(out, at + 1);
        else
            strbuf_addc(out, *at++);
    if (*at != '"')
        return false;
    at++;
    *length = (size_t)(at - line);
    return at[strspn(at, " \t\r\n")] == '\0';
}

static void write_line(struct strbuf *out, const char *text, size_t length)
{
    strbuf_addc(out, '"');
    for (size_t i = 0; i < length; i++) {
        const char *found = strchr(meanings, text[i]);
        if (found) {
            strbuf_addc(out, '\\');
            strbuf_addc(out, letters[found - meanings]);
        } else {
            strbuf_addc(out, text[i]);
        }
    }
    strbuf_addc(out, '"');
}

void po_string_write(struct strbuf *out, const char *text, const char *end)
{
    const char *line = strchr(text, '\n');
    if (!line || !line[1]) {
        write_line(out, text, strlen(text));
        return;
    }
    strbuf_adds(out, "\"\"");
    while (*text) {
        const size_t whole = strcspn(text, "\n");
        const size_t length = whole + (text[whole] == '\n');
        strbuf_adds(out, end);
        write_line(out, text, length);
        text += length;
    }
}

/* ---- Placeholders ---- */

struct place {
    const char *text;
    size_t length;
    bool named; /* or numbered: its position does not matter */
};
struct places {
    struct place *place;
    int count, size;
    bool failed;
};

/* The length of a placeholder; 0: none. */
static size_t place_length(const char *at, bool *named)
{
    if (*at == '{') {
        const size_t length = strcspn(at, "}\n");
        *named = true;
        return at[length] == '}' ? length + 1 : 0;
    }
    const char *end = at + 1;
    *named = *end == '(' || *end == '<';
    if (*end == '(')
        end += strcspn(end, ")") + (strchr(end, ')') != NULL);
    const size_t digits = strspn(end, "0123456789");
    if (digits && end[digits] == '$') {
        *named = true;
        end += digits + 1;
    }
    end += strspn(end, " -+#0'I123456789.*hlLqjzt");
    return *end && strchr("diouxXeEfFgGaAcCsSpn%@mrlL", *end) ? (size_t)(end - at) + 1 : 0;
}

static void add_place(struct places *p, struct place place)
{
    if (p->count == p->size) {
        const int size = p->size ? 2 * p->size : 8;
        struct place *more = realloc(p->place, (size_t)size * sizeof *more);
        p->failed = p->failed || !more;
        if (!more)
            return;
        p->place = more;
        p->size = size;
    }
    p->place[p->count++] = place;
}

static void find_places(struct places *p, const char *text)
{
    while (*(text += strcspn(text, "%{"))) {
        struct place place = {.text = text};
        place.length = place_length(text, &place.named);
        if (place.length)
            add_place(p, place);
        text += place.length ? place.length : 1;
    }
}

static int compare(const struct place *a, const struct place *b)
{
    const size_t length = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->text, b->text, length);
    return order ? order : a->length < b->length ? -1 : a->length > b->length;
}

/* Those without a name come first, in the order of the text. */
static int by_name(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->named != b->named)
        return a->named - b->named;
    return a->named ? compare(a, b) : a->text < b->text ? -1 : a->text > b->text;
}

bool po_string_same_places(const char *source, const char *translation)
{
    struct places a = {0}, b = {0};
    find_places(&a, source);
    find_places(&b, translation);
    bool same = a.count == b.count;
    if (same && a.count) {
        qsort(a.place, (size_t)a.count, sizeof *a.place, by_name);
        qsort(b.place, (size_t)b.count, sizeof *b.place, by_name);
    }
    for (int i = 0; i < a.count && same; i++)
        same = a.place[i].named == b.place[i].named && compare(&a.place[i], &b.place[i]) == 0;
    same = same || a.failed || b.failed;
    free(a.place);
    free(b.place);
    return same;
}
