#include "frames_picture_fixture.h"

#include "viz/theme.h"

/* A spectrogram with a rising tone. */
static struct frames_sample sound(int rows, int stride, int words)
{
    enum { BANDS = 40 };
    const int columns = (rows + stride - 1) / stride;
    struct frames_sample s =
        frames_sample(ATTEND_FRAMES_SOUND, rows, BANDS, stride, columns, words);
    s.view.seconds = 0.01;
    for (int i = 0; i < rows; i++)
        for (int b = 0; b < BANDS; b++)
            s.value[i * BANDS + b] = (float)-fabs(b - (double)BANDS * i / rows) +
                                     (float)((i * 7919 + b * 104729) % 997) / 500;
    return s;
}

static bool same(struct color one, struct color other)
{
    return memcmp(&one, &other, sizeof one) == 0;
}

/* The first pixel of an image that has the color, and the end of the run; -1: none. */
static int find_run(const struct display_image *image, struct color color, int *end)
{
    int first = 0;
    while (first < image->columns && !same(image->pixel[first], color))
        first++;
    for (*end = first; *end < image->columns && same(image->pixel[*end], color);)
        ++*end;
    return first < image->columns ? first : -1;
}

/* Weight (t, j) stands over the time of its frames: 4 j up to 4 j + 3. */
TEST(spectrogram_weights_stand_over_their_frames)
{
    enum { ROWS = 50, STRIDE = 4, PEAK = 3 };
    for (int dark = 0; dark < 2; dark++) {
        struct frames_sample s = sound(ROWS, STRIDE, 2);
        const struct theme theme = theme_of(dark, NULL);
        memset(s.weight, 0, 13 * sizeof *s.weight);
        s.weight[PEAK] = 0.3f;
        struct display_list list = frames_draw(&s, dark);
        const struct display_image *bands = image_at(&list, 0), *row = image_at(&list, 1);
        int end;
        assert_int_equal(row->columns, ROWS);
        assert_int_equal(find_run(row, theme_weight(&theme, 1), &end), PEAK * STRIDE);
        assert_int_equal(end, (PEAK + 1) * STRIDE);
        assert_true(same(row->pixel[0], theme.paper));
        assert_near(row->x, bands->x, 0);
        assert_near(row->width, bands->width, 0);
        assert_true(bands->y + bands->height <= row->y);
        /* The last column of the matrix has two frames. */
        s.weight[PEAK] = 0;
        s.weight[12] = 0.1f;
        display_list_release(&list);
        list = frames_draw(&s, dark);
        assert_int_equal(find_run(image_at(&list, 1), theme_weight(&theme, 1), &end), 48);
        assert_int_equal(end, ROWS);
        display_list_release(&list);
        frames_sample_release(&s);
    }
}

TEST(spectrogram_low_bands_are_at_the_bottom)
{
    struct frames_sample s = frames_sample(ATTEND_FRAMES_SOUND, 20, 5, 1, 20, 1);
    for (int i = 0; i < 20; i++)
        s.value[i * 5] = 1; /* the lowest band */
    struct display_list list = frames_draw(&s, false);
    const struct display_image *bands = image_at(&list, 0);
    assert_int_equal(bands->rows, 5);
    assert_true(color_lightness(bands->pixel[4 * 20]) < 0.3);
    assert_true(color_lightness(bands->pixel[0]) > 0.9);
    display_list_release(&list);
    frames_sample_release(&s);
}

TEST(spectrogram_ticks_are_seconds_on_the_same_axis)
{
    struct frames_sample s = sound(400, 4, 3);
    struct display_list list = frames_draw(&s, false);
    const struct display_image *row = image_at(&list, 1);
    assert_near(find_text(&list, "2.0")->x, row->x + row->width / 2, 0.01);
    assert_near(find_text(&list, "0.0")->x, row->x, 0.01);
    assert_near(find_text(&list, "4.0")->x, row->x + row->width, 0.01);
    assert_true(text_right(find_text(&list, "seconds")) < text_left(find_text(&list, "0.0")));
    assert_texts_inside(&list);
    display_list_release(&list);
    s.view.seconds = 0;
    s.view.kind = ATTEND_FRAMES_ARRAY;
    list = frames_draw(&s, false);
    row = image_at(&list, 1);
    assert_near(find_text(&list, "200")->x, row->x + row->width / 2, 0.01);
    find_text(&list, "frames");
    display_list_release(&list);
    frames_sample_release(&s);
}

