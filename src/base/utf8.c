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
