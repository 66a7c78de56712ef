/* PGM: "P5" (bytes) or "P2" (decimal numbers), width, height, largest value, then the values. Blanks
 * separate the numbers of the header, and # begins a comment there. */
#include "base/error.h"
#include "frames/image.h"

#include <stdlib.h>
#include <string.h>

struct scan {
    const unsigned char *at, *end;
};

static bool is_blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The next number, which is at most `max`; -1 if there is none. */
static long take_number(struct scan *s, long max)
{
    long value = 0;
    for (; s->at < s->end && (is_blank(*s->at) || *s->at == '#'); s->at++)
        if (*s->at == '#')
            while (s->at + 1 < s->end && s->at[1] != '\n')
                s->at++;
    const unsigned char *start = s->at;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
        if ((value = value * 10 + (*s->at - '0')) > max)
            return -1;
    return s->at > start ? value : -1;
}

/* The next value of a raw file, with two bytes if it may be over 255; -1 at the end. */
static long take_raw(struct scan *s, long largest)
{
    const int bytes = largest > 255 ? 2 : 1;
    if (s->end - s->at < bytes)
        return -1;
    const long value = bytes == 1 ? s->at[0] : s->at[0] << 8 | s->at[1];
    s->at += bytes;
    return value <= largest ? value : -1;
}

static bool take_values(struct scan *s, bool raw, long largest, struct attend_gray *out)
{
    const size_t count = (size_t)out->width * (size_t)out->height;
    for (size_t i = 0; i < count; i++) {
        const long value = raw ? take_raw(s, largest) : take_number(s, largest);
        if (value < 0)
            return false;
        out->value[i] = (unsigned char)((value * 255 + largest / 2) / largest);
    }
    return true;
}

enum attend_status image_decode_pgm(const void *bytes, size_t length, long pixels,
                                    struct attend_gray *out, struct attend_error *err)
{
    enum { SIDE_MAX = 65535, NUMBER_MAX = 999999999 };
    const unsigned char *start = bytes;
    struct scan s = {start + 2, start + length};
    const bool raw = start[1] == '5';
    const long width = take_number(&s, NUMBER_MAX), height = take_number(&s, NUMBER_MAX);
    const long largest = take_number(&s, 65535);
    if (width < 1 || height < 1 || largest < 1 || s.at == s.end || !is_blank(*s.at))
        return error_set(err, ATTEND_FORMAT, "the header of the PGM file is broken");
    s.at++;
    if (width > SIDE_MAX || height > SIDE_MAX || width > pixels / height)
        return error_set(err, ATTEND_FORMAT,
                         "has %ld x %ld pixels; at most %ld are read, and %d in a row or column",
                         width, height, pixels, SIDE_MAX);
    if (width * height > (s.end - s.at)) /* every value has at least a byte */
        return error_set(err, ATTEND_FORMAT, "the PGM file is cut off");
    struct attend_gray gray = {malloc((size_t)(width * height)), (int)width, (int)height};
    if (!gray.value)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory");
    if (!take_values(&s, raw, largest, &gray)) {
        free(gray.value);
        return error_set(err, ATTEND_FORMAT, "the PGM file is cut off, or a value is wrong");
    }
    *out = gray;
    return ATTEND_OK;
}
