#include "test.h"

#include "viz/colour.h"

#include <math.h>

TEST(colour_scale_ends_are_white_and_dark)
{
    assert_near(colour_lightness(colour_scale(0)), 1, 1e-3);
    assert_true(colour_lightness(colour_scale(1)) < 0.3);
}

TEST(colour_scale_lightness_only_falls)
{
    double before = colour_lightness(colour_scale(0));
    for (int i = 1; i <= 200; i++) {
        const double now = colour_lightness(colour_scale(i / 200.0));
        assert_true(now < before);
        before = now;
    }
}

/* Equal steps of weight look equally large: no part of the scale is flat or jumps. */
TEST(colour_scale_lightness_falls_evenly)
{
    const double white = colour_lightness(colour_scale(0));
    const double range = white - colour_lightness(colour_scale(1));
    for (int i = 0; i <= 100; i++) {
        const double fallen = white - colour_lightness(colour_scale(i / 100.0));
        assert_near(fallen / range, i / 100.0, 0.01);
    }
}

/* Grey print keeps luminance only, and red-blind readers little more: neighbours eight steps apart
 * must differ in it. */
TEST(colour_scale_steps_differ_in_grey)
{
    for (int i = 0; i < 8; i++)
        assert_true(colour_contrast(colour_scale(i / 8.0), colour_scale((i + 1) / 8.0)) > 1.15);
}

TEST(colour_scale_outside_is_clamped)
{
    const struct colour low = colour_scale(0), high = colour_scale(1);
    const struct colour lower = colour_scale(-3), higher = colour_scale((double)INFINITY);
    assert_memory_equal(&low, &lower, sizeof low);
    assert_memory_equal(&high, &higher, sizeof high);
}

TEST(colour_scale_of_nan_is_a_grey_off_the_scale)
{
    const struct colour grey = colour_scale((double)NAN);
    assert_int_equal(grey.r, grey.g);
    assert_int_equal(grey.g, grey.b);
    for (int i = 0; i <= 100; i++) {
        const struct colour c = colour_scale(i / 100.0);
        assert_false(c.r == grey.r && c.g == grey.g && c.b == grey.b);
    }
}

TEST(colour_contrast_of_black_on_white_is_21)
{
    assert_near(colour_contrast((struct colour){0, 0, 0}, (struct colour){255, 255, 255}), 21,
                1e-6);
}

/* 4.5 is what accessibility guidelines ask of small text; the darkest mid tones leave a little
 * less than that to either ink. */
TEST(colour_ink_reads_on_every_colour_of_the_scale)
{
    for (int i = 0; i <= 100; i++) {
        const struct colour c = colour_scale(i / 100.0);
        assert_true(colour_contrast(colour_ink(c), c) >= 4.3);
    }
}
