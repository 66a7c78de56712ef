#include "test.h"

#include "viz/color.h"
#include "viz/theme.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Runs a check on every scale, for light and for dark paper. */
static void for_each_scale(void (*check)(const struct color_scale *, bool dark))
{
    for (const char *const *name = color_scale_names; *name; name++)
        for (int dark = 0; dark < 2; dark++)
            check(color_scale_find(*name, dark), dark);
}

static double lightness_at(const struct color_scale *scale, double weight)
{
    return color_lightness(color_scale_at(scale, weight));
}

static void check_ends(const struct color_scale *scale, bool dark)
{
    const struct color paper = theme_of(dark, NULL).paper, from = color_scale_at(scale, 0);
    assert_memory_equal(&from, &paper, sizeof from);
    if (dark)
        assert_true(lightness_at(scale, 1) > 0.94);
    else
        assert_true(lightness_at(scale, 1) < 0.3);
}
TEST(color_scale_goes_from_the_paper_to_the_other_end) { for_each_scale(check_ends); }

static void check_monotone(const struct color_scale *scale, bool dark)
{
    double before = lightness_at(scale, 0);
    for (int i = 1; i <= 100; i++) {
        const double now = lightness_at(scale, i / 100.0);
        assert_true(dark ? now > before : now < before);
        before = now;
    }
}
TEST(color_scale_lightness_goes_one_way) { for_each_scale(check_monotone); }

/* Equal steps of weight look equally large: the scale has no flat parts and no jumps. */
static void check_even(const struct color_scale *scale, bool dark)
{
    (void)dark;
    const double from = lightness_at(scale, 0), range = lightness_at(scale, 1) - from;
    for (int i = 0; i <= 100; i++)
        assert_near((lightness_at(scale, i / 100.0) - from) / range, i / 100.0, 0.01);
}
TEST(color_scale_lightness_goes_evenly) { for_each_scale(check_even); }

/* Gray print keeps only luminance, and red-blind readers see little more: colors eight steps apart
 * must differ in it. */
static void check_gray(const struct color_scale *scale, bool dark)
{
    (void)dark;
    for (int i = 0; i < 8; i++)
        assert_true(color_contrast(color_scale_at(scale, i / 8.0),
                                   color_scale_at(scale, (i + 1) / 8.0)) > 1.15);
}
TEST(color_scale_steps_differ_in_gray) { for_each_scale(check_gray); }

static void check_clamped(const struct color_scale *scale, bool dark)
{
    (void)dark;
    const struct color low = color_scale_at(scale, 0), high = color_scale_at(scale, 1);
    const struct color lower = color_scale_at(scale, -3);
    const struct color higher = color_scale_at(scale, (double)INFINITY);
    assert_memory_equal(&low, &lower, sizeof low);
    assert_memory_equal(&high, &higher, sizeof high);
}
TEST(color_scale_outside_is_clamped) { for_each_scale(check_clamped); }

static int distance(struct color one, struct color other)
{
    return abs(one.r - other.r) + abs(one.g - other.g) + abs(one.b - other.b);
}

static void check_nan(const struct color_scale *scale, bool dark)
{
    (void)dark;
    const struct color nan = color_scale_at(scale, (double)NAN);
    for (int i = 0; i <= 100; i++)
        assert_true(distance(nan, color_scale_at(scale, i / 100.0)) > 40);
}
TEST(color_scale_of_nan_is_off_the_scale) { for_each_scale(check_nan); }

/* Accessibility guidelines ask for 4.5 for small text; on the darkest mid tones either ink has
 * slightly less. */
static void check_ink(const struct color_scale *scale, bool dark)
{
    (void)dark;
    for (int i = 0; i <= 100; i++) {
        const struct color c = color_scale_at(scale, i / 100.0);
        assert_true(color_contrast(color_ink(c), c) >= 4.3);
    }
}
TEST(color_ink_reads_on_every_color_of_a_scale) { for_each_scale(check_ink); }

TEST(color_scale_names_are_known_and_differ)
{
    assert_string_equal(color_scale_names[0], "blue");
    for (const char *const *name = color_scale_names + 1; *name; name++)
        assert_ptr_not_equal(color_scale_find(*name, false), color_scale_find("blue", false));
    assert_ptr_equal(color_scale_find("gray", true), color_scale_find("gray", true));
}

TEST(color_scale_without_a_known_name_is_the_first)
{
    assert_ptr_equal(color_scale_find(NULL, true), color_scale_find("blue", true));
    assert_ptr_equal(color_scale_find("Blue", false), color_scale_find("blue", false));
}

TEST(color_contrast_of_black_on_white_is_21)
{
    assert_near(color_contrast((struct color){0, 0, 0}, (struct color){255, 255, 255}), 21, 1e-6);
}

TEST(theme_texts_read_on_their_paper)
{
    for (int dark = 0; dark < 2; dark++) {
        const struct theme theme = theme_of(dark, NULL);
        assert_true(color_contrast(theme.ink, theme.paper) > 10);
        assert_true(color_contrast(theme.faint, theme.paper) > 4.5);
        assert_true(color_contrast(theme.axis, theme.paper) > 3);
        assert_true(color_contrast(theme.rule, theme.paper) < 2);
    }
}
