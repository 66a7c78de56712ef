#include "curves_fixture.h"
#include "test.h"

#include "base/strbuf.h"
#include "viz/axis.h"
#include "viz/curves.h"
#include "viz/display_list.h"
#include "viz/label.h"
#include "viz/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gapped[POINTS] = {80, 70, (double)NAN, 40, 30, (double)NAN};

static void curves_svg(struct strbuf *out, const struct curves_plot *plot)
{
    struct display_list list;
    curves_draw(&list, plot);
    svg_write(out, &list);
    display_list_release(&list);
}

static int shapes(const struct display_list *list, enum display_kind kind)
{
    int found = 0;
    for (size_t i = 0; i < list->count; i++)
        found += list->shape[i].kind == kind;
    return found;
}

/* The n-th shape of a kind. */
static const struct display_shape *shape_at(const struct display_list *list, enum display_kind kind,
                                            int n)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->shape[i].kind == kind && n-- == 0)
            return &list->shape[i];
    fail_msg("no shape %d of kind %d", n, (int)kind);
    return NULL;
}

static const struct display_text *text_shape(const struct display_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->shape[i].kind == DISPLAY_TEXT && strcmp(list->shape[i].text.text, text) == 0)
            return &list->shape[i].text;
    fail_msg("no text '%s'", text);
    return NULL;
}

static void draw(struct display_list *list, const struct curve *curve, int count)
{
    const struct curves_panel panel = panel_of(curve, count);
    const struct curves_plot plot = plot_of(&panel, 1);
    curves_draw(list, &plot);
    assert_false(list->failed);
}

/* ---- SVG ------------------------------------------------------------------------------------- */

TEST(curves_svg_shows_titles_ticks_and_legend_as_text)
{
    static const char *const texts[] = {">a &amp; b</text>",
                                        ">words</text>",
                                        ">accuracy (%)</text>",
                                        ">with &lt;attention&gt;</text>",
                                        ">without</text>",
                                        ">100</text>",
                                        ">80</text>",
                                        ">30</text>",
                                        "<title>without: 18, 52.00</title>"};
    char *svg = text_of(curves_svg, two, 2);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(count_of(svg, texts[i]), 1);
    assert_int_equal(count_of(svg, "</svg>"), 1);
    free(svg);
}

TEST(curves_that_count_have_no_ticks_between_whole_numbers)
{
    const double at[] = {0, 1, 2, 3}, y[] = {3, 2, 1, 0};
    const struct curve curve = {"a", at, y, 4, .series = 0};
    const struct curves_panel panel = panel_of(&curve, 1);
    struct curves_plot plot = plot_of(&panel, 1);
    assert_near(curves_x_axis(&plot, 10).step, 0.5, 1e-12);
    plot.whole_x = true;
    assert_near(curves_x_axis(&plot, 10).step, 1, 1e-12);
    assert_near(curves_x_axis(&plot, 2).step, 2, 1e-12);
}

TEST(curves_each_have_a_line_and_a_mark_for_every_point)
{
    struct display_list list;
    draw(&list, two, 2);
    assert_false(list.failed);
    assert_int_equal(shapes(&list, DISPLAY_POLYLINE), 2 + 2);
    assert_int_equal(shapes(&list, DISPLAY_MARK), 2 * POINTS + 2);
    display_list_release(&list);
}

/* Larger values are higher, and distances in the picture are proportional to values. */
TEST(curves_points_stand_where_their_values_are)
{
    struct display_list list;
    draw(&list, two, 2);
    const struct display_polyline *line = &shape_at(&list, DISPLAY_POLYLINE, 1)->polyline;
    assert_int_equal(line->count, POINTS);
    const double per_word = (line->x[5] - line->x[0]) / (28 - 3);
    const double per_percent = (line->y[5] - line->y[0]) / (98 - 10);
    assert_true(per_word > 0 && per_percent > 0);
    for (int i = 0; i < POINTS; i++) {
        assert_near(line->x[i], line->x[0] + per_word * (x[i] - 3), 1e-9);
        assert_near(line->y[i], line->y[0] + per_percent * (98 - falling[i]), 1e-9);
    }
    display_list_release(&list);
}

TEST(curves_differ_without_color)
{
    struct curve many[8];
    for (int i = 0; i < 8; i++)
        many[i] = (struct curve){"same", x, falling, POINTS, .series = i};
    struct display_list list;
    draw(&list, many, 8);
    for (int i = 0; i < 4; i++)
        for (int k = i + 1; k < 4; k++) {
            assert_true(shape_at(&list, DISPLAY_MARK, i * POINTS)->mark.form !=
                        shape_at(&list, DISPLAY_MARK, k * POINTS)->mark.form);
            assert_true(fabs(shape_at(&list, DISPLAY_POLYLINE, i)->polyline.dash -
                             shape_at(&list, DISPLAY_POLYLINE, k)->polyline.dash) > 0);
        }
    display_list_release(&list);
}

