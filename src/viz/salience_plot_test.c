#include "picture_fixture.h"

#include "viz/theme.h"

static const struct attend_style salience = {.view = ATTEND_VIEW_SALIENCE};

static const struct display_rect *box_of(const struct display_list *list, const char *tip)
{
    return &find_tooltip(list, tip)->rect;
}

TEST(salience_plot_shows_the_sum_over_targets)
{
    char *svg = svg_of_one(sentence(0), salience);
    assert_well_formed(svg);
    assert_int_equal(count_of(svg, "<title>Ausschuss: 1.234</title></rect>"), 1);
    assert_int_equal(count_of(svg, ">1.23</text>"), 1);
    assert_int_equal(count_of(svg, "</title></rect>"), 6);
    assert_int_equal(count_of(svg, "adopted"), 0);
    free(svg);
}

TEST(salience_plot_background_is_the_part_of_the_largest)
{
    for (int dark = 0; dark < 2; dark++) {
        struct display_list list = draw_one(
            sentence(0), (struct attend_style){.view = ATTEND_VIEW_SALIENCE, .dark = dark});
        const struct theme theme = theme_of(dark, NULL);
        const struct color most = theme_weight(&theme, 1);
        const struct color less = theme_weight(&theme, 0.936 / 1.234);
        assert_memory_equal(&box_of(&list, "Ausschuss: 1.234")->fill, &most, sizeof most);
        assert_near(color_lightness(box_of(&list, "</s>: 0.936")->fill), color_lightness(less),
                    1e-2);
        display_list_release(&list);
    }
}

TEST(salience_plot_words_read_on_their_background)
{
    for (int dark = 0; dark < 2; dark++)
        for (const char *const *name = attend_scale_names(); *name; name++) {
            struct display_list list = draw_one(
                sentence(0),
                (struct attend_style){.view = ATTEND_VIEW_SALIENCE, .dark = dark, .scale = *name});
            for (int i = 0; i < SENTENCE_WORDS; i++) {
                const char *word = sentence_source[0][i];
                const struct color ink = find_text(&list, word)->color;
                assert_true(color_contrast(ink, box_of(&list, word)->fill) >= 4.3);
            }
            display_list_release(&list);
        }
}

TEST(salience_plot_numbers_can_be_left_out)
{
    char *svg = svg_of_one(sentence(0), (struct attend_style){.view = ATTEND_VIEW_SALIENCE,
                                                              .values = ATTEND_VALUES_NEVER});
    assert_int_equal(count_of(svg, ">1.23</text>"), 0);
    free(svg);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

/* Boxes contain their words, do not touch, and wrap. */
TEST(salience_plot_words_wrap_and_never_overlap)
{
    static struct square s;
    struct attend_matrix matrix = square(&s, SQUARE_MOST, "internationally");
    s.label[40] = "a";
    s.label[41] = ".";
    struct display_list list = draw_one(matrix, salience);
    const struct display_rect *before = NULL;
    int lines = 1;
    for (size_t i = 0; i + 1 < list.count; i++) {
        const struct display_rect *box = &list.shape[i].rect;
        if (list.shape[i].kind != DISPLAY_RECT || !box->tooltip)
            continue;
        const struct display_text *word = &list.shape[i + 1].text;
        assert_true(text_left(word) > box->x && text_right(word) < box->x + box->width);
        assert_true(box->x + box->width < list.width);
        if (before && box->y <= before->y)
            assert_true(box->x > before->x + before->width);
        lines += before && box->y > before->y + before->height;
        before = box;
    }
    assert_true(lines > 5);
    assert_true(list.width < 800);
    assert_texts_inside(&list);
    display_list_release(&list);
}

TEST(salience_plot_runs_from_right_to_left)
{
    struct display_list list = draw_one(sentence(4), salience);
    const struct display_rect *first = box_of(&list, "\u2068الكتاب\u2069");
    const struct display_rect *second = box_of(&list, "\u2068على\u2069");
    assert_true(first->x > second->x + second->width);
    assert_near(first->y, second->y, 0);
    assert_near(find_text(&list, "الكتاب")->x, first->x + first->width / 2, 0);
    assert_texts_inside(&list);
    display_list_release(&list);
}

TEST(salience_plot_of_nothing_received_is_paper)
{
    static const float strange[] = {NAN, 0};
    const struct attend_matrix matrix = {
        NULL, sentence_source[0], sentence_target[0], 2, 1, strange, NULL};
    struct display_list list = draw_one(matrix, salience);
    const struct theme theme = theme_of(false, NULL);
    const struct color none = theme_weight(&theme, (double)NAN);
    assert_memory_equal(&box_of(&list, "Der: -")->fill, &none, sizeof none);
    assert_memory_equal(&box_of(&list, "Ausschuss: 0.000")->fill, &theme.paper, sizeof none);
    display_list_release(&list);
}
