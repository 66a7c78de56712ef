/* Layouts and PGM; src/image/decode_test.c tests PNG and JPEG. */
#include "frames/image.h"

#include "frames/reader.h"
#include "frames_fixture.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- PGM ---- */

static struct attend_gray decode(const char *bytes, size_t length)
{
    struct attend_gray gray = {0};
    struct attend_error err = {.message = ""};
    if (image_decode_pgm(bytes, length, 1000, &gray, &err))
        fail_msg("%s", err.message);
    return gray;
}

TEST(pgm_plain_and_raw_are_the_same)
{
    static const char plain[] = "P2 # a comment\n3 # another\n2\n10\n0 5 10\n 1 2 # and here\n3";
    static const char raw[] = "P5\n3 2\n10\n\x00\x05\x0A\x01\x02\x03";
    static const char wide[] = "P5 3 2 2560\n\x00\x00\x05\x00\x0A\x00\x01\x00\x02\x00\x03\x00";
    static const unsigned char want[6] = {0, 128, 255, 26, 51, 77};
    struct attend_gray a = decode(plain, sizeof plain - 1), b = decode(raw, sizeof raw - 1),
                       c = decode(wide, sizeof wide - 1);
    assert_int_equal(a.width, 3);
    assert_int_equal(a.height, 2);
    assert_memory_equal(a.value, want, 6);
    assert_memory_equal(b.value, want, 6);
    assert_memory_equal(c.value, want, 6);
    free(a.value);
    free(b.value);
    free(c.value);
}

static void assert_refused(const char *text, size_t length, const char *message)
{
    char *exact = malloc(length ? length : 1);
    memcpy(exact, text, length);
    assert_frames_refused("image", exact, length, "a.pgm", message);
    free(exact);
}
#define REFUSED(text, message) assert_refused(text, sizeof text - 1, message)

TEST(pgm_hostile_files_are_refused)
{
    REFUSED("P5", "a.pgm: the header of the PGM file is broken");
    REFUSED("P5 4 4", "header");
    REFUSED("P5 4 4 255", "header");
    REFUSED("P5 0 4 255\n", "header");
    REFUSED("P5 -4 4 255\n", "header");
    REFUSED("P5 4 4 0\n", "header");
    REFUSED("P5 99999999999999999999 4 255\n", "header");
    REFUSED("P5 4 4 65536\n", "header");
    REFUSED("P5 #", "header");
    REFUSED("P5 4 4 255\n123456789012345", "cut off");
    REFUSED("P5 4 4 256\n1234567890123456", "cut off");
    REFUSED("P5 65535 65535 255\n", "at most 67108864 are read");
    REFUSED("P5 99999 4 255\n", "a.pgm: has 99999 x 4 pixels; at most");
    REFUSED("P2 4 4 9\n1 2 3 4 5 6 7 8 9 8 7 6 5 4 3 ", "cut off, or a value is wrong");
    REFUSED("P2 4 4 9\n1 2 3 4 5 6 7 8 9 8 7 6 5 4 3 10", "cut off, or a value is wrong");
    REFUSED("P5 1 1 255\nx", "a.pgm: has 1 x 1 pixels; an image to read has at least 4 x 4");
    REFUSED("GIF89a", "a.pgm: is not an image (PNG, JPEG, PGM)");
    REFUSED("P6 1 1 255\nxyz", "a.pgm: is not an image (PNG, JPEG, PGM)");
}

TEST(png_without_the_module_says_what_is_missing)
{
    struct frame_source *s = NULL;
    struct frames f = {0};
    struct attend_error err;
    assert_int_equal(frame_source_new(&s, "image", NULL, NULL), ATTEND_OK);
    assert_int_equal(frame_source_read(s, "\xFF\xD8\xFF", 3, "a.jpg", &f, &err), ATTEND_IO);
    assert_string_equal(err.message,
                        "a.jpg: reading PNG and JPEG needs the module attend-image.so");
    frame_source_free(s);
}

/* ---- Scaling ---- */