TEST(curves_not_a_number_is_a_gap)
{
    const struct curve curve = {"gapped", x, gapped, POINTS, .series = 0};
    struct display_list list;
    draw(&list, &curve, 1);
    assert_int_equal(shapes(&list, DISPLAY_POLYLINE), 2 + 1);
    assert_int_equal(shape_at(&list, DISPLAY_POLYLINE, 0)->polyline.count, 2);
    assert_int_equal(shapes(&list, DISPLAY_MARK), 4 + 1);
    display_list_release(&list);
    char *svg = text_of(curves_svg, &curve, 1);
    assert_int_equal(count_of(svg, ">-<"), 0);
    free(svg);
}

TEST(curves_lone_point_is_a_mark_without_a_line)
{
    const struct curve curve = {"one", x, falling, 1, .series = 0};
    struct display_list list;
    draw(&list, &curve, 1);
    assert_int_equal(shapes(&list, DISPLAY_POLYLINE), 1);
    assert_int_equal(shapes(&list, DISPLAY_MARK), 2);
    display_list_release(&list);
}

static void assert_text_inside(const struct display_list *list, const struct display_text *text)
{
    const double length = label_em(text->text) * text->size;
    const double from = text->anchor == ANCHOR_START ? 0 : text->anchor == ANCHOR_END ? -1 : -0.5;
    for (int corner = 0; corner < 4; corner++) {
        const double along = (from + corner % 2) * length, up = (corner / 2) * 0.8 * text->size;
        const double at_x = text->turn > 0 ? text->x - up : text->x + along;
        const double at_y = text->turn > 0 ? text->y - along : text->y - up;
        assert_true(at_x >= 0 && at_x <= list->width);
        assert_true(at_y >= 0 && at_y <= list->height);
    }
}

TEST(curves_texts_stay_inside_the_picture)
{
    char wide[201];
    memset(wide, 'm', 200);
    wide[200] = '\0';
    const char *const labels[] = {"", "x", "बहुत-लंबा-शब्द", wide};
    for (int k = 0; k < 4; k++) {
        struct curve many[30];
        for (int i = 0; i < 30; i++)
            many[i] = (struct curve){labels[k], x, level, POINTS, .series = 0};
        const struct curves_panel panels[] = {{labels[k], many, 30, 0, 1e7, 1},
                                              {labels[k], many, 30, 0, 1e7, 0.3}};
        const struct curves_plot plot = {
            .title = labels[k], .x_label = labels[k], .panel = panels, .panels = 2};
        struct display_list list;
        curves_draw(&list, &plot);
        assert_false(list.failed);
        for (size_t i = 0; i < list.count; i++)
            if (list.shape[i].kind == DISPLAY_TEXT)
                assert_text_inside(&list, &list.shape[i].text);
        display_list_release(&list);
    }
}

TEST(curves_without_any_are_empty_axes)
{
    struct strbuf out = {0};
    const struct curves_panel panel = {.y_min = 0, .y_max = 1, .height = 1};
    const struct curves_plot plot = {.panel = &panel, .panels = 1};
    curves_svg(&out, &plot);
    assert_false(out.failed);
    assert_int_equal(count_of(out.text, "<polyline"), 0);
    strbuf_clear(&out);
    curves_term(&out, &plot);
    assert_non_null(strstr(out.text, "1.0 \u2524"));
    strbuf_release(&out);
}

TEST(curves_dark_marks_stand_out_from_dark_paper)
{
    const struct curves_panel panel = panel_of(two, 2);
    struct curves_plot plot = plot_of(&panel, 1);
    struct display_list list;
    plot.dark = true;
    curves_draw(&list, &plot);
    const struct color paper = list.shape[0].rect.fill;
    assert_true(color_lightness(paper) < 0.3);
    for (size_t i = 0; i < list.count; i++) {
        if (list.shape[i].kind == DISPLAY_MARK)
            assert_true(color_contrast(list.shape[i].mark.fill, paper) > 4.5);
        if (list.shape[i].kind == DISPLAY_TEXT)
            assert_true(color_contrast(list.shape[i].text.color, paper) > 10);
    }
    display_list_release(&list);
}

/* ---- A logarithmic axis ---------------------------------------------------------------------- */

/* Equal factors are equal distances; points without a logarithm are gaps. */
TEST(curves_logarithmic_points_stand_where_their_logarithms_are)
{
    const struct curves_panel panel = panel_of(&powers, 1);
    struct curves_plot plot = plot_of(&panel, 1);
    plot.log_x = true;
    struct display_list list;
    curves_draw(&list, &plot);
    assert_false(list.failed);
    const struct display_polyline *line = &shape_at(&list, DISPLAY_POLYLINE, 0)->polyline;
    assert_int_equal(line->count, 4);
    for (int i = 1; i < 4; i++)
        assert_near(line->x[i] - line->x[i - 1], (line->x[3] - line->x[0]) / 3, 1e-9);
    assert_int_equal(shapes(&list, DISPLAY_MARK), 4 + 1);
    assert_near(text_shape(&list, "16")->x, line->x[2], 1e-9);
    assert_near(text_shape(&list, "2")->x, (line->x[0] + line->x[1]) / 2, 1e-9);
    display_list_release(&list);
}

