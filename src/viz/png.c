#include "viz/png.h"

#include "base/base64.h"
#include "base/codec.h"
#include "base/strbuf.h"
#include "viz/display_list.h"

#include <stdint.h>

static void add_u32(struct strbuf *out, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        strbuf_addc(out, (char)(value >> shift & 0xff));
}

/* Length, name and content, then a checksum of name and content. */
static void add_chunk(struct strbuf *out, const char *name, const struct strbuf *content)
{
    add_u32(out, (uint32_t)content->length);
    const size_t start = out->length;
    strbuf_add(out, name, 4);
    if (content->length)
        strbuf_add(out, content->text, content->length);
    out->failed |= content->failed;
    if (!out->failed)
        add_u32(out, codec_crc32(out->text + start, out->length - start));
}

static void add_header(struct strbuf *out, const struct display_image *image)
{
    static const char rgb[] = {8, 2, 0, 0, 0}; /* bits, RGB, and the only or simplest methods */
    struct strbuf header = {0};
    add_u32(&header, (uint32_t)image->columns);
    add_u32(&header, (uint32_t)image->rows);
    strbuf_add(&header, rgb, sizeof rgb);
    add_chunk(out, "IHDR", &header);
    strbuf_release(&header);
}

/* Each row begins with the number of its filter. */
static void add_pixels(struct strbuf *out, const struct display_image *image)
{
    struct strbuf raw = {0}, packed = {0};
    const struct color *pixel = image->pixel;
    for (int i = 0; i < image->rows; i++) {
        strbuf_addc(&raw, 0);
        for (int k = 0; k < image->columns; k++, pixel++)
            strbuf_add(&raw, (const char[]){(char)pixel->r, (char)pixel->g, (char)pixel->b}, 3);
    }
    packed.failed = raw.failed;
    if (!raw.failed)
        codec_compress(&packed, raw.text, raw.length);
    add_chunk(out, "IDAT", &packed);
    strbuf_release(&packed);
    strbuf_release(&raw);
}

void png_add(struct strbuf *out, const struct display_image *image)
{
    const struct strbuf none = {0};
    strbuf_add(out, "\x89PNG\r\n\x1a\n", 8);
    add_header(out, image);
    add_pixels(out, image);
    add_chunk(out, "IEND", &none);
}

void png_add_base64(struct strbuf *out, const struct display_image *image)
{
    struct strbuf png = {0};
    png_add(&png, image);
    out->failed |= png.failed;
    if (!png.failed)
        base64_add(out, png.text, png.length);
    strbuf_release(&png);
}
