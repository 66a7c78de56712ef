#include "frames_picture_fixture.h"

#include "viz/frames_panel.h"

/* A zigzag of strokes, one for each word: every stroke has `points` points. */
static struct frames_sample ink(int strokes, int points, int stride, int words)
{
    const int rows = strokes * points, columns = (rows + stride - 1) / stride;
    struct frames_sample s = frames_sample(ATTEND_FRAMES_INK, rows, 3, stride, columns, words);
    for (int i = 0; i < rows; i++) {
        const bool first = i % points == 0;
        s.value[3 * i] = i == 0 ? 0 : first ? 0.5f : 0.02f;
        s.value[3 * i + 1] = i == 0 ? 0 : first ? -1.f + 1.f / (float)points : 1.f / (float)points;
        s.value[3 * i + 2] = i % points == points - 1;
    }
    return s;
}

static bool same(struct color one, struct color other)
{
    return memcmp(&one, &other, sizeof one) == 0;
}

/* Where a color is used at full strength: the mean x of its lines; NaN: nowhere. */
static double mean_of(const struct display_list *list, struct color color)
{
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct display_polyline *line = &list->shape[i].polyline;
        if (list->shape[i].kind != DISPLAY_POLYLINE || !same(line->color, color))
            continue;
        sum += line->x[0];
        count++;
    }
    return count ? sum / count : (double)NAN;
}

/* Word t attends to stroke t: its color is there and nowhere else, and the word stands below. */
TEST(ink_color_follows_the_word_that_attends_most)
{
    for (int dark = 0; dark < 2; dark++)
        for (int stride = 1; stride <= 4; stride += 3) {
            struct frames_sample s = ink(8, 20, stride, 8);
            for (int i = 0; i < 8 * s.matrix.source_count; i++)
                s.weight[i] += 0.001f; /* every word attends a little to everything */
            struct display_list list = frames_draw(&s, dark);
            double before = 0;
            for (int t = 0; t < 8; t++) {
                const double at = mean_of(&list, frames_word_color(t, dark));
                assert_true(at > before);
                before = at;
                assert_near(find_text(&list, digit_words[t])->x, at, 40);
                assert_true(
                    same(find_text(&list, digit_words[t])->color, frames_word_color(t, dark)));
            }
            assert_shapes_finite(&list);
            assert_texts_inside(&list);
            display_list_release(&list);
            frames_sample_release(&s);
        }
}

/* The first word attends to the last stroke: the words keep their order and do not touch. */
TEST(ink_words_stand_in_their_order)
{
    struct frames_sample s = ink(4, 20, 1, 4);
    memset(s.weight, 0, 80 * sizeof *s.weight);
    s.weight[75] = 1;
    struct display_list list = frames_draw(&s, false);
    for (int t = 1; t < 4; t++)
        assert_true(text_left(find_text(&list, digit_words[t])) >
                    text_right(find_text(&list, digit_words[t - 1])));
    assert_texts_inside(&list);
    display_list_release(&list);
    frames_sample_release(&s);
}

TEST(ink_is_thick_where_the_weight_is_large)
{
    struct frames_sample s = ink(1, 21, 1, 1);
    struct display_list list = frames_draw(&s, false);
    double thickest = 0, at = 0;
    for (size_t i = 0; i < list.count; i++) {
        const struct display_polyline *line = &list.shape[i].polyline;
        if (list.shape[i].kind == DISPLAY_POLYLINE && line->width > thickest) {
            thickest = line->width;
            at = (line->y[0] + line->y[line->count - 1]) / 2;
        }
    }
    const struct display_polyline *first = NULL;
    for (size_t i = 0; i < list.count && !first; i++)
        if (list.shape[i].kind == DISPLAY_POLYLINE)
            first = &list.shape[i].polyline;
    assert_true(first->width < thickest / 2);
    assert_near(at, first->y[0] + 65, 10); /* in the middle of 130 pixels */
    display_list_release(&list);
    frames_sample_release(&s);
}

/* The pen is up between strokes, and a stroke has no gaps. */
TEST(ink_lines_join_within_strokes_only)
{
    struct frames_sample s = ink(4, 20, 1, 4);
    struct display_list list = frames_draw(&s, false);
    const struct display_polyline *before = NULL;
    int breaks = 0;
    for (size_t i = 0; i < list.count; i++) {
        const struct display_polyline *line = &list.shape[i].polyline;
        if (list.shape[i].kind != DISPLAY_POLYLINE)
            continue;
        if (before)
            breaks += fabs(before->x[before->count - 1] - line->x[0]) > 1e-9;
        for (int k = 1; k < line->count; k++)
            assert_true(line->y[k] > line->y[k - 1]);
        before = line;
    }
    assert_int_equal(breaks, 3);
    display_list_release(&list);
    frames_sample_release(&s);
}

TEST(ink_without_weights_is_gray)
{
    struct frames_sample s = ink(2, 10, 1, 2);
    memset(s.weight, 0, 40 * sizeof *s.weight);
    struct display_list list = frames_draw(&s, false);
    assert_true(isnan(mean_of(&list, frames_word_color(0, false))));
    assert_true(isnan(mean_of(&list, frames_word_color(1, false))));
    assert_int_equal(shapes_of(&list, DISPLAY_POLYLINE), 2);
    assert_texts_inside(&list);
    display_list_release(&list);
    frames_sample_release(&s);
}

