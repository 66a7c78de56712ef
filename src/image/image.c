#include "image/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 65535 };

enum attend_status image_fail(struct attend_error *err, enum attend_status status,
                              const char *format, ...)
{
    if (!err)
        return status;
    *err = (struct attend_error){.status = status};
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

enum attend_status image_allocate(struct attend_gray *out, long long width, long long height,
                                  long pixels, struct attend_error *err)
{
    if (width < 1 || height < 1)
        return image_fail(err, ATTEND_FORMAT, "has no pixels");
    if (width > SIDE_MAX || height > SIDE_MAX || width * height > pixels)
        return image_fail(err, ATTEND_FORMAT,
                          "has %lld x %lld pixels; at most %ld are read, and %d in a row or column",
                          width, height, pixels, SIDE_MAX);
    unsigned char *value = malloc((size_t)(width * height));
    if (!value)
        return image_fail(err, ATTEND_NO_MEMORY, "out of memory for %lld x %lld pixels", width,
                          height);
    *out = (struct attend_gray){.value = value, .width = (int)width, .height = (int)height};
    return ATTEND_OK;
}

enum attend_status attend_image_decode(const void *bytes, size_t length, long pixels,
                                       struct attend_gray *out, struct attend_error *err)
{
    static const struct {
        const char *magic;
        size_t length;
        attend_image_decode_fn *decode;
    } formats[] = {{"\x89PNG\r\n\x1a\n", 8, image_decode_png},
                   {"\xFF\xD8\xFF", 3, image_decode_jpeg}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (length >= formats[i].length && memcmp(bytes, formats[i].magic, formats[i].length) == 0)
            return formats[i].decode(bytes, length, pixels, out, err);
    return image_fail(err, ATTEND_FORMAT, "is neither PNG nor JPEG");
}
