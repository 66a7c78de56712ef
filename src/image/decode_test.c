/* The module, with files that the libraries themselves write. */
#include "attend/frames.h"
#include "frames_fixture.h"
#include "test.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <turbojpeg.h>
#include <zlib.h>

enum { W = 9, H = 6 };

static unsigned char gray_at(int i) { return (unsigned char)(30 + 3 * i); }

/* A PNG file of this format, of W x H pixels; channels beyond color are `alpha`. */
static unsigned char *make_png(png_uint_32 format, int width, int height, int alpha, size_t *length)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.format = format;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    const int channels = (int)PNG_IMAGE_PIXEL_CHANNELS(format);
    const bool color = format & PNG_FORMAT_FLAG_COLOR;
    unsigned char *pixels = malloc((size_t)(width * height * channels));
    for (int i = 0; i < width * height * channels; i++)
        pixels[i] = i % channels == (color ? 3 : 1) && channels % 2 == 0 ? (unsigned char)alpha
                                                                         : gray_at(i / channels);
    png_alloc_size_t size = 0;
    assert_true(png_image_write_to_memory(&image, NULL, &size, 0, pixels, 0, NULL));
    unsigned char *file = malloc(size);
    assert_true(png_image_write_to_memory(&image, file, &size, 0, pixels, 0, NULL));
    free(pixels);
    *length = size;
    return file;
}

static void check_png(png_uint_32 format, int alpha, bool visible)
{
    size_t length;
    struct attend_gray gray = {0};
    struct attend_error err = {.message = ""};
    unsigned char *file = make_png(format, W, H, alpha, &length);
    if (attend_image_decode(file, length, 1000, &gray, &err))
        fail_msg("%s", err.message);
    assert_int_equal(gray.width, W);
    assert_int_equal(gray.height, H);
    for (int i = 0; i < W * H; i++)
        assert_in_range(gray.value[i], visible ? gray_at(i) - 1 : 255,
                        visible ? gray_at(i) + 1 : 255);
    free(gray.value);
    free(file);
}

TEST(image_png_of_every_kind_becomes_gray)
{
    check_png(PNG_FORMAT_GRAY, 0, true);
    check_png(PNG_FORMAT_RGB, 0, true);
    check_png(PNG_FORMAT_RGBA, 255, true);
    check_png(PNG_FORMAT_GA, 255, true);
    check_png(PNG_FORMAT_GA, 0, false); /* transparent: white */
}

/* ---- Chunks beside the pixels ---- */

enum { TEXTS = 60, INFLATED = 7000000, HEAD = 33 /* signature and IHDR */ };

static void put_big_endian(unsigned char *out, unsigned long x)
{
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(x >> (24 - 8 * i));
}

/* A chunk of compressed text, 7 MB of one letter; its length. */
static size_t make_text(unsigned char *out, size_t room)
{
    unsigned char *letters = malloc(INFLATED);
    uLongf packed = (uLongf)room - 15;
    memset(letters, 'a', INFLATED);
    memcpy(out + 4, "zTXtk\0\0", 7);
    assert_int_equal(compress2(out + 11, &packed, letters, INFLATED, 9), Z_OK);
    put_big_endian(out, 3 + packed);
    put_big_endian(out + 11 + packed, crc32(0, out + 4, (uInt)(7 + packed)));
    free(letters);
    return 15 + packed;
}

