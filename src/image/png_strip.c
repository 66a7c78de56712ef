#include "image/parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A chunk is its length, its type, so many bytes and a checksum. */
enum { SIGNATURE = 8, LENGTH = 4, TYPE = 4, AROUND = LENGTH + TYPE + 4 };

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Chunks that a reader must understand have a capital first. Of the others, these matter. */
static bool decides_pixels(const unsigned char *type)
{
    static const char others[][TYPE + 1] = {"tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD"};
    if (type[0] >= 'A' && type[0] <= 'Z')
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (memcmp(type, others[i], TYPE) == 0)
            return true;
    return false;
}

/* What does not look like a chunk is kept, with all that follows, for libpng to refuse. */
unsigned char *image_strip_png(const unsigned char *bytes, size_t length, size_t *kept)
{
    unsigned char *out = malloc(length);
    size_t at = SIGNATURE, made = SIGNATURE;
    if (!out)
        return NULL;
    memcpy(out, bytes, SIGNATURE);
    while (length - at >= AROUND && big_endian(bytes + at) <= length - at - AROUND) {
        const size_t size = AROUND + big_endian(bytes + at);
        if (decides_pixels(bytes + at + LENGTH)) {
            memcpy(out + made, bytes + at, size);
            made += size;
        }
        at += size;
    }
    memcpy(out + made, bytes + at, length - at);
    *kept = made + length - at;
    return out;
}
