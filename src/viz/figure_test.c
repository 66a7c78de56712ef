#include "picture_fixture.h"

#include <stdio.h>

enum { VIEWS = 3, PANELS_MOST = 16 };

/* ---- Every view, theme and script ------------------------------------------------------------ */

static void assert_words_are_text(const char *svg, const char *const *word)
{
    for (int i = 0; i < SENTENCE_WORDS; i++) {
        struct strbuf text = {0};
        strbuf_addf(&text, ">%s</text>", strcmp(word[i], "</s>") ? word[i] : "&lt;/s&gt;");
        assert_true(count_of(svg, text.text) > 0);
        strbuf_release(&text);
    }
}

TEST(figure_every_view_theme_and_script_is_well_formed_text)
{
    for (int i = 0; i < SENTENCES; i++)
        for (int view = 0; view < VIEWS; view++)
            for (int dark = 0; dark < 2; dark++) {
                const struct attend_style style = {
                    .title = "a & b", .view = (enum attend_view)view, .dark = dark};
                struct display_list list = draw_one(sentence(i), style);
                char *svg = svg_of(&list);
                assert_well_formed(svg);
                assert_texts_inside(&list);
                assert_words_are_text(svg, sentence_source[i]);
                if (view != ATTEND_VIEW_SALIENCE)
                    assert_words_are_text(svg, sentence_target[i]);
                assert_int_equal(count_of(svg, ">a &amp; b</text>"), 1);
                free(svg);
                display_list_release(&list);
            }
}

/* S = 0, T = 0, both, and one word each. */
TEST(figure_empty_and_smallest_matrices_are_valid_documents)
{
    static const struct {
        int S, T;
    } sizes[] = {{0, 0}, {6, 0}, {0, 6}, {1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int view = 0; view < VIEWS; view++) {
            struct attend_matrix matrix = sentence(0);
            matrix.source_count = sizes[i].S;
            matrix.target_count = sizes[i].T;
            struct display_list list =
                draw_one(matrix, (struct attend_style){.view = (enum attend_view)view});
            char *svg = svg_of(&list);
            assert_well_formed(svg);
            assert_texts_inside(&list);
            assert_true(list.width > 0 && list.height > 0);
            free(svg);
            display_list_release(&list);
        }
}

TEST(figure_without_matrices_is_a_legend)
{
    for (int view = 0; view < VIEWS; view++) {
        struct display_list list;
        figure_draw(&list, NULL, 0,
                    &(struct attend_style){.title = "none", .view = (enum attend_view)view});
        char *svg = svg_of(&list);
        assert_well_formed(svg);
        assert_texts_inside(&list);
        free(svg);
        display_list_release(&list);
    }
}

TEST(figure_any_bytes_give_well_formed_documents)
{
    static const char *const odd[] = {"<&>\"'", "\x01\033[0m\n", "\xff\xc3", "", "]]>", "<!--"};
    static const float strange[36] = {NAN, INFINITY, -INFINITY, -1, 2, 0.5f};
    const struct attend_matrix matrix = {"\xe0<\"\x02", odd, odd, 6, 6, strange, NULL};
    for (int view = 0; view < VIEWS; view++) {
        char *svg = svg_of_one(
            matrix, (struct attend_style){.title = "\xff\x02", .view = (enum attend_view)view});
        assert_well_formed(svg);
        free(svg);
    }
}

/* ---- Panels ---------------------------------------------------------------------------------- */

static struct display_list draw_panels(int count, enum attend_view view)
{
    static char title[PANELS_MOST][24];
    struct attend_matrix matrix[PANELS_MOST];
    struct display_list list;
    for (int i = 0; i < count; i++) {
        snprintf(title[i], sizeof title[i], "panel %d", i + 1);
        matrix[i] = sentence(0);
        matrix[i].title = title[i];
    }
    figure_draw(&list, matrix, count, &(struct attend_style){.title = "all", .view = view});
    assert_false(list.failed);
    return list;
}

TEST(figure_panels_have_own_titles_and_one_legend)
{
    for (int view = 0; view < VIEWS; view++) {
        struct display_list list = draw_panels(5, (enum attend_view)view);
        char *svg = svg_of(&list);
        assert_well_formed(svg);
        assert_texts_inside(&list);
        assert_int_equal(count_of(svg, ">all</text>"), 1);
        assert_int_equal(count_of(svg, ">panel 5</text>"), 1);
        assert_int_equal(count_of(svg, ">panel "), 5);
        assert_int_equal(count_of(svg, ">weight</text>") +
                             count_of(svg, ">sum of weights, as a part of the largest</text>"),
                         1);
        free(svg);
        display_list_release(&list);
    }
}

TEST(figure_panels_are_neither_a_strip_nor_a_tower)
{
    for (int view = 0; view < VIEWS; view++)
        for (int count = 3; count <= PANELS_MOST; count++) {
            struct display_list list = draw_panels(count, (enum attend_view)view);
            const double ratio = list.width / list.height;
            assert_true(ratio > 0.6 && ratio < 2.6);
            display_list_release(&list);
        }
}

/* Titles are in rows and columns; a panel starts below its title and before the next one. */
TEST(figure_panels_stand_in_a_grid)
{
    struct display_list list = draw_panels(4, ATTEND_VIEW_HEATMAP);
    const struct display_text *title[4], *word[4];
    char text[24];
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "panel %d", i + 1);
        title[i] = find_text(&list, text);
        word[i] = text_at(&list, "committee", i);
        assert_true(title[i]->y < word[i]->y);
    }
    assert_near(title[0]->y, title[1]->y, 0);
    assert_near(title[0]->x, title[2]->x, 0);
    assert_near(title[3]->x, title[1]->x, 0);
    assert_near(title[3]->y, title[2]->y, 0);
    assert_true(text_right(text_at(&list, "</s>", 0)) < title[1]->x);
    assert_true(text_at(&list, "report", 0)->y < title[2]->y);
    display_list_release(&list);
}

