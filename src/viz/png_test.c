#include "test.h"

#include "base/codec.h"
#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/png.h"

#include <string.h>

static const struct color four[] = {{1, 2, 3}, {4, 5, 6}, {255, 254, 253}, {0, 128, 7}};
static const struct display_image image = {.columns = 2, .rows = 2, .pixel = four};

static uint32_t u32(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* The chunk at `at`: its checksum is right; returns the next one. */
static const char *assert_chunk(const char *at, const char *name)
{
    const uint32_t length = u32(at);
    assert_memory_equal(at + 4, name, 4);
    assert_int_equal(u32(at + 8 + length), codec_crc32(at + 4, 4 + length));
    return at + 12 + length;
}

TEST(png_has_its_chunks_and_size)
{
    struct strbuf out = {0};
    png_add(&out, &image);
    assert_false(out.failed);
    assert_memory_equal(out.text, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(u32(out.text + 16), 2);
    assert_int_equal(u32(out.text + 20), 2);
    const char *at = assert_chunk(out.text + 8, "IHDR");
    at = assert_chunk(at, "IDAT");
    at = assert_chunk(at, "IEND");
    assert_ptr_equal(at, out.text + out.length);
    strbuf_release(&out);
}

/* The codec reads deflate without zlib's header of two bytes. */
TEST(png_pixels_come_back)
{
    static const unsigned char want[] = {0, 1, 2, 3, 4, 5, 6, 0, 255, 254, 253, 0, 128, 7};
    struct strbuf out = {0};
    png_add(&out, &image);
    const char *chunk = out.text + 8 + 25;
    char got[64];
    struct codec_span span = {
        .in = chunk + 8 + 2, .length = u32(chunk) - 2, .out = got, .room = 64};
    void *decoder = codec_deflate.open();
    assert_int_equal(codec_deflate.step(decoder, &span), CODEC_END);
    codec_deflate.close(decoder);
    assert_int_equal(64 - span.room, sizeof want);
    assert_memory_equal(got, want, sizeof want);
    strbuf_release(&out);
}

TEST(png_base64_is_padded)
{
    struct strbuf out = {0}, bytes = {0};
    png_add(&bytes, &image);
    png_add_base64(&out, &image);
    assert_int_equal(out.length, (bytes.length + 2) / 3 * 4);
    assert_memory_equal(out.text, "iVBORw0KGgoAAAANSUhEUgAAAAIAAAAC", 32);
    assert_int_equal(out.text[out.length - 1] == '=', bytes.length % 3 != 0);
    strbuf_release(&out);
    strbuf_release(&bytes);
}
