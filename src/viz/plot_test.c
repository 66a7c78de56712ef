#include "test.h"

#include "viz/picture.h"
#include "attend/plot.h"

#include <string.h>

static const char *const source[] = {"mai", "ghar"}, *const target[] = {"home"};
static const float weight[] = {0.2f, 0.8f};
static const struct attend_matrix matrix = {"panel", source, target, 2, 1, weight, NULL};

TEST(plot_scale_names_begin_with_the_default)
{
    const char *const *names = attend_scale_names();
    int count = 0;
    while (names[count])
        count++;
    assert_true(count >= 3);
    assert_string_equal(names[0], "blue");
}

TEST(plot_picture_of_matrices_is_written_as_svg)
{
    static const char *const shows[] = {"home &lt;- ghar: 0.800</title></rect>",
                                        "home &lt;- ghar: 0.800</title></path>",
                                        "ghar: 0.800</title></rect>"};
    for (int view = ATTEND_VIEW_HEATMAP; view <= ATTEND_VIEW_SALIENCE; view++) {
        struct attend_picture *picture = attend_picture_matrices(
            &matrix, 1, &(struct attend_style){.title = "all", .view = (enum attend_view)view});
        assert_non_null(picture);
        char *svg = attend_picture_svg(picture);
        assert_non_null(strstr(svg, shows[view]));
        assert_non_null(strstr(svg, ">panel</text>"));
        assert_non_null(strstr(svg, ">all</text>"));
        attend_text_free(svg);
        attend_picture_free(picture);
    }
}

TEST(plot_picture_is_written_as_often_as_one_likes)
{
    struct attend_picture *picture =
        attend_picture_matrices(&matrix, 1, &(struct attend_style){.dark = true});
    char *one = attend_picture_svg(picture), *two = attend_picture_svg(picture);
    assert_string_equal(one, two);
    attend_text_free(one);
    attend_text_free(two);
    attend_picture_free(picture);
    attend_picture_free(NULL);
}

TEST(plot_terminal_has_color_when_asked_for)
{
    const struct attend_style style = {0};
    char *text = attend_terminal_matrices(&matrix, 1, &style, false);
    assert_string_equal(text, "panel\n       mai    ghar \nhome  ░░░.20 ███.80\n");
    attend_text_free(text);
    text = attend_terminal_matrices(&matrix, 1, &style, true);
    assert_non_null(strstr(text, "\033[48;2;"));
    attend_text_free(text);
}

TEST(plot_by_length_is_drawn_dark)
{
    struct attend_length_row row[] = {{.from = 1, .to = 2, .lines = 3, .score = {50}},
                                      {.from = 3, .to = 4, .lines = 3, .score = {25}}};
    const struct attend_length_table table = {
        .label = "accuracy", .unit = "%", .outputs = 1, .row = row, .count = 2};
    const char *const labels[] = {"one"};
    struct attend_picture *picture =
        attend_picture_by_length(&table, labels, &(struct attend_style){.dark = true});
    char *svg = attend_picture_svg(picture);
    assert_non_null(strstr(svg, "fill=\"#16181c\"/>"));
    assert_null(strstr(svg, "#ffffff"));
    assert_non_null(strstr(svg, "one: 1.5, 50.00</title>"));
    assert_non_null(strstr(svg, ">50<")); /* the axis ends above the best score */
    assert_null(strstr(svg, ">100<"));
    attend_text_free(svg);
    attend_picture_free(picture);
}
