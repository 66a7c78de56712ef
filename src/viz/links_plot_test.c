#include "picture_fixture.h"

#include "viz/links_plot.h"

static const struct attend_style links = {.view = ATTEND_VIEW_LINKS};

/* Checks that the words are in one row and in this order. */
static void assert_row(const struct display_list *list, const char *const *word, int count,
                       bool reversed)
{
    for (int i = 1; i < count; i++) {
        const struct display_text *before = find_text(list, word[i - 1]);
        const struct display_text *after = find_text(list, word[i]);
        assert_near(before->y, after->y, 0);
        assert_true(reversed ? text_right(after) < text_left(before)
                             : text_right(before) < text_left(after));
    }
}

TEST(links_plot_words_never_overlap)
{
    static const int left_to_right[] = {0, 1, 2, 5};
    for (size_t i = 0; i < sizeof left_to_right / sizeof *left_to_right; i++) {
        const struct attend_matrix matrix = sentence(left_to_right[i]);
        struct display_list list = draw_one(matrix, links);
        assert_row(&list, matrix.source, 5, false);
        assert_row(&list, matrix.target, 3, false);
        assert_texts_inside(&list);
        display_list_release(&list);
    }
}

TEST(links_plot_rows_run_the_way_their_words_are_written)
{
    struct display_list list = draw_one(sentence(4), links);
    assert_row(&list, sentence_source[4], 5, true);
    assert_row(&list, sentence_target[4], 5, true);
    display_list_release(&list);
    list = draw_one(sentence(3), links);
    assert_row(&list, sentence_source[3], 3, true);
    assert_row(&list, sentence_target[3], 3, false);
    display_list_release(&list);
}

TEST(links_plot_many_long_words_make_a_wide_picture)
{
    static struct square s;
    struct attend_matrix matrix = square(&s, SQUARE_MOST, "internationally");
    struct display_list list = draw_one(matrix, links);
    double last = -1;
    for (int i = 0; i < SQUARE_MOST; i++) {
        const struct display_text *word = text_at(&list, "internationally", i);
        assert_true(text_left(word) > last);
        last = text_right(word);
    }
    assert_true(list.width > last);
    assert_int_equal(shapes_of(&list, DISPLAY_CURVE), SQUARE_MOST);
    assert_texts_inside(&list);
    display_list_release(&list);
}

/* ---- Curves ---------------------------------------------------------------------------------- */

TEST(links_plot_curves_end_at_their_words)
{
    struct display_list list = draw_one(sentence(0), links);
    const struct display_curve *curve = &find_tooltip(&list, "adopted <- hat: 0.550")->curve;
    const struct display_text *hat = find_text(&list, "hat"), *made = find_text(&list, "adopted");
    assert_near(curve->x1, hat->x, 0);
    assert_near(curve->x2, made->x, 0);
    assert_int_equal(hat->anchor, ANCHOR_MIDDLE);
    assert_true(curve->y1 > hat->y && curve->y1 < hat->y + hat->size);
    assert_true(curve->y2 < made->y - 0.7 * made->size && curve->y2 > made->y - 2 * made->size);
    display_list_release(&list);
}

TEST(links_plot_weak_weights_and_what_is_no_number_have_no_curve)
{
    static const float few[] = {0.049f, 0.05f, NAN, 0, -1, 0.051f, INFINITY, 0, 0};
    struct attend_matrix matrix = sentence(0);
    matrix.source_count = matrix.target_count = 3;
    matrix.weight = few;
    struct display_list list = draw_one(matrix, links);
    assert_int_equal(shapes_of(&list, DISPLAY_CURVE), 3);
    find_tooltip(&list, "The <- Ausschuss: 0.05");
    find_tooltip(&list, "committee <- hat: 0.051");
    find_tooltip(&list, "adopted <- Der: inf");
    display_list_release(&list);
}

/* Stronger links are wider, farther from the color of the paper, and drawn later, on top. */
TEST(links_plot_curves_grow_with_their_weight)
{
    for (int dark = 0; dark < 2; dark++) {
        struct display_list list =
            draw_one(sentence(0), (struct attend_style){.view = ATTEND_VIEW_LINKS, .dark = dark});
        const struct color paper = list.shape[0].rect.fill;
        double width = 0, contrast = 1.2;
        for (size_t i = 0; i < list.count; i++) {
            const struct display_curve *curve = &list.shape[i].curve;
            if (list.shape[i].kind != DISPLAY_CURVE)
                continue;
            assert_true(curve->width >= width);
            assert_true(color_contrast(curve->color, paper) >= contrast);
            width = curve->width;
            contrast = color_contrast(curve->color, paper);
        }
        assert_near(width, links_plot_width((double)0.97f), 1e-6);
        display_list_release(&list);
    }
}

TEST(links_plot_svg_holds_curves_with_tooltips)
{
    char *svg = svg_of_one(sentence(0), links);
    assert_well_formed(svg);
    assert_int_equal(count_of(svg, "<path d=\"M"), 14);
    assert_int_equal(count_of(svg, "<title>adopted &lt;- hat: 0.550</title></path>"), 1);
    assert_int_equal(count_of(svg, ">(weights under 0.05 left out)</text>"), 1);
    free(svg);
}
