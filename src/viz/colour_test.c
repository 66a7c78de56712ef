#include "test.h"

#include "viz/colour.h"
#include "viz/theme.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Every scale, on light and on dark paper. */
static void for_each_scale(void (*check)(const struct colour_scale *, bool dark))
{
    for (const char *const *name = colour_scale_names; *name; name++)
        for (int dark = 0; dark < 2; dark++)
            check(colour_scale_find(*name, dark), dark);
}

static double lightness_at(const struct colour_scale *scale, double weight)
{
    return colour_lightness(colour_scale_at(scale, weight));
}

static void check_ends(const struct colour_scale *scale, bool dark)
{
    const struct colour paper = theme_of(dark, NULL).paper, from = colour_scale_at(scale, 0);
    assert_memory_equal(&from, &paper, sizeof from);
    if (dark)
        assert_true(lightness_at(scale, 1) > 0.94);
    else
        assert_true(lightness_at(scale, 1) < 0.3);
}
TEST(colour_scale_goes_from_the_paper_to_the_other_end) { for_each_scale(check_ends); }

static void check_monotone(const struct colour_scale *scale, bool dark)
{
    double before = lightness_at(scale, 0);
    for (int i = 1; i <= 100; i++) {
        const double now = lightness_at(scale, i / 100.0);
        assert_true(dark ? now > before : now < before);
        before = now;
    }
}
TEST(colour_scale_lightness_goes_one_way) { for_each_scale(check_monotone); }

/* Equal steps of weight look equally large: no part of the scale is flat or jumps. */
static void check_even(const struct colour_scale *scale, bool dark)
{
    (void)dark;
    const double from = lightness_at(scale, 0), range = lightness_at(scale, 1) - from;
    for (int i = 0; i <= 100; i++)
        assert_near((lightness_at(scale, i / 100.0) - from) / range, i / 100.0, 0.01);
}
TEST(colour_scale_lightness_goes_evenly) { for_each_scale(check_even); }

/* Grey print keeps luminance only, and red-blind readers little more: neighbours eight steps apart
 * must differ in it. */
static void check_grey(const struct colour_scale *scale, bool dark)
{
    (void)dark;
    for (int i = 0; i < 8; i++)
        assert_true(colour_contrast(colour_scale_at(scale, i / 8.0),
                                    colour_scale_at(scale, (i + 1) / 8.0)) > 1.15);
}
TEST(colour_scale_steps_differ_in_grey) { for_each_scale(check_grey); }

static void check_clamped(const struct colour_scale *scale, bool dark)
{
    (void)dark;
    const struct colour low = colour_scale_at(scale, 0), high = colour_scale_at(scale, 1);
    const struct colour lower = colour_scale_at(scale, -3);
    const struct colour higher = colour_scale_at(scale, (double)INFINITY);
    assert_memory_equal(&low, &lower, sizeof low);
    assert_memory_equal(&high, &higher, sizeof high);
}
TEST(colour_scale_outside_is_clamped) { for_each_scale(check_clamped); }

static int distance(struct colour one, struct colour other)
{
    return abs(one.r - other.r) + abs(one.g - other.g) + abs(one.b - other.b);
}

static void check_nan(const struct colour_scale *scale, bool dark)
{
    (void)dark;
    const struct colour nan = colour_scale_at(scale, (double)NAN);
    for (int i = 0; i <= 100; i++)
        assert_true(distance(nan, colour_scale_at(scale, i / 100.0)) > 40);
}
TEST(colour_scale_of_nan_is_off_the_scale) { for_each_scale(check_nan); }

/* 4.5 is what accessibility guidelines ask of small text; the darkest mid tones leave a little
 * less than that to either ink. */
static void check_ink(const struct colour_scale *scale, bool dark)
{
    (void)dark;
    for (int i = 0; i <= 100; i++) {
        const struct colour c = colour_scale_at(scale, i / 100.0);
        assert_true(colour_contrast(colour_ink(c), c) >= 4.3);
    }
}
TEST(colour_ink_reads_on_every_colour_of_a_scale) { for_each_scale(check_ink); }

TEST(colour_scale_names_are_known_and_differ)
{
    assert_string_equal(colour_scale_names[0], "blue");
    for (const char *const *name = colour_scale_names + 1; *name; name++)
        assert_ptr_not_equal(colour_scale_find(*name, false), colour_scale_find("blue", false));
    assert_ptr_equal(colour_scale_find("grey", true), colour_scale_find("grey", true));
}

TEST(colour_scale_without_a_known_name_is_the_first)
{
    assert_ptr_equal(colour_scale_find(NULL, true), colour_scale_find("blue", true));
    assert_ptr_equal(colour_scale_find("Blue", false), colour_scale_find("blue", false));
}

TEST(colour_contrast_of_black_on_white_is_21)
{
    assert_near(colour_contrast((struct colour){0, 0, 0}, (struct colour){255, 255, 255}), 21,
                1e-6);
}

TEST(theme_texts_read_on_their_paper)
{
    for (int dark = 0; dark < 2; dark++) {
        const struct theme theme = theme_of(dark, NULL);
        assert_true(colour_contrast(theme.ink, theme.paper) > 10);
        assert_true(colour_contrast(theme.faint, theme.paper) > 4.5);
        assert_true(colour_contrast(theme.axis, theme.paper) > 3);
        assert_true(colour_contrast(theme.rule, theme.paper) < 2);
    }
}
