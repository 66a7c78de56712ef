#include "picture_fixture.h"

#include "viz/theme.h"

static const char *const source[] = {"mai", "ghar", "ja", "raha", "hoon", "</s>"};
static const char *const target[] = {"I", "am", "going", "home", "</s>"};
static const float weight[5 * 6] = {
    0.91f, 0.02f,  0.01f, 0.02f, 0.04f, 0.f,    /* I */
    0.08f, 0.01f,  0.02f, 0.31f, 0.57f, 0.01f,  /* am */
    0.01f, 0.03f,  0.55f, 0.40f, 0.01f, 0.f,    /* going */
    0.01f, 0.97f,  0.01f, 0.f,   0.01f, 0.f,    /* home */
    0.f,   0.004f, 0.f,   0.01f, 0.06f, 0.926f, /* </s> */
};
static const struct attend_matrix small = {NULL, source, target, 6, 5, weight, NULL};
static const struct attend_style plain = {0};

static struct display_list draw_square(int n, const char *label, enum attend_values values)
{
    static struct square s;
    return draw_one(square(&s, n, label), (struct attend_style){.values = values});
}

/* ---- What is drawn --------------------------------------------------------------------------- */

TEST(matrix_plot_svg_is_well_formed_with_a_cell_for_each_weight)
{
    char *svg = svg_of_one(small, plain);
    assert_well_formed(svg);
    assert_int_equal(count_of(svg, "</title></rect>"), 5 * 6);
    assert_int_equal(count_of(svg, "</svg>"), 1);
    free(svg);
}

TEST(matrix_plot_svg_shows_title_labels_and_legend)
{
    char *svg = svg_of_one(small, (struct attend_style){.title = "mai ghar <b>"});
    assert_int_equal(count_of(svg, ">mai ghar &lt;b&gt;</text>"), 1);
    assert_int_equal(count_of(svg, ">raha</text>"), 1);
    assert_int_equal(count_of(svg, ">going</text>"), 1);
    assert_int_equal(count_of(svg, ">&lt;/s&gt;</text>"), 2);
    assert_int_equal(count_of(svg, ">weight</text>"), 1);
    free(svg);
}

TEST(matrix_plot_tooltip_names_both_tokens_and_the_weight)
{
    char *svg = svg_of_one(small, plain);
    assert_int_equal(count_of(svg, "<title>home &lt;- ghar: 0.970</title></rect>"), 1);
    assert_int_equal(count_of(svg, "<title>&lt;/s&gt; &lt;- ghar: 0.004</title></rect>"), 1);
    free(svg);
}

/* A cell has the color of its weight, in every theme and scale. */
TEST(matrix_plot_cells_are_colored_by_their_weight)
{
    for (int dark = 0; dark < 2; dark++)
        for (const char *const *name = attend_scale_names(); *name; name++) {
            struct display_list list =
                draw_one(small, (struct attend_style){.dark = dark, .scale = *name});
            const struct theme theme = theme_of(dark, *name);
            const struct color want = theme_weight(&theme, (double)0.97f);
            const struct color got = find_tooltip(&list, "home <- ghar")->rect.fill;
            assert_memory_equal(&got, &want, sizeof got);
            assert_memory_equal(&list.shape[0].rect.fill, &theme.paper, sizeof got);
            display_list_release(&list);
        }
}

/* ---- Values ---------------------------------------------------------------------------------- */

static int count_values(const struct display_list *list)
{
    int found = 0;
    for (size_t i = 0; i < list->count; i++)
        found += list->shape[i].kind == DISPLAY_TEXT && list->shape[i].text.tooltip;
    return found;
}

TEST(matrix_plot_small_matrix_prints_values_that_do_not_read_zero)
{
    char *svg = svg_of_one(small, plain);
    assert_int_equal(count_of(svg, "</title>0.97</text>"), 1);
    assert_int_equal(count_of(svg, ">0.00</text>"), 0);
    assert_int_equal(count_of(svg, "</title>0."), 23);
    free(svg);
}

