#include "base/utf8.h"

#include "base/bug.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static utf8proc_ssize_t decode(const char *text, size_t length, utf8proc_int32_t *point)
{
    return utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, point);
}

bool utf8_valid(const char *text, size_t length, size_t *bad)
{
    for (size_t at = 0; at < length;) {
        utf8proc_int32_t point;
        const utf8proc_ssize_t bytes = decode(text + at, length - at, &point);
        if (bytes <= 0) {
            if (bad)
                *bad = at;
            return false;
        }
        at += (size_t)bytes;
    }
    return true;
}

/* ---- Code points ---- */

size_t utf8_next(const char *text, size_t length, int32_t *point)
{
    const utf8proc_ssize_t bytes = length ? decode(text, length, point) : 0;
    return bytes < 0 ? 1 : (size_t)bytes;
}

enum utf8_class utf8_class(int32_t point)
{
    const utf8proc_property_t *p = utf8proc_get_property(point);
    switch (p->bidi_class) {
    case UTF8PROC_BIDI_CLASS_WS:
    case UTF8PROC_BIDI_CLASS_B:
    case UTF8PROC_BIDI_CLASS_S: return UTF8_BLANK;
    default: break;
    }
    if (p->category == UTF8PROC_CATEGORY_ZS)
        return UTF8_BLANK;
    if (p->category >= UTF8PROC_CATEGORY_ND && p->category <= UTF8PROC_CATEGORY_NO)
        return UTF8_NUMBER;
    if (p->category >= UTF8PROC_CATEGORY_PC && p->category <= UTF8PROC_CATEGORY_PO)
        return UTF8_PUNCTUATION;
    if (p->category >= UTF8PROC_CATEGORY_SM && p->category <= UTF8PROC_CATEGORY_SO)
        return UTF8_SYMBOL;
    return UTF8_OTHER;
}

/* ---- Lower case ---- */

static bool is_cased(utf8proc_int32_t point)
{
    enum { FEMININE_ORDINAL = 0xaa, MASCULINE_ORDINAL = 0xba }; /* small letters by name alone */
    const utf8proc_category_t category = utf8proc_category(point);
    return point == FEMININE_ORDINAL || point == MASCULINE_ORDINAL ||
           (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LT) ||
           utf8proc_tolower(point) != point || utf8proc_toupper(point) != point;
}

/* What stands within a word without ending it: marks, format and modifier characters, and the
 * punctuation that Unicode calls MidLetter, MidNumLet and Single_Quote. */
static bool is_case_ignorable(utf8proc_int32_t point)
{
    static const utf8proc_int32_t middle[] = {
        0x27,   0x2e,   0x3a,   0xb7,   0x387,  0x55f,  0x5f4,  0x2018, 0x2019,
        0x2024, 0x2027, 0xfe13, 0xfe52, 0xfe55, 0xff07, 0xff0e, 0xff1a,
    };
    for (size_t i = 0; i < sizeof middle / sizeof *middle; i++)
        if (point == middle[i])
            return true;
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK: return true;
    default: return false;
    }
}

static bool cased_follows(const char *text, size_t length)
{
    utf8proc_int32_t point = 0;
    for (size_t at = 0; at < length;) {
        at += utf8_next(text + at, length - at, &point);
        if (!is_case_ignorable(point))
            return is_cased(point);
    }
    return false;
}

static void add_point(struct strbuf *out, utf8proc_int32_t point)
{
    utf8proc_uint8_t bytes[4];
    strbuf_add(out, (const char *)bytes, (size_t)utf8proc_encode_char(point, bytes));
}

void utf8_lower(struct strbuf *out, const char *text)
{
    enum { SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2, DOTTED_I = 0x130, DOT_ABOVE = 0x307 };
    const size_t length = strlen(text);
    bool within = false; /* a cased character stands before, with nothing that ends a word since */
    utf8proc_int32_t point = 0;
    for (size_t at = 0; at < length;) {
        at += utf8_next(text + at, length - at, &point);
        if (point == SIGMA && within && !cased_follows(text + at, length - at))
            add_point(out, FINAL_SIGMA);
        else if (point == DOTTED_I) {
            add_point(out, 'i');
            add_point(out, DOT_ABOVE);
        } else
            add_point(out, utf8proc_tolower(point));
        if (!is_case_ignorable(point))
            within = is_cased(point);
    }
}

/* ---- Clusters ---- */

size_t utf8_cluster(const char *text, size_t length)
{
    utf8proc_int32_t last, state = 0;
    size_t at = 0;
    for (utf8proc_int32_t point; at < length; last = point) {
        const utf8proc_ssize_t bytes = decode(text + at, length - at, &point);
        if (bytes <= 0)
            return at ? at : 1;
        if (at && utf8proc_grapheme_break_stateful(last, point, &state))
            break;
        at += (size_t)bytes;
    }
    return at;
}

int utf8_width(const char *text)
{
    int width = 0;
    for (size_t length = strlen(text), at = 0; at < length;) {
        /* A cluster is as wide as its widest code point: marks add nothing, an emoji sequence is
         * one picture. */
        const size_t end = at + utf8_cluster(text + at, length - at);
        int widest = 0;
        while (at < end) {
            utf8proc_int32_t point;
            const utf8proc_ssize_t bytes = decode(text + at, end - at, &point);
            if (bytes <= 0)
                return width + 1;
            const int columns = utf8proc_charwidth(point);
            widest = columns > widest ? columns : widest;
            at += (size_t)bytes;
        }
        width += widest;
    }
    return width;
}

#define NAME(name, text) text,
const char *const utf8_forms[UTF8_FORM_COUNT + 1] = {UTF8_FORM_LIST(NAME)};
#undef NAME

const char *utf8_form_name(int i) { return i < UTF8_FORM_COUNT ? utf8_forms[i] : NULL; }

static bool is_ascii(const char *text, size_t length)
{
    unsigned char all = 0;
    for (size_t i = 0; i < length; i++)
        all |= (unsigned char)text[i];
    return all < 0x80;
}

void utf8_normalize(struct strbuf *out, const char *text, size_t length, enum utf8_form form)
{
    static const utf8proc_option_t options[] = {
        [UTF8_NFC] = UTF8PROC_STABLE | UTF8PROC_COMPOSE,
        [UTF8_NFKC] = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT,
    };
    if (form == UTF8_NONE || is_ascii(text, length)) {
        strbuf_add(out, text, length);
        return;
    }
    utf8proc_uint8_t *made = NULL;
    const utf8proc_ssize_t bytes = utf8proc_map((const utf8proc_uint8_t *)text,
                                                (utf8proc_ssize_t)length, &made, options[form]);
    BUG_ON(bytes == UTF8PROC_ERROR_INVALIDUTF8);
    if (bytes < 0)
        out->failed = true;
    else
        strbuf_add(out, (const char *)made, (size_t)bytes);
    free(made);
}

size_t utf8_point(const char *text, size_t length, bool *in_word)
{
    utf8proc_int32_t point;
    const utf8proc_ssize_t bytes = decode(text, length, &point);
    *in_word = false;
    if (bytes <= 0)
        return length > 0;
    const utf8proc_category_t category = utf8proc_category(point);
    *in_word = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
    return (size_t)bytes;
}
