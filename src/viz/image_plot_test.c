#include "frames_picture_fixture.h"

#include "viz/image_plot.h"
#include "viz/panel.h"
#include "viz/theme.h"

/* Dark strokes on light ground, or light ones on dark. */
static void paint(struct frames_sample *s, bool light)
{
    for (int i = 0; i < s->view.rows; i++)
        for (int k = 0; k < s->view.width; k++)
            s->value[i * s->view.width + k] = (k % 7 == 3) == light;
}

static struct frames_sample line(int height, int width, int stride, int words)
{
    struct frames_sample s = frames_sample(ATTEND_FRAMES_COLUMNS, height, width, stride,
                                           (width + stride - 1) / stride, words);
    paint(&s, false);
    return s;
}

/* Patches of 4 x 4 pixels. */
static struct frames_sample patches(int down, int across, int words)
{
    struct frames_sample s =
        frames_sample(ATTEND_FRAMES_PATCHES, 4 * down, 4 * across, 4, down * across, words);
    s.view.across = across;
    paint(&s, true);
    return s;
}

static struct panel panel_of(struct frames_sample *s, const struct theme *theme)
{
    struct panel p;
    s->matrix.frames = &s->view;
    panel_init(&p, &s->matrix, &(struct attend_style){0}, theme);
    assert_false(p.failed);
    return p;
}

static double lightness(const struct display_image *image, int row, int column)
{
    return color_lightness(image->pixel[row * image->columns + column]);
}

/* ---- The veil -------------------------------------------------------------------------------- */

TEST(image_veil_is_whole_where_the_weight_is_zero_and_gone_at_the_peak)
{
    const struct theme theme = theme_of(false, NULL);
    struct frames_sample s = line(8, 30, 3, 2);
    memset(s.weight, 0, 20 * sizeof *s.weight);
    s.weight[4] = 0.2f;
    s.weight[5] = 0.1f;
    struct panel p = panel_of(&s, &theme);
    for (int k = 0; k < 30; k++)
        assert_near(image_veil(&p, 0, (double)0.2f, 5, k),
                    k / 3 == 4   ? 0
                    : k / 3 == 5 ? 0.5
                                 : 1,
                    1e-6);
    panel_release(&p);
    frames_sample_release(&s);
}

TEST(image_veil_of_patches_is_over_their_squares)
{
    const struct theme theme = theme_of(false, NULL);
    struct frames_sample s = patches(3, 5, 1);
    memset(s.weight, 0, 15 * sizeof *s.weight);
    s.weight[1 * 5 + 3] = 0.4f; /* in the second row, the fourth */
    struct panel p = panel_of(&s, &theme);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 20; k++)
            assert_near(image_veil(&p, 0, (double)0.4f, i, k), i / 4 == 1 && k / 4 == 3 ? 0 : 1, 0);
    panel_release(&p);
    frames_sample_release(&s);
}

/* The image of a word is bright where it attends and dark elsewhere, on any ground. */
TEST(image_is_bright_where_the_word_attends)
{
    for (int dark = 0; dark < 2; dark++) {
        struct frames_sample s = patches(3, 5, 2);
        memset(s.weight, 0, 30 * sizeof *s.weight);
        s.weight[8] = s.weight[15 + 2] = 0.4f;
        struct display_list list = frames_draw(&s, dark);
        const struct display_image *first = image_at(&list, 1), *second = image_at(&list, 2);
        assert_true(lightness(first, 5, 13) > lightness(first, 5, 11) + 0.2);
        assert_true(lightness(first, 5, 13) > lightness(second, 5, 13) + 0.2);
        assert_near(lightness(first, 5, 13), lightness(image_at(&list, 0), 5, 13), 1e-9);
        /* The first stroke is seen through the veil. */
        assert_true(lightness(first, 0, 3) > lightness(first, 0, 4));
        display_list_release(&list);
        frames_sample_release(&s);
    }
}

/* ---- Layout ---------------------------------------------------------------------------------- */