TEST(matrix_plot_values_come_unasked_up_to_twelve_words)
{
    static const struct {
        int n;
        enum attend_values values;
        int want;
    } cases[] = {{12, ATTEND_VALUES_AUTO, 12},
                 {13, ATTEND_VALUES_AUTO, 0},
                 {12, ATTEND_VALUES_NEVER, 0},
                 {13, ATTEND_VALUES_ALWAYS, 13 * 13},
                 {80, ATTEND_VALUES_ALWAYS, 80 * 80}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct display_list list = draw_square(cases[i].n, "x", cases[i].values);
        assert_int_equal(count_values(&list), cases[i].want);
        display_list_release(&list);
    }
}

TEST(matrix_plot_panels_show_values_all_or_none)
{
    struct square large, little;
    const struct attend_matrix both[] = {square(&little, 5, "x"), square(&large, 13, "x")};
    const struct attend_style style = {.values = ATTEND_VALUES_AUTO};
    struct display_list list;
    figure_draw(&list, both, 2, &style);
    assert_int_equal(count_values(&list), 0);
    display_list_release(&list);
}

/* Numbers fit their cells and stay large enough to read. */
static void assert_values_fit(const struct display_list *list, double cell)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct display_text *text = &list->shape[i].text;
        if (list->shape[i].kind != DISPLAY_TEXT || !text->tooltip)
            continue;
        assert_true(text->size >= 6);
        assert_true(label_em(text->text) * text->size <= cell);
    }
}

