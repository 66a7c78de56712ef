#include "wasm/samples.h"

#include "base/rng.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two channels of three samples, behind a chunk of an odd size. */
static const unsigned char stereo[] = {
    'R', 'I',  'F', 'F',  58,  0,    0,  0,    'W', 'A', 'V', 'E', /* the file */
    'L', 'I',  'S', 'T',  1,   0,    0,  0,    'x', 0,             /* and its padding */
    'f', 'm',  't', ' ',  16,  0,    0,  0,    1,   0,             /* PCM */
    2,   0,    64,  31,   0,   0,    0,  125,  0,   0,   4,   0,   /* 2 channels at 8000 */
    16,  0,    'd', 'a',  't', 'a',  12, 0,    0,   0,             /* 16 bits */
    0,   0x40, 0,   0xc0, 0,   0x80, 0,  0x80, 1,   0,   0,   0,
};

static enum attend_status decode(const void *bytes, size_t length, struct attend_samples *out,
                                 struct attend_error *err)
{
    *out = (struct attend_samples){0};
    return samples_decode(bytes, length, 10, out, err);
}

TEST(samples_are_the_mean_of_the_channels)
{
    struct attend_samples s;
    assert_int_equal(decode(stereo, sizeof stereo, &s, NULL), ATTEND_OK);
    assert_int_equal(s.count, 3);
    assert_int_equal(s.rate, 8000);
    const double expected[] = {0, -1, 0.5 / 32768};
    for (int i = 0; i < 3; i++)
        assert_near((double)s.value[i], expected[i], 1e-9);
    free(s.value);
}

TEST(samples_of_any_start_of_a_file_are_read_or_refused)
{
    struct attend_error err;
    for (size_t length = 0; length < sizeof stereo; length++) {
        unsigned char *copy = malloc(length + 1); /* so that sanitizers see where it ends */
        struct attend_samples s;
        memcpy(copy, stereo, length);
        if (!decode(copy, length, &s, &err)) {
            assert_true(s.count <= 3);
            free(s.value);
        }
        free(copy);
    }
}

TEST(samples_of_other_files_are_refused)
{
    struct attend_error err;
    struct attend_samples s;
    const struct {
        size_t at;
        unsigned char byte;
        const char *message;
    } rows[] = {{0, 'X', "is not a WAV file of 16 bits"},
                {30, 3, "is not a WAV file of 16 bits"},
                {44, 8, "is not a WAV file of 16 bits"},
                {32, 3, "has 3 channels and 8000 samples per second"},
                {32, 0, "has 0 channels and 8000 samples per second"},
                {35, 0, "has 2 channels and 64 samples per second"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char bytes[sizeof stereo];
        memcpy(bytes, stereo, sizeof bytes);
        bytes[rows[i].at] = rows[i].byte;
        assert_int_equal(decode(bytes, sizeof bytes, &s, &err), ATTEND_FORMAT);
        assert_string_equal(err.message, rows[i].message);
    }
    assert_int_equal(samples_decode(stereo, sizeof stereo, 0.0001, &s, &err), ATTEND_DATA);
}

/* |X_k|^2 by its definition. */
static double plain_power(const double *x, int n, int k)
{
    double re = 0, im = 0;
    for (int i = 0; i < n; i++) {
        re += x[i] * cos(2 * acos(-1) * i * k / n);
        im -= x[i] * sin(2 * acos(-1) * i * k / n);
    }
    return re * re + im * im;
}

TEST(samples_power_is_that_of_the_definition)
{
    enum { ROWS = 3, SIZE = 64, BINS = SIZE / 2 + 1 };
    double x[ROWS * SIZE], power[ROWS * BINS];
    for (int i = 0; i < ROWS * SIZE; i++)
        x[i] = (double)(rng_bits(1, (uint64_t)i) % 2001) / 1000 - 1;
    assert_int_equal(samples_power(x, ROWS, SIZE, power, NULL), ATTEND_OK);
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < BINS; k++)
            assert_near(power[r * BINS + k], plain_power(x + r * SIZE, SIZE, k), 1e-9);
    assert_int_equal(samples_power(x, 1, 2, power, NULL), ATTEND_OK);
    assert_near(power[1], (x[0] - x[1]) * (x[0] - x[1]), 1e-12);
    assert_int_equal(samples_power(x, 1, 48, power, NULL), ATTEND_NO_MEMORY);
}
