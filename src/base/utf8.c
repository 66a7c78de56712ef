#include "base/utf8.h"

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