TEST(matrix_plot_values_adapt_to_their_cells)
{
    static const float wide[] = {-123.45f, 0.5f, 1234.f, 1.f};
    const struct attend_matrix odd = {NULL, source, target, 2, 2, wide, NULL};
    struct display_list list = draw_one(odd, (struct attend_style){.values = ATTEND_VALUES_ALWAYS});
    assert_values_fit(&list, find_tooltip(&list, "I <- mai")->rect.width);
    display_list_release(&list);
    list = draw_square(80, "x", ATTEND_VALUES_ALWAYS);
    assert_true(find_text(&list, "1.0")->size >= 8);
    assert_values_fit(&list, find_tooltip(&list, "x <- x")->rect.width);
    display_list_release(&list);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

TEST(matrix_plot_texts_stay_inside_the_picture)
{
    static const struct {
        int n;
        const char *label;
    } cases[] = {{1, "x"},
                 {1, "Donaudampfschifffahrt"},
                 {5, "ok"},
                 {6, "बहुत-लंबा-शब्द"},
                 {6, "والمستشفيات-الكبيرة"},
                 {30, "Donaudampfschifffahrt"},
                 {30, "والمستشفيات"},
                 {80, "Donaudampfschifffahrt"},
                 {80, "والمستشفيات"},
                 {80, "x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct display_list list = draw_square(cases[i].n, cases[i].label, ATTEND_VALUES_AUTO);
        assert_texts_inside(&list);
        display_list_release(&list);
    }
}

TEST(matrix_plot_long_title_widens_the_picture)
{
    struct display_list list = draw_one(
        small, (struct attend_style){.title = "a title that is much longer than six small columns "
                                              "of cells are wide, and so on, and on"});
    assert_texts_inside(&list);
    display_list_release(&list);
}

TEST(matrix_plot_column_labels_turn_when_long_or_many)
{
    struct display_list list = draw_square(5, "ok", ATTEND_VALUES_AUTO);
    assert_near(find_text(&list, "ok")->turn, 0, 0);
    display_list_release(&list);
    list = draw_square(5, "internationally", ATTEND_VALUES_AUTO);
    assert_near(find_text(&list, "internationally")->turn, 45, 0);
    display_list_release(&list);
    list = draw_square(80, "the", ATTEND_VALUES_AUTO);
    assert_near(find_text(&list, "the")->turn, 90, 0);
    assert_true(find_text(&list, "the")->size >= 9);
    assert_true(find_tooltip(&list, "the <- the")->rect.width >= 12);
    display_list_release(&list);
}

/* Labels of adjacent columns have room: their lines are a font size apart. */
TEST(matrix_plot_column_labels_do_not_touch)
{
    for (int n = 2; n <= SQUARE_MOST; n += 3) {
        struct display_list list = draw_square(n, "Donau", ATTEND_VALUES_ALWAYS);
        const struct display_text *label = find_text(&list, "Donau");
        const double cell = find_tooltip(&list, "Donau")->rect.width;
        const double apart = label->turn > 0 ? cell * sin(label->turn * acos(-1) / 180) : cell;
        assert_true(apart >= label->size);
        assert_true(label->turn > 0 || label_em("Donau") * label->size < cell);
        display_list_release(&list);
    }
}

/* ---- From right to left ---------------------------------------------------------------------- */

static double middle_of(const struct display_list *list, const char *tip)
{
    const struct display_rect *cell = &find_tooltip(list, tip)->rect;
    return cell->x + cell->width / 2;
}

TEST(matrix_plot_columns_run_from_the_left)
{
    struct display_list list = draw_one(small, plain);
    assert_true(middle_of(&list, "I <- mai") < middle_of(&list, "I <- ghar"));
    assert_near(find_text(&list, "mai")->x, middle_of(&list, "I <- mai"), 0);
    assert_true(text_right(find_text(&list, "going")) < middle_of(&list, "going <- mai"));
    display_list_release(&list);
}

TEST(matrix_plot_of_a_source_from_right_to_left_is_mirrored)
{
    struct display_list list = draw_one(sentence(3), plain);
    const double first = middle_of(&list, "went <- \u2068ذهبت\u2069");
    const double second = middle_of(&list, "went <- \u2068إلى\u2069");
    const double last = middle_of(&list, "went <- </s>");
    assert_true(first > second && second > last);
    /* Labels lean to the left and end at their columns; row labels are on the right. */
    const struct display_text *label = find_text(&list, "ذهبت");
    assert_near(label->turn, -45, 0);
    assert_int_equal(label->anchor, ANCHOR_END);
    assert_near(label->x, first, 0.02);
    assert_true(text_left(find_text(&list, "hospital")) > first);
    assert_texts_inside(&list);
    display_list_release(&list);
}

TEST(matrix_plot_of_a_target_from_right_to_left_alone_is_not_mirrored)
{
    const struct attend_matrix matrix = {NULL, source, sentence_target[4], 6, 5, weight, NULL};
    struct display_list list = draw_one(matrix, plain);
    assert_true(middle_of(&list, "\u2068הספר\u2069 <- mai") <
                middle_of(&list, "\u2068הספר\u2069 <- ghar"));
    assert_true(text_right(find_text(&list, "הספר")) < middle_of(&list, "\u2068הספר\u2069 <- mai"));
    display_list_release(&list);
}

/* ---- Odd input ------------------------------------------------------------------------------- */

TEST(matrix_plot_any_bytes_in_labels_give_a_well_formed_document)
{
    static const char *const odd[] = {"<&>\"'", "\x01\033[0m\n", "\xff\xc3", "", "]]>", "<!--"};
    struct attend_matrix matrix = small;
    matrix.source = matrix.target = odd;
    matrix.title = "\xe0<\"\x02";
    char *svg = svg_of_one(matrix, (struct attend_style){.title = "\xff"});
    assert_well_formed(svg);
    assert_int_equal(count_of(svg, "</title></rect>"), 5 * 6);
    free(svg);
}

TEST(matrix_plot_strange_weights_are_drawn)
{
    static const float strange[] = {0, 1, NAN, INFINITY, -INFINITY, -1e30f};
    const struct attend_matrix matrix = {NULL, source, target, 6, 1, strange, NULL};
    char *svg = svg_of_one(matrix, (struct attend_style){.values = ATTEND_VALUES_ALWAYS});
    assert_well_formed(svg);
    assert_int_equal(count_of(svg, "I &lt;- ja: -</title></rect>"), 1);
    assert_int_equal(count_of(svg, "</title>-</text>"), 0);
    assert_int_equal(count_of(svg, "I &lt;- ghar: 1.000</title></rect>"), 1);
    free(svg);
}

TEST(matrix_plot_same_matrix_gives_same_bytes)
{
    char *one = svg_of_one(small, plain), *two = svg_of_one(small, plain);
    assert_string_equal(one, two);
    free(one);
    free(two);
}