TEST(ink_of_next_to_nothing_is_drawn)
{
    static const int cases[][3] = {{0, 0, 0}, {0, 0, 3},  {1, 1, 0},
                                   {1, 1, 1}, {1, 1, 12}, {2, 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frames_sample s =
            frames_sample(ATTEND_FRAMES_INK, cases[i][0], 3, 1, cases[i][1], cases[i][2]);
        struct display_list list = frames_draw(&s, false);
        assert_shapes_finite(&list);
        assert_texts_inside(&list);
        char *svg = svg_of(&list), *text = frames_text(&s, TERM_BLOCKS, 40);
        assert_well_formed(svg);
        assert_null(strstr(svg, "=\"-\"")); /* NaN */
        free(svg);
        free(text);
        display_list_release(&list);
        frames_sample_release(&s);
    }
}

TEST(ink_strange_numbers_are_drawn)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY, 1e38f, 0};
    struct frames_sample s = ink(3, 20, 1, 3);
    for (int i = 0; i < 60; i++) {
        s.value[3 * i + i % 3] = strange[i % 5];
        s.weight[i] = strange[i % 5];
    }
    struct display_list list = frames_draw(&s, true);
    assert_shapes_finite(&list);
    char *svg = svg_of(&list), *text = frames_text(&s, TERM_TRUECOLOR, 60);
    assert_well_formed(svg);
    free(svg);
    free(text);
    display_list_release(&list);
    frames_sample_release(&s);
}

TEST(ink_of_10000_points_is_bounded)
{
    struct frames_sample s = ink(100, 100, 1, 12);
    struct display_list list = frames_draw(&s, false);
    char *svg = svg_of(&list);
    assert_true(list.width < 1000);
    assert_true(strlen(svg) < 300000);
    free(svg);
    display_list_release(&list);
    frames_sample_release(&s);
}

/* ---- Colors ---------------------------------------------------------------------------------- */

struct seen {
    double r, g, b;
};

static double light(unsigned char c)
{
    return c <= 10 ? c / 255.0 / 12.92 : pow((c / 255.0 + 0.055) / 1.055, 2.4);
}

/* Oklab of a color as people with full, red-blind, green-blind and blue-blind vision see it (the
 * matrices of Machado et al. 2009 for linear light). */
static struct seen see(struct color c, int vision)
{
    static const double M[4][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                      {{0.152286, 1.052583, -0.204868},
                                       {0.114503, 0.786281, 0.099216},
                                       {-0.003882, -0.048116, 1.051998}},
                                      {{0.367322, 0.860646, -0.227968},
                                       {0.280085, 0.672501, 0.047413},
                                       {-0.011820, 0.042940, 0.968881}},
                                      {{1.255528, -0.076749, -0.178779},
                                       {-0.078411, 0.930809, 0.147602},
                                       {0.004733, 0.691367, 0.303900}}};
    const double in[] = {light(c.r), light(c.g), light(c.b)};
    double v[3];
    for (int i = 0; i < 3; i++)
        v[i] = fmax(M[vision][i][0] * in[0] + M[vision][i][1] * in[1] + M[vision][i][2] * in[2], 0);
    const double l = cbrt(0.4122214708 * v[0] + 0.5363325363 * v[1] + 0.0514459929 * v[2]);
    const double m = cbrt(0.2119034982 * v[0] + 0.6806995451 * v[1] + 0.1073969566 * v[2]);
    const double s = cbrt(0.0883024619 * v[0] + 0.2817188376 * v[1] + 0.6299787005 * v[2]);
    return (struct seen){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                         1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                         0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

/* A just noticeable difference is about 0.02. */
TEST(ink_colors_of_eight_words_differ_for_all_readers)
{
    for (int dark = 0; dark < 2; dark++)
        for (int vision = 0; vision < 4; vision++)
            for (int i = 0; i < FRAMES_COLORS; i++)
                for (int k = 0; k < i; k++) {
                    const struct seen a = see(frames_word_color(i, dark), vision);
                    const struct seen b = see(frames_word_color(k, dark), vision);
                    assert_true(sqrt(pow(a.r - b.r, 2) + pow(a.g - b.g, 2) + pow(a.b - b.b, 2)) >
                                0.09);
                }
}

TEST(ink_colors_stand_out_from_the_paper)
{
    for (int dark = 0; dark < 2; dark++)
        for (int i = 0; i < FRAMES_COLORS; i++) {
            const struct color paper =
                dark ? (struct color){0x16, 0x18, 0x1c} : (struct color){0xff, 0xff, 0xff};
            assert_true(color_contrast(frames_word_color(i, dark), paper) > 2.4);
        }
}

/* ---- Terminal -------------------------------------------------------------------------------- */

TEST(ink_text_shows_the_first_letters)
{
    struct frames_sample s = ink(3, 10, 1, 3);
    char *text = frames_text(&s, TERM_BLOCKS, 60);
    assert_non_null(strchr(text, 'z'));
    assert_non_null(strstr(text, "zero one two\n"));
    const char *first = strchr(text, 'z'), *second = strchr(text, 'o'), *third = strchr(text, 't');
    assert_true(first < second && second < third && third < strchr(text, '\n'));
    assert_true(longest_line(text) <= 60);
    free(text);
    frames_sample_release(&s);
}

TEST(ink_text_fits_the_width)
{
    struct frames_sample s = ink(100, 10, 2, 12);
    for (int width = 40; width < 100; width += 23) {
        char *text = frames_text(&s, TERM_BLOCKS, width);
        assert_true(longest_line(text) <= width);
        free(text);
    }
    frames_sample_release(&s);
}