TEST(image_scale_to_its_own_size_changes_nothing)
{
    unsigned char x[15];
    float y[15];
    for (int i = 0; i < 15; i++)
        x[i] = (unsigned char)(17 * i);
    assert_true(image_scale(&(struct attend_gray){x, 5, 3}, 5, 3, y));
    for (int i = 0; i < 15; i++)
        assert_near((double)y[i], 17 * i / 255.0, 1e-6);
}

TEST(image_scale_keeps_the_mean_of_flat_areas_and_the_slope_of_ramps)
{
    enum { W = 60, H = 40 };
    unsigned char x[W * H];
    float y[97 * 13];
    memset(x, 51, sizeof x);
    assert_true(image_scale(&(struct attend_gray){x, W, H}, 97, 13, y));
    for (int i = 0; i < 97 * 13; i++)
        assert_near((double)y[i], 0.2, 1e-6);
    for (int i = 0; i < W * H; i++)
        x[i] = (unsigned char)(4 * (i % W));
    assert_true(image_scale(&(struct attend_gray){x, W, H}, 20, 13, y));
    for (int i = 2; i < 18; i++)
        assert_near((double)y[20 + i], 4 * (3 * i + 1) / 255.0, 1e-6);
}

/* ---- Layouts ---- */

/* A raw PGM file whose value at (x, y) is 10 y + x. */
static size_t make_pgm(char *out, size_t size, int width, int height)
{
    const int start = snprintf(out, size, "P5 %d %d 255\n", width, height);
    for (int i = 0; i < width * height; i++)
        out[start + i] = (char)(10 * (i / width) + i % width);
    return (size_t)(start + width * height);
}

TEST(image_columns_are_frames_with_their_neighbors)
{
    char file[256];
    const size_t length = make_pgm(file, sizeof file, 7, 4);
    struct attend_frame_options options = attend_frame_defaults();
    options.image_height = 4;
    options.image_context = 1;
    struct frames f = read_frames_with("image", &options, file, length, "a.pgm");
    assert_int_equal(f.rows, 7);
    assert_int_equal(f.width, 12);
    for (int i = 0; i < 7; i++)
        for (int n = -1; n <= 1; n++)
            for (int y = 0; y < 4; y++) {
                const int x = i + n < 0 ? 0 : i + n > 6 ? 6 : i + n;
                assert_near((double)f.value[12 * i + 4 * (n + 1) + y], (10 * y + x) / 255.0, 1e-6);
            }
    frames_release(&f);
    options.image_height = 8;
    f = read_frames_with("image", &options, file, length, "a.pgm");
    assert_int_equal(f.rows, 14);
    assert_int_equal(f.width, 24);
    frames_release(&f);
}

TEST(image_patches_have_positions)
{
    char file[256];
    const size_t length = make_pgm(file, sizeof file, 7, 4);
    struct attend_frame_options options = attend_frame_defaults();
    options.image_layout = "patches";
    options.image_patch = 3;
    struct frames f = read_frames_with("image", &options, file, length, "a.pgm");
    const struct image_plan p = image_plan_make(&options, 7, 4);
    assert_int_equal(p.across, 3);
    assert_int_equal(p.down, 2);
    assert_int_equal(f.rows, 6);
    assert_int_equal(f.width, 9 + 10);
    const float *last = f.value + 5 * 19; /* beyond the edges: the last pixel repeats */
    for (int i = 0; i < 9; i++)
        assert_near((double)last[i], 36 / 255.0, 1e-6);
    const double x = (2 * 6 + 3) / 7.0 - 1, y = (2 * 3 + 3) / 4.0 - 1;
    const double want[10] = {x,
                             y,
                             sin(M_PI * x),
                             cos(M_PI * x),
                             sin(M_PI * y),
                             cos(M_PI * y),
                             sin(2 * M_PI * x),
                             cos(2 * M_PI * x),
                             sin(2 * M_PI * y),
                             cos(2 * M_PI * y)};
    for (int i = 0; i < 10; i++)
        assert_near((double)last[9 + i], want[i], 1e-6);
    assert_near((double)f.value[19 + 4], 14 / 255.0, 1e-6); /* the middle of patch 1 */
    frames_release(&f);
}