TEST(image_lines_stand_below_one_another)
{
    struct frames_sample s = line(32, 200, 1, 5);
    struct display_list list = frames_draw(&s, false);
    for (int t = 0; t < 5; t++) {
        const struct display_image *before = image_at(&list, t), *image = image_at(&list, t + 1);
        const struct display_text *label = find_text(&list, digit_words[t]);
        assert_near(image->x, before->x, 0);
        assert_true(image->y > before->y + before->height);
        assert_true(text_right(label) < image->x);
        assert_true(label->y > image->y && label->y < image->y + image->height);
    }
    assert_shapes_finite(&list);
    assert_texts_inside(&list);
    display_list_release(&list);
    frames_sample_release(&s);
}

TEST(image_patches_stand_side_by_side_over_their_words)
{
    struct frames_sample s = patches(8, 8, 11);
    struct display_list list = frames_draw(&s, false);
    assert_true(image_at(&list, 1)->x > image_at(&list, 0)->x + image_at(&list, 0)->width);
    assert_near(image_at(&list, 1)->y, image_at(&list, 0)->y, 0);
    for (int t = 0; t < 11; t++) {
        const struct display_image *image = image_at(&list, t + 1);
        const struct display_text *label = find_text(&list, digit_words[t]);
        assert_near(label->x, image->x + image->width / 2, 0.01);
        assert_true(label->y > image->y + image->height);
    }
    assert_shapes_finite(&list);
    assert_texts_inside(&list);
    display_list_release(&list);
    frames_sample_release(&s);
}

TEST(image_of_next_to_nothing_is_drawn)
{
    static const int cases[][3] = {{0, 0, 0},  {0, 0, 3}, {1, 1, 1},
                                   {1, 1, 12}, {2, 1, 0}, {0, 5, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int kind = ATTEND_FRAMES_COLUMNS; kind <= ATTEND_FRAMES_PATCHES; kind++) {
            struct frames_sample s =
                frames_sample((enum attend_frames_kind)kind, cases[i][0], cases[i][1], 1,
                              cases[i][1] * cases[i][0], cases[i][2]);
            s.view.across = cases[i][1];
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

TEST(image_strange_numbers_are_drawn)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY, 1e38f, 0};
    struct frames_sample s = patches(3, 4, 3);
    for (int i = 0; i < 36; i++)
        s.weight[i] = s.value[i] = strange[i % 5];
    s.view.across = 5; /* one more than there is */
    struct display_list list = frames_draw(&s, true);
    assert_shapes_finite(&list);
    char *svg = svg_of(&list), *text = frames_text(&s, TERM_TRUECOLOR, 60);
    assert_well_formed(svg);
    free(svg);
    free(text);
    display_list_release(&list);
    frames_sample_release(&s);
}

TEST(image_of_10000_columns_is_bounded)
{
    struct frames_sample s = line(64, 10000, 1, 12);
    struct display_list list = frames_draw(&s, false);
    char *svg = svg_of(&list);
    assert_true(list.width < 1000);
    assert_true(image_at(&list, 1)->columns <= 600);
    assert_true(strlen(svg) < 300000);
    free(svg);
    display_list_release(&list);
    frames_sample_release(&s);
}

/* ---- Terminal -------------------------------------------------------------------------------- */

TEST(image_text_of_columns_has_a_line_for_each_word)
{
    struct frames_sample s = line(6, 12, 1, 3);
    char *text = frames_text(&s, TERM_BLOCKS, 40);
    assert_non_null(strstr(text, "        \u2588      \u2588 \n"
                                 "zero \u2592\u2588\u2588\u2592        \n"
                                 "one      \u2592\u2588\u2588\u2592    \n"
                                 "two          \u2592\u2588\u2588\u2592\n"));
    free(text);
    frames_sample_release(&s);
}

TEST(image_text_of_patches_shows_squares)
{
    struct frames_sample s = patches(2, 2, 2);
    memset(s.weight, 0, 8 * sizeof *s.weight);
    s.weight[1] = s.weight[4 + 2] = 1;
    char *text = frames_text(&s, TERM_BLOCKS, 40);
    assert_string_equal(text, "  \u2588\u2588       \n"
                              "       \u2588\u2588  \n"
                              "zero   one\n");
    free(text);
    frames_sample_release(&s);
}

TEST(image_text_of_many_patches_fits_the_width)
{
    struct frames_sample s = patches(3, 28, 3);
    for (int width = 40; width <= 100; width += 20) {
        char *text = frames_text(&s, TERM_BLOCKS, width);
        assert_true(longest_line(text) <= width);
        free(text);
    }
    frames_sample_release(&s);
}
