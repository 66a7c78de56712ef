#include "test.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/display_list.h"
#include "viz/label.h"
#include "viz/matrix_plot.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *const source[] = {"mai", "ghar", "ja", "raha", "hoon", "</s>"};
static const char *const target[] = {"I", "am", "going", "home", "</s>"};
static const float weight[5 * 6] = {
    0.91f, 0.02f,  0.01f, 0.02f, 0.04f, 0.f,    /* I */
    0.08f, 0.01f,  0.02f, 0.31f, 0.57f, 0.01f,  /* am */
    0.01f, 0.03f,  0.55f, 0.40f, 0.01f, 0.f,    /* going */
    0.01f, 0.97f,  0.01f, 0.f,   0.01f, 0.f,    /* home */
    0.f,   0.004f, 0.f,   0.01f, 0.06f, 0.926f, /* </s> */
};
static const struct matrix_plot small = {"mai ghar <b>", source, target, weight, 6, 5};

static char *draw(const struct matrix_plot *plot)
{
    struct strbuf out = {0};
    matrix_plot_svg(&out, plot);
    assert_false(out.failed);
    assert_true(utf8_valid(out.text, out.length, NULL));
    return strbuf_detach(&out);
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found++;
    return found;
}

/* ---- A small reader of XML: tags balance, quotes close, every & begins an entity ------------- */

/* After the tag at `at`; name gets its name. */
static const char *read_tag(const char *at, char name[16], bool *closed)
{
    int n = 0;
    while (isalpha((unsigned char)at[n]) && n < 15) {
        name[n] = at[n];
        n++;
    }
    name[n] = '\0';
    assert_true(n > 0);
    for (at += n; *at != '>'; at++) {
        assert_true(*at && *at != '<');
        if (*at != '"')
            continue;
        at = strpbrk(at + 1, "\"<");
        assert_non_null(at);
        assert_int_equal(*at, '"');
    }
    *closed = at[-1] == '/';
    return at + 1;
}

static void assert_entity(const char *at)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return;
    fail_msg("no entity: %.10s", at);
}