TEST(image_patches_have_windows_that_overlap)
{
    char file[256];
    const size_t length = make_pgm(file, sizeof file, 7, 4);
    struct attend_frame_options options = attend_frame_defaults();
    options.image_layout = "patches";
    options.image_patch = 2;
    options.image_context = 1;
    options.image_octaves = 0;
    struct frames f = read_frames_with("image", &options, file, length, "a.pgm");
    assert_int_equal(f.rows, 4 * 2);
    assert_int_equal(f.width, 6 * 6 + 2);
    for (int i = 0; i < f.rows; i++) /* as many patches as without context */
        for (int j = 0; j < 36; j++) {
            const int left = i % 4 * 2 - 2, top = i / 4 * 2 - 2;
            const int x = left + j % 6, y = top + j / 6;
            const int inside_x = x < 0 ? 0 : x > 6 ? 6 : x, inside_y = y < 0 ? 0 : y > 3 ? 3 : y;
            assert_near((double)f.value[38 * i + j], (10 * inside_y + inside_x) / 255.0, 1e-6);
        }
    assert_near((double)f.value[36], 2.0 / 7 - 1, 1e-6); /* the middle of the patch */
    frames_release(&f);
    options.image_patch = 64;
    options.image_context = 8;
    assert_frames_refused_with("image", &options, file, length, "a.pgm",
                               "a.pgm: has 1183746 columns; at most 16384 are read");
}

TEST(image_patches_of_a_large_image_are_scaled_down)
{
    struct attend_frame_options options = attend_frame_defaults();
    options.image_layout = "patches";
    struct image_plan p = image_plan_make(&options, 4000, 3000);
    assert_int_equal(p.width, 256);
    assert_int_equal(p.height, 192);
    assert_int_equal(p.across * p.down, 32 * 24);
    p = image_plan_make(&options, 60000, 4);
    assert_int_equal(p.height, 1);
}

TEST(image_pixels_share_mean_and_scale_and_positions_do_not)
{
    char file[256];
    const size_t length = make_pgm(file, sizeof file, 8, 8);
    struct attend_frame_options options = attend_frame_defaults();
    struct frame_source *s = NULL;
    struct frames f = {0};
    options.image_layout = "patches";
    options.image_patch = 2;
    options.image_octaves = 0;
    assert_int_equal(frame_source_new(&s, "image", &options, NULL), ATTEND_OK);
    assert_int_equal(frame_source_width(s), 6);
    assert_int_equal(frame_source_read(s, file, length, "a", &f, NULL), ATTEND_OK);
    frame_source_observe(s, &f, NULL);
    frame_source_settle(s, NULL);
    frame_source_normalize(s, f.value, f.rows);
    double sum = 0, square = 0, first = 0, x = 0;
    for (int i = 0; i < f.rows; i++) {
        for (int j = 0; j < 4; j++) {
            sum += (double)f.value[6 * i + j];
            square += (double)f.value[6 * i + j] * (double)f.value[6 * i + j];
        }
        first += (double)f.value[6 * i];
        x += (double)f.value[6 * i + 4];
    }
    assert_near(sum, 0, 1e-4);
    assert_near(square / 4 / f.rows, 1, 1e-4);
    assert_near(x, 0, 1e-4);
    assert_true(first < -1); /* its mean is not 0: all pixels share theirs */
    frames_release(&f);
    frame_source_free(s);
}

/* An image of 4 x 60000 would be 8 x 120000 columns of context; nothing overflows. */
TEST(image_that_would_become_too_large_is_refused)
{
    const int width = 60000;
    char *file = malloc((size_t)width * 4 + 32);
    const int start = snprintf(file, 32, "P5 %d 4 255\n", width);
    struct attend_frame_options options = attend_frame_defaults();
    memset(file + start, 0, (size_t)width * 4);
    options.image_height = 512;
    options.image_context = 8;
    assert_frames_refused_with("image", &options, file, (size_t)start + (size_t)width * 4, "a.pgm",
                               "a.pgm: has 7680000 rows of 8704 numbers");
    free(file);
}