TEST(spectrogram_tooltip_says_where_the_peak_is)
{
    struct frames_sample s = sound(400, 4, 2);
    s.weight[25] = 0.75f;
    char *svg = frames_svg(&s);
    assert_well_formed(svg);
    assert_int_equal(count_of(svg, "<title>zero: most weight 0.750 at 1.00 s</title>"), 1);
    free(svg);
    frames_sample_release(&s);
}

TEST(spectrogram_of_600_frames_and_10_words_is_a_small_file)
{
    struct frames_sample s = sound(600, 4, 10);
    char *svg = frames_svg(&s);
    assert_true(strlen(svg) < 150000);
    free(svg);
    frames_sample_release(&s);
}

/* However long the sound is, the picture stays bounded, and a peak of one frame stays visible. */
TEST(spectrogram_of_10000_frames_is_bounded)
{
    struct frames_sample s = sound(10000, 1, 10);
    s.weight[5003] = 1;
    struct display_list list = frames_draw(&s, false);
    const struct display_image *row = image_at(&list, 1);
    const struct theme theme = theme_of(false, NULL);
    int end;
    assert_true(list.width < 1100 && list.height < 600 && list.count < 200);
    assert_int_equal(row->columns, 900);
    assert_int_equal(find_run(row, theme_weight(&theme, 1), &end), 5003 * 900 / 10000);
    char *svg = svg_of(&list);
    assert_true(strlen(svg) < 300000);
    free(svg);
    display_list_release(&list);
    frames_sample_release(&s);
}

TEST(spectrogram_of_next_to_nothing_is_drawn)
{
    static const int cases[][3] = {{0, 0, 0}, {0, 0, 2},  {1, 1, 0},
                                   {1, 1, 1}, {1, 1, 12}, {2, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frames_sample s =
            frames_sample(ATTEND_FRAMES_SOUND, cases[i][0], 3, 1, cases[i][1], cases[i][2]);
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

TEST(spectrogram_strange_numbers_are_drawn)
{
    struct frames_sample s = sound(30, 1, 3);
    static const float strange[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f};
    for (int i = 0; i < 30; i++) {
        s.value[i * 40] = strange[i % 5];
        s.weight[i] = strange[i % 5];
        s.weight[30 + i] = NAN;
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

/* ---- Terminal -------------------------------------------------------------------------------- */

TEST(spectrogram_text_fits_the_width)
{
    static const int widths[] = {40, 80, 0, 200};
    struct frames_sample s = sound(600, 4, 10);
    for (size_t i = 0; i < 4; i++) {
        char *text = frames_text(&s, TERM_BLOCKS, widths[i]);
        const int most = widths[i] ? widths[i] : 100;
        assert_int_equal(longest_line(text), most);
        free(text);
    }
    frames_sample_release(&s);
}

TEST(spectrogram_text_has_a_line_for_each_word)
{
    struct frames_sample s = frames_sample(ATTEND_FRAMES_SOUND, 12, 2, 1, 12, 3);
    s.view.seconds = 0.1;
    s.value[0] = s.value[1] = 5;
    char *text = frames_text(&s, TERM_BLOCKS, 40);
    assert_string_equal(text, "     \u2588           \n"
                              "     \u2588           \n"
                              "zero \u2592\u2588\u2588\u2592        \n"
                              "one      \u2592\u2588\u2588\u2592    \n"
                              "two          \u2592\u2588\u2588\u2592\n"
                              "   s 0         1\n");
    free(text);
    frames_sample_release(&s);
}
