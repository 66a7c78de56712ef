#include "curves_fixture.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A copy of line n of a text. */
static char *line_at(const char *text, int n)
{
    for (; n > 0; n--) {
        text = strchr(text, '\n');
        assert_non_null(text);
        text++;
    }
    return strndup(text, strcspn(text, "\n"));
}

TEST(curves_term_has_a_letter_for_every_point)
{
    char *text = text_of(curves_term, two, 2);
    assert_int_equal(count_of(text, "A"), POINTS - 1 + 1); /* one falls on a B, one is in the
                                                            * legend */
    assert_int_equal(count_of(text, "B"), POINTS - 1 + 1);
    assert_non_null(strstr(text, "A   with <attention>\n"));
    assert_non_null(strstr(text, "B   without\n"));
    assert_non_null(strstr(text, "*   several\n"));
    free(text);
}

TEST(curves_term_numbers_its_axes)
{
    char *text = text_of(curves_term, two, 2);
    char *top = line_at(text, 3), *bottom = line_at(text, 3 + 16), *numbers = line_at(text, 3 + 18);
    assert_int_equal(strncmp(top, "100 \u2524", 7), 0);
    assert_int_equal(strncmp(bottom, "  0 \u2524", 7), 0);
    assert_int_equal(strncmp(numbers, "     0 ", 7), 0);
    assert_string_equal(numbers + strlen(numbers) - 2, "30");
    free(top);
    free(bottom);
    free(numbers);
    free(text);
}

TEST(curves_term_fits_a_terminal)
{
    char *text = text_of(curves_term, two, 2);
    for (int n = 0; n < 22; n++) {
        char *line = line_at(text, n);
        assert_in_range(utf8_width(line), 0, 72);
        free(line);
    }
    free(text);
}

/* A constant curve at the top fills the top row from one end of the axis to the other. */
TEST(curves_term_line_joins_its_points)
{
    const double at[] = {0, 5, 10}, top[] = {100, 100, 100}, gap[] = {100, (double)NAN, 100};
    const struct curve joined = {"joined", at, top, 3, .series = 0},
                       apart = {"apart", at, gap, 3, .series = 0};
    char *text = text_of(curves_term, &joined, 1), *row = line_at(text, 3);
    assert_int_equal(count_of(row, "\u2809"), 64 - 3);
    assert_int_equal(count_of(row, "A"), 3);
    free(row);
    free(text);
    text = text_of(curves_term, &apart, 1);
    assert_int_equal(count_of(text, "\u2809"), 0);
    free(text);
}

TEST(curves_term_panels_share_their_margin_and_x_axis)
{
    const struct curve best = {"best", x, falling, 1, 2, CURVE_BEST};
    const struct curves_panel panels[] = {{"first", two, 2, 0, 100, 0.8},
                                          {"second", &best, 1, 0, 10000, 0.3}};
    const struct curves_plot plot = plot_of(panels, 2);
    struct strbuf out = {0};
    curves_term(&out, &plot);
    assert_false(out.failed);
    assert_non_null(strstr(out.text, "\n  100 \u2524"));
    assert_non_null(strstr(out.text, "\n10000 \u2524"));
    assert_non_null(strstr(out.text, "(C)  best\n"));
    assert_int_equal(count_of(out.text, "(C)"), 2);
    assert_int_equal(count_of(out.text, "\u2514"), 2);
    assert_int_equal(count_of(out.text, " 30\n"), 1);
    strbuf_release(&out);
}

TEST(curves_term_letters_leave_room_for_the_line)
{
    enum { MANY = 64 };
    double at[MANY], value[MANY];
    for (int i = 0; i < MANY; i++) {
        at[i] = i;
        value[i] = 50;
    }
    const struct curve curve = {"many", at, value, MANY, .series = 0};
    char *text = text_of(curves_term, &curve, 1);
    assert_in_range(count_of(text, "A"), 12, 17);
    free(text);
}

TEST(curves_term_thin_line_has_no_letters)
{
    const struct curve thin = {"thin", x, falling, POINTS, 0, CURVE_THIN};
    char *text = text_of(curves_term, &thin, 1);
    assert_int_equal(count_of(text, "A"), 0);
    assert_non_null(strstr(text, "\u2812\u2812\u2812  thin\n"));
    free(text);
}

TEST(curves_term_has_a_logarithmic_axis_too)
{
    const struct curves_panel panel = panel_of(&powers, 1);
    struct curves_plot plot = plot_of(&panel, 1);
    plot.log_x = true;
    struct strbuf out = {0};
    curves_term(&out, &plot);
    const char *numbers = strstr(out.text, "\n     1 ");
    assert_non_null(numbers);
    static const char *const ticks[] = {"1", "2", "4", "8", "16", "32", "64"};
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        numbers = strstr(numbers, ticks[i]);
        assert_non_null(numbers);
    }
    assert_int_equal(count_of(out.text, "A"), 4 + 1);
    strbuf_release(&out);
}