/* From (1, 50) to (16, 150): straight in the picture, so it leaves the axis at 100 where x is 4. */
TEST(curves_logarithmic_line_is_cut_where_it_leaves_the_axis_on_paper)
{
    const double at[] = {1, 16}, high[] = {50, 150};
    const struct curve curve = {"high", at, high, 2, .series = 0};
    const struct curves_panel panel = panel_of(&curve, 1);
    struct curves_plot plot = plot_of(&panel, 1);
    plot.log_x = true;
    struct display_list list;
    curves_draw(&list, &plot);
    assert_near(shape_at(&list, DISPLAY_POLYLINE, 0)->polyline.x[1], text_shape(&list, "4")->x,
                1e-9);
    display_list_release(&list);
}

/* ---- Panels ---------------------------------------------------------------------------------- */

TEST(curves_panels_stand_below_each_other_over_one_x_axis)
{
    const double late[POINTS] = {103, 108, 113, 118, 123, 128};
    const struct curve above = {"above", x, level, POINTS, .series = 0},
                       below = {"below", late, falling, POINTS, .series = 1};
    const struct curves_panel panels[] = {{"first", &above, 1, 90, 100, 0.8},
                                          {"second", &below, 1, 0, 100, 0.6}};
    const struct curves_plot plot = plot_of(panels, 2);
    struct display_list list;
    curves_draw(&list, &plot);
    assert_false(list.failed);
    const struct display_polyline *a = &shape_at(&list, DISPLAY_POLYLINE, 0)->polyline;
    const struct display_polyline *b = &shape_at(&list, DISPLAY_POLYLINE, 2)->polyline;
    for (int i = 0; i < POINTS; i++)
        assert_true(a->y[i] < b->y[i] - 20);
    assert_near((a->x[5] - a->x[0]) / 25, (b->x[0] - a->x[5]) / 75, 1e-9);
    assert_true(text_shape(&list, "first")->y < text_shape(&list, "second")->y);
    assert_true(text_shape(&list, "above")->y < text_shape(&list, "below")->y);
    assert_true(text_shape(&list, "words")->y > b->y[5]);
    display_list_release(&list);
}

/* The line from (0, 0) to (10, 200) leaves the axis, which ends at 100, at x = 5. */
TEST(curves_line_is_cut_where_it_leaves_the_axis)
{
    const double at[] = {0, 10, 20, 30}, high[] = {0, 200, 200, 100};
    const struct curve curve = {"high", at, high, 4, .series = 0};
    struct display_list list;
    draw(&list, &curve, 1);
    const struct display_polyline *up = &shape_at(&list, DISPLAY_POLYLINE, 0)->polyline;
    assert_int_equal(up->count, 2);
    const struct display_text *left = text_shape(&list, "0"), *right = text_shape(&list, "30");
    const double per_unit = (right->x - left->x) / 30;
    assert_near(up->x[0], left->x, 1e-9);
    assert_near(up->x[1], left->x + 5 * per_unit, 1e-9);
    assert_near(up->y[0] - up->y[1], 320, 1e-9);
    assert_int_equal(shapes(&list, DISPLAY_MARK), 2 + 1);
    display_list_release(&list);
}

TEST(curves_styles_differ_in_lines_and_marks)
{
    const struct curve styles[] = {{"thin", x, level, POINTS, 2, CURVE_THIN},
                                   {"best", x, falling, 1, 2, CURVE_BEST},
                                   {NULL, x, falling, POINTS, 2, CURVE_MARKED}};
    struct display_list list;
    draw(&list, styles, 3);
    assert_int_equal(shapes(&list, DISPLAY_MARK), 1 + POINTS + 1); /* one in the legend */
    const struct display_polyline *thin = &shape_at(&list, DISPLAY_POLYLINE, 0)->polyline;
    const struct display_polyline *marked = &shape_at(&list, DISPLAY_POLYLINE, 1)->polyline;
    assert_true(thin->width < marked->width);
    assert_near(thin->dash, 0, 0);
    assert_true(marked->dash > 0);
    assert_int_equal(memcmp(&thin->color, &marked->color, sizeof thin->color), 0);
    assert_true(shape_at(&list, DISPLAY_MARK, 0)->mark.radius >
                shape_at(&list, DISPLAY_MARK, 1)->mark.radius);
    display_list_release(&list);
}

TEST(curves_many_points_have_no_marks)
{
    enum { MANY = 200 };
    double at[MANY], value[MANY];
    for (int i = 0; i < MANY; i++) {
        at[i] = i;
        value[i] = i % 100;
    }
    const struct curve curve = {"many", at, value, MANY, .series = 0};
    struct display_list list;
    draw(&list, &curve, 1);
    assert_int_equal(shapes(&list, DISPLAY_MARK), 1);
    display_list_release(&list);
}