static long most_kilobytes(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* 400 kB of compressed text would become 400 MB in the memory of libpng. */
TEST(image_png_texts_are_not_inflated)
{
    static unsigned char text[10000];
    size_t length, chunk = make_text(text, sizeof text);
    unsigned char *png = make_png(PNG_FORMAT_GRAY, W, H, 0, &length);
    unsigned char *bomb = malloc(length + TEXTS * chunk), *at = bomb + HEAD;
    struct attend_gray gray = {0};
    struct attend_error err = {.message = ""};
    memcpy(bomb, png, HEAD);
    for (int i = 0; i < TEXTS; i++, at += chunk)
        memcpy(at, text, chunk);
    memcpy(at, png + HEAD, length - HEAD);
    const long before = most_kilobytes();
    if (attend_image_decode(bomb, length + TEXTS * chunk, 1000, &gray, &err))
        fail_msg("%s", err.message);
    assert_in_range(most_kilobytes() - before, 0, 100000);
    assert_in_range(gray.value[W], gray_at(W) - 1, gray_at(W) + 1);
    free(gray.value);
    free(bomb);
    free(png);
}

static unsigned char *make_jpeg(unsigned long *length)
{
    unsigned char pixels[W * H], *file = NULL;
    tjhandle handle = tjInitCompress();
    for (int i = 0; i < W * H; i++)
        pixels[i] = gray_at(i);
    assert_int_equal(tjCompress2(handle, pixels, W, 0, H, TJPF_GRAY, &file, length, TJSAMP_GRAY, 95,
                                 TJFLAG_ACCURATEDCT),
                     0);
    tjDestroy(handle);
    return file;
}

TEST(image_jpeg_becomes_gray)
{
    unsigned long length = 0;
    struct attend_gray gray = {0};
    struct attend_error err = {.message = ""};
    unsigned char *file = make_jpeg(&length);
    if (attend_image_decode(file, length, 1000, &gray, &err))
        fail_msg("%s", err.message);
    assert_int_equal(gray.width, W);
    assert_int_equal(gray.height, H);
    for (int i = 0; i < W * H; i++)
        assert_in_range(gray.value[i], gray_at(i) - 8, gray_at(i) + 8);
    free(gray.value);
    tjFree(file);
}

/* ---- Refused ---- */

static void assert_refused(const unsigned char *file, size_t length, long pixels,
                           const char *message)
{
    struct attend_gray gray = {0};
    struct attend_error err = {.message = ""};
    assert_int_equal(attend_image_decode(file, length, pixels, &gray, &err), ATTEND_FORMAT);
    assert_null(gray.value);
    if (!strstr(err.message, message))
        fail_msg("'%s' is not in '%s'", message, err.message);
}

TEST(image_larger_than_the_limit_is_refused)
{
    size_t length;
    unsigned long size = 0;
    unsigned char *png = make_png(PNG_FORMAT_GRAY, W, H, 0, &length), *jpeg = make_jpeg(&size);
    assert_refused(png, length, W * H - 1, "has 9 x 6 pixels; at most 53 are read");
    assert_refused(jpeg, size, W * H - 1, "has 9 x 6 pixels; at most 53 are read");
    assert_refused((const unsigned char *)"\xFF\xD8\xFF\xE0\0\0\0\0\0\0\0\0", 12, 1000,
                   "has no pixels");
    memcpy(png + 16, "\x7F\xFF\xFF\xFF\x7F\xFF\xFF\xFF",
           8); /* the header's own checksum is wrong */
    assert_refused(png, length, 1000, "");
    free(png);
    tjFree(jpeg);
}

TEST(image_files_that_are_cut_off_or_flipped_are_safe)
{
    size_t length[2];
    unsigned long size = 0;
    unsigned char *file[2] = {make_png(PNG_FORMAT_RGB, W, H, 0, &length[0]), make_jpeg(&size)};
    length[1] = size;
    for (int f = 0; f < 2; f++) {
        for (size_t cut = 0; cut + 16 < length[f]; cut++) {
            unsigned char *exact = malloc(cut ? cut : 1);
            memcpy(exact, file[f], cut);
            assert_refused(exact, cut, 1000, "");
            free(exact);
        }
        for (size_t i = 0; i < 8 * length[f]; i++) {
            struct attend_gray gray = {0};
            file[f][i / 8] ^= (unsigned char)(1 << i % 8);
            if (attend_image_decode(file[f], length[f], 100000, &gray, NULL) == ATTEND_OK)
                free(gray.value);
            file[f][i / 8] ^= (unsigned char)(1 << i % 8);
        }
    }
    free(file[0]);
    tjFree(file[1]);
    assert_refused((const unsigned char *)"GIF89a", 6, 1000, "is neither PNG nor JPEG");
}

TEST(image_reader_uses_the_module_and_refuses_1_x_1)
{
    static const struct attend_frame_modules modules = {.image_decode = attend_image_decode};
    struct attend_frame_options options = attend_frame_defaults();
    size_t length;
    options.modules = &modules;
    options.image_height = H;
    unsigned char *file = make_png(PNG_FORMAT_GRAY, W, H, 0, &length);
    struct frames f = read_frames_with("image", &options, file, length, "a.png");
    assert_int_equal(f.rows, W);
    assert_near((double)f.value[H + 1], gray_at(W + 1) / 255.0, 1e-6);
    frames_release(&f);
    free(file);
    file = make_png(PNG_FORMAT_GRAY, 1, 1, 0, &length);
    assert_frames_refused_with("image", &options, file, length, "a.png",
                               "a.png: has 1 x 1 pixels; an image to read has at least 4 x 4");
    free(file);
}
