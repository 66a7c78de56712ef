/* PNG, by the simplified interface of libpng: it converts every kind (palettes, 16 bits, color) to
 * gray. Transparent pixels are shown on white. */
#include "image/parts.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

static enum attend_status decode(const void *bytes, size_t length, long pixels,
                                 struct attend_gray *out, struct attend_error *err)
{
    static const png_color white = {255, 255, 255};
    struct attend_gray gray = {0};
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, bytes, length))
        return image_fail(err, ATTEND_FORMAT, "libpng cannot read it: %s", image.message);
    image.format = PNG_FORMAT_GRAY;
    enum attend_status status = image_allocate(&gray, image.width, image.height, pixels, err);
    if (!status && !png_image_finish_read(&image, &white, gray.value, 0, NULL))
        status = image_fail(err, ATTEND_FORMAT, "libpng cannot read it: %s", image.message);
    png_image_free(&image);
    if (status)
        free(gray.value);
    else
        *out = gray;
    return status;
}

enum attend_status image_decode_png(const void *bytes, size_t length, long pixels,
                                    struct attend_gray *out, struct attend_error *err)
{
    size_t kept;
    unsigned char *stripped = image_strip_png(bytes, length, &kept);
    if (!stripped)
        return image_fail(err, ATTEND_NO_MEMORY, "out of memory");
    const enum attend_status status = decode(stripped, kept, pixels, out, err);
    free(stripped);
    return status;
}