static void assert_well_formed(const char *xml)
{
    char open[8][16];
    int depth = 0;
    static const char start[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    assert_int_equal(strncmp(xml, start, strlen(start)), 0);
    for (const char *at = xml + strlen(start); *at;) {
        char name[16];
        bool closed;
        assert_true(*at == '\n' || (unsigned char)*at >= 0x20);
        if (*at == '&')
            assert_entity(at);
        if (*at != '<') {
            at++;
        } else if (at[1] == '/') {
            at = read_tag(at + 2, name, &closed);
            assert_true(depth > 0);
            assert_string_equal(name, open[--depth]);
        } else {
            assert_true(depth < 8);
            at = read_tag(at + 1, open[depth], &closed);
            depth += !closed;
        }
    }
    assert_int_equal(depth, 0);
}

/* ---- What is drawn --------------------------------------------------------------------------- */

TEST(matrix_plot_svg_is_well_formed_with_a_cell_for_each_weight)
{
    char *svg = draw(&small);
    assert_well_formed(svg);
    assert_int_equal(count(svg, "</title></rect>"), 5 * 6);
    assert_int_equal(count(svg, "</svg>"), 1);
    free(svg);
}

TEST(matrix_plot_svg_shows_title_labels_and_legend)
{
    char *svg = draw(&small);
    assert_int_equal(count(svg, ">mai ghar &lt;b&gt;</text>"), 1);
    assert_int_equal(count(svg, ">raha</text>"), 1);
    assert_int_equal(count(svg, ">going</text>"), 1);
    assert_int_equal(count(svg, ">&lt;/s&gt;</text>"), 2);
    assert_int_equal(count(svg, ">weight</text>"), 1);
    free(svg);
}

TEST(matrix_plot_tooltip_names_both_tokens_and_the_weight)
{
    char *svg = draw(&small);
    assert_int_equal(count(svg, "<title>home &lt;- ghar: 0.970</title></rect>"), 1);
    assert_int_equal(count(svg, "<title>&lt;/s&gt; &lt;- ghar: 0.004</title></rect>"), 1);
    free(svg);
}

TEST(matrix_plot_small_matrix_prints_values_that_do_not_read_zero)
{
    char *svg = draw(&small);
    assert_int_equal(count(svg, "</title>0.97</text>"), 1);
    assert_int_equal(count(svg, ">0.00</text>"), 0);
    assert_int_equal(count(svg, "</title>0."), 23);
    free(svg);
}

/* n x n with the weight on the diagonal; every label is `label`. */
static void square(struct display_list *list, int n, const char *label)
{
    const char *labels[80];
    static float diagonal[80 * 80];
    memset(diagonal, 0, sizeof diagonal);
    for (int i = 0; i < n; i++) {
        labels[i] = label;
        diagonal[i * n + i] = 1;
    }
    matrix_plot_draw(list, &(struct matrix_plot){NULL, labels, labels, diagonal, n, n});
    assert_false(list->failed);
}

static int count_tooltip_texts(const struct display_list *list)
{
    int found = 0;
    for (size_t i = 0; i < list->count; i++)
        found += list->shape[i].kind == DISPLAY_TEXT && list->shape[i].text.tooltip;
    return found;
}

TEST(matrix_plot_values_stop_beyond_twelve)
{
    struct display_list list;
    square(&list, 12, "x");
    assert_int_equal(count_tooltip_texts(&list), 12);
    display_list_release(&list);
    square(&list, 13, "x");
    assert_int_equal(count_tooltip_texts(&list), 0);
    display_list_release(&list);
}

/* The box around a text as label_em() and the font size measure it. */
static void assert_text_inside(const struct display_list *list, const struct display_text *text)
{
    const double length = label_em(text->text) * text->size;
    const double from = text->anchor == ANCHOR_START ? 0 : text->anchor == ANCHOR_END ? -1 : -0.5;
    const double turn = text->turn * acos(-1) / 180;
    for (int corner = 0; corner < 4; corner++) {
        const double along = (from + corner % 2) * length, up = (corner / 2) * 0.8 * text->size;
        const double x = text->x + along * cos(turn) - up * sin(turn);
        const double y = text->y - along * sin(turn) - up * cos(turn);
        assert_true(x >= 0 && x <= list->width);
        assert_true(y >= 0 && y <= list->height);
    }
}

TEST(matrix_plot_texts_stay_inside_the_picture)
{
    static const struct {
        int n;
        const char *label;
    } cases[] = {{1, "x"},           {1, "Donaudampfschifffahrt"},  {5, "ok"},
                 {6, "बहुत-लंबा-शब्द"}, {30, "Donaudampfschifffahrt"}, {80, "Donaudampfschifffahrt"},
                 {80, "x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct display_list list;
        square(&list, cases[i].n, cases[i].label);
        for (size_t k = 0; k < list.count; k++)
            if (list.shape[k].kind == DISPLAY_TEXT)
                assert_text_inside(&list, &list.shape[k].text);
        display_list_release(&list);
    }
}

TEST(matrix_plot_long_title_widens_the_picture)
{
    struct matrix_plot plot = small;
    plot.title = "a title that is much longer than six small columns of cells are wide, and so on";
    struct display_list list;
    matrix_plot_draw(&list, &plot);
    for (size_t k = 0; k < list.count; k++)
        if (list.shape[k].kind == DISPLAY_TEXT)
            assert_text_inside(&list, &list.shape[k].text);
    display_list_release(&list);
}

static const struct display_text *find_text(const struct display_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->shape[i].kind == DISPLAY_TEXT && !strcmp(list->shape[i].text.text, text))
            return &list->shape[i].text;
    fail_msg("no text %s", text);
    return NULL;
}

TEST(matrix_plot_column_labels_turn_when_long_or_many)
{
    struct display_list list;
    square(&list, 5, "ok");
    assert_near(find_text(&list, "ok")->turn, 0, 0);
    display_list_release(&list);
    square(&list, 5, "internationally");
    assert_near(find_text(&list, "internationally")->turn, 45, 0);
    display_list_release(&list);
    square(&list, 80, "the");
    assert_near(find_text(&list, "the")->turn, 90, 0);
    assert_true(find_text(&list, "the")->size >= 9);
    display_list_release(&list);
}

TEST(matrix_plot_any_bytes_in_labels_give_a_well_formed_document)
{
    static const char *const odd[] = {"<&>\"'", "\x01\033[0m\n", "\xff\xc3", "", "]]>", "<!--"};
    struct matrix_plot plot = small;
    plot.source = plot.target = odd;
    plot.title = "\xe0<\"\x02";
    char *svg = draw(&plot);
    assert_well_formed(svg);
    assert_int_equal(count(svg, "</title></rect>"), 5 * 6);
    free(svg);
}

TEST(matrix_plot_strange_weights_are_drawn)
{
    static const float strange[] = {0, 1, NAN, INFINITY, -INFINITY, -1e30f};
    char *svg = draw(&(struct matrix_plot){NULL, source, target, strange, 6, 1});
    assert_well_formed(svg);
    assert_int_equal(count(svg, "I &lt;- ja: nan</title></rect>"), 1);
    assert_int_equal(count(svg, "I &lt;- ghar: 1.000</title></rect>"), 1);
    free(svg);
}

TEST(matrix_plot_empty_matrix_is_a_valid_document)
{
    const struct matrix_plot plots[] = {
        {"none", NULL, NULL, NULL, 0, 0},
        {NULL, source, NULL, NULL, 6, 0},
        {NULL, NULL, target, NULL, 0, 5},
    };
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        char *svg = draw(&plots[i]);
        assert_well_formed(svg);
        assert_int_equal(count(svg, "</title></rect>"), 0);
        assert_int_equal(count(svg, "</svg>"), 1);
        free(svg);
    }
}

TEST(matrix_plot_same_matrix_gives_same_bytes)
{
    char *one = draw(&small), *two = draw(&small);
    assert_string_equal(one, two);
    free(one);
    free(two);
}

TEST(matrix_plot_failed_buffer_stays_failed)
{
    struct strbuf out = {.failed = true};
    matrix_plot_svg(&out, &small);
    assert_true(out.failed);
    assert_null(out.text);
}