/* Columns of cells are aligned although row labels and headers differ. */
TEST(figure_panels_line_up_by_their_cells)
{
    static const char *const longer[] = {"internationalisation", "b", "c", "d", "e", "f"};
    struct attend_matrix matrix[] = {sentence(0), sentence(0), sentence(0), sentence(0)};
    struct display_list list;
    matrix[0].target = matrix[1].source = longer;
    figure_draw(&list, matrix, 4, &(struct attend_style){0});
    const struct display_rect *above = &find_tooltip(&list, "internationalisation <- Der")->rect;
    const struct display_rect *below = &find_tooltip(&list, "The <- Der")->rect;
    const struct display_rect *right = &find_tooltip(&list, "The <- internationalisation")->rect;
    assert_near(above->x, below->x, 0);
    assert_near(above->y, right->y, 0);
    assert_near(above->width, below->width, 0);
    assert_texts_inside(&list);
    display_list_release(&list);
}

/* ---- The legend ------------------------------------------------------------------------------ */

/* The steps of the strip are the rectangles without tooltip after the paper and the frame. */
TEST(figure_legend_goes_evenly_from_the_paper_to_the_far_end)
{
    for (int dark = 0; dark < 2; dark++)
        for (const char *const *name = attend_scale_names(); *name; name++) {
            struct display_list list =
                draw_one(sentence(0), (struct attend_style){.dark = dark, .scale = *name});
            double y = HUGE_VAL, lightness = dark ? -1 : 2;
            int steps = 0;
            for (size_t i = list.count - 1; i > 0; i--) {
                const struct display_rect *step = &list.shape[i].rect;
                if (list.shape[i].kind != DISPLAY_RECT || step->tooltip || step->height > 10)
                    continue;
                const double now = color_lightness(step->fill);
                assert_true(step->y > 0 && (steps == 0 || step->y > y));
                assert_true(steps == 0 || (dark ? now < lightness : now > lightness));
                y = step->y;
                lightness = now;
                steps++;
            }
            assert_int_equal(steps, 40);
            display_list_release(&list);
        }
}

TEST(figure_legend_ticks_stand_beside_the_strip_from_one_to_zero)
{
    struct display_list list = draw_one(sentence(0), (struct attend_style){0});
    const struct display_text *one = find_text(&list, "1"), *half = find_text(&list, "0.5"),
                              *zero = find_text(&list, "0");
    assert_true(one->y < half->y && half->y < zero->y);
    assert_near(half->y - one->y, zero->y - half->y, 1e-9);
    display_list_release(&list);
}

TEST(figure_title_from_right_to_left_begins_at_the_right)
{
    struct display_list list = draw_one(sentence(4), (struct attend_style){.title = "من العربية"});
    const struct display_text *title = find_text(&list, "من العربية");
    assert_int_equal(title->anchor, ANCHOR_END);
    assert_near(title->x, list.width - 16, 0);
    display_list_release(&list);
}

TEST(figure_unknown_scale_is_the_first)
{
    char *one = svg_of_one(sentence(0), (struct attend_style){.scale = "none such"});
    char *two = svg_of_one(sentence(0), (struct attend_style){.scale = attend_scale_names()[0]});
    assert_string_equal(one, two);
    free(one);
    free(two);
}
