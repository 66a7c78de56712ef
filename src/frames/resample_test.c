#include "frames/resample.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>

/* A tone of one second at another rate, and its largest error against the same tone, without the
 * ends, where the tone begins and ends abruptly. */
static double error_of(double hertz, int from, int to, double gain)
{
    const long made = resample_count(from, from, to);
    float *in = malloc((size_t)from * sizeof *in), *out = malloc((size_t)made * sizeof *out);
    double worst = 0;
    assert_int_equal(made, to);
    for (int i = 0; i < from; i++)
        in[i] = (float)sin(2 * M_PI * hertz * i / from);
    assert_true(resample(in, from, from, to, out));
    for (int i = to / 20; i < to - to / 20; i++)
        worst = fmax(worst, fabs((double)out[i] - gain * sin(2 * M_PI * hertz * i / to)));
    free(in);
    free(out);
    return worst;
}

TEST(resample_keeps_tones_below_both_limits)
{
    static const int rates[][2] = {{8000, 16000}, {44100, 16000}, {16000, 8000},
                                   {48000, 8000}, {11025, 16000}, {22050, 44100}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (int hertz = 100; hertz <= 3200; hertz *= 2)
            if (error_of(hertz, rates[i][0], rates[i][1], 1) > 5e-3)
                fail_msg("%d Hz from %d to %d: %g", hertz, rates[i][0], rates[i][1],
                         error_of(hertz, rates[i][0], rates[i][1], 1));
}

TEST(resample_removes_tones_above_the_new_limit)
{
    assert_true(error_of(5000, 16000, 8000, 0) < 2e-3);
    assert_true(error_of(12000, 44100, 16000, 0) < 2e-3);
    assert_true(error_of(20000, 48000, 8000, 0) < 2e-3);
}

TEST(resample_short_sounds_and_odd_rates)
{
    const float one = 1;
    float out[8];
    assert_int_equal(resample_count(1, 44101, 16000), 1);
    assert_true(resample(&one, 1, 44101, 16000, out));
    assert_near((double)out[0], 16000.0 / 44101, 1e-6);
    assert_int_equal(resample_count(3, 8000, 16000), 6);
    assert_int_equal(resample_count(1000000000L, 384000, 48000), 125000000L);
}
