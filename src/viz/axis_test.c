#include "test.h"

#include "base/strbuf.h"
#include "viz/axis.h"

#include <math.h>
#include <stdlib.h>

static void assert_axis(struct axis got, double from, double to, double step)
{
    assert_near(got.from, from, 1e-12);
    assert_near(got.to, to, 1e-12);
    assert_near(got.step, step, 1e-12);
    assert_int_equal(got.steps, lround((to - from) / step));
}

static void assert_tick(const struct axis *axis, int i, const char *wanted)
{
    struct strbuf out = {0};
    axis_add_tick(&out, axis, i);
    assert_string_equal(out.text, wanted);
    strbuf_release(&out);
}

TEST(axis_steps_are_one_two_or_five)
{
    assert_axis(axis_around(0, 100, 5), 0, 100, 20);
    assert_axis(axis_around(0, 100, 10), 0, 100, 10);
    assert_axis(axis_around(3, 48, 10), 0, 50, 5);
    assert_axis(axis_around(0, 0.3, 3), 0, 0.3, 0.1);
    assert_axis(axis_around(0, 7, 1), 0, 10, 10);
    assert_axis(axis_around(-7, 12, 10), -8, 12, 2);
}

TEST(axis_holds_its_range_without_a_spare_step)
{
    for (int i = 1; i < 500; i++) {
        const double min = i * 0.37 - 40, max = min + pow(1.05, i);
        const struct axis axis = axis_around(min, max, 8);
        assert_true(axis.from <= min + 1e-6 * axis.step && axis.from > min - axis.step);
        assert_true(axis.to >= max - 1e-6 * axis.step && axis.to < max + axis.step);
        assert_in_range(axis.steps, 2, 10);
    }
}

TEST(axis_without_a_range_is_still_one)
{
    assert_axis(axis_around(HUGE_VAL, -HUGE_VAL, 5), 0, 1, 0.2);
    assert_axis(axis_around((double)NAN, 1, 5), 0, 1, 0.2);
    const struct axis one = axis_around(8, 8, 5);
    assert_true(one.from < 8 && one.to > 8);
}

TEST(axis_ticks_read_with_the_decimals_of_their_step)
{
    const struct axis tens = axis_around(0, 100, 5), tenths = axis_around(-0.3, 0.3, 6);
    const struct axis halves = axis_around(0, 0.2, 4);
    assert_tick(&tens, 5, "100");
    assert_tick(&tenths, 0, "-0.3");
    assert_tick(&tenths, 3, "0.0");
    assert_tick(&halves, 1, "0.05");
}

TEST(axis_share_goes_from_end_to_end)
{
    const struct axis axis = axis_around(20, 60, 4);
    assert_near(axis_share(&axis, 20), 0, 0);
    assert_near(axis_share(&axis, 30), 0.25, 1e-12);
    assert_near(axis_share(&axis, 60), 1, 0);
}

/* ---- Powers ---- */

TEST(axis_powers_are_of_two_in_short_ranges)
{
    const struct axis fine = axis_around_powers(1, 1024, 10),
                      coarse = axis_around_powers(1, 1024, 8);
    assert_axis(fine, 0, 10, 1);
    assert_axis(coarse, 0, 10, 2);
    assert_axis(axis_around_powers(0.3, 5, 10), -2, 3, 1);
    assert_near(fine.base, 2, 0);
    assert_tick(&fine, 10, "1024");
    assert_tick(&coarse, 1, "4");
}

TEST(axis_powers_are_of_ten_in_long_ranges)
{
    const struct axis axis = axis_around_powers(0.02, 3e7, 10);
    assert_near(axis.base, 10, 0);
    assert_axis(axis, -2, 8, 1);
    assert_tick(&axis, 0, "0.01");
    assert_tick(&axis, 2, "1");
    assert_tick(&axis, 10, "100000000");
    assert_in_range(axis_around_powers(1e-300, 1e300, 5).steps, 1, 5);
}

TEST(axis_powers_share_follows_the_logarithm)
{
    const struct axis axis = axis_around_powers(1, 256, 8);
    assert_near(axis_share(&axis, 1), 0, 1e-12);
    assert_near(axis_share(&axis, 16), 0.5, 1e-12);
    assert_near(axis_share(&axis, 256), 1, 1e-12);
    assert_false(isfinite(axis_share(&axis, 0)));
    assert_false(isfinite(axis_share(&axis, -3)));
}

TEST(axis_powers_without_a_range_are_still_an_axis)
{
    assert_axis(axis_around_powers(HUGE_VAL, -HUGE_VAL, 5), 0, 4, 1);
    assert_axis(axis_around_powers(-1, 8, 5), 0, 4, 1);
    const struct axis one = axis_around_powers(8, 8, 5);
    assert_axis(one, 2, 4, 1);
}
