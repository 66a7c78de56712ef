#include "test.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const source[] = {"mai", "ghar", "ja"};
static const char *const target[] = {"I", "going", "home"};
static const float weight[] = {0.91f, 0.09f, 0, 0.f, 0.3f, 0.7f, 0, 1, 0};
static const struct attend_matrix small = {NULL, source, target, 3, 3, weight, NULL};

static char *draw_as(const struct attend_matrix *matrix, enum term_palette palette,
                     struct attend_style style)
{
    struct strbuf out = {0};
    figure_term(&out, matrix, 1, &style, palette);
    assert_false(out.failed);
    return strbuf_detach(&out);
}

static char *draw(const struct attend_matrix *matrix, enum term_palette palette)
{
    return draw_as(matrix, palette, (struct attend_style){0});
}

/* Split off the next line; NULL after the last. */
static char *next_line(char **rest)
{
    char *line = *rest, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    *rest = end + 1;
    return line;
}

TEST(matrix_term_blocks_is_readable_text)
{
    char *text = draw(&small, TERM_BLOCKS);
    assert_string_equal(text, "        mai    ghar    ja  \n"
                              "    I  ███.91 ░░░.09      0\n"
                              "going       0 ▒▒▒.30 ▓▓▓.70\n"
                              " home       0 ███1.0      0\n");
    free(text);
}

/* Checks header and rows: the lines before the blank one, without a title. */
static void assert_aligned(const struct attend_matrix *plot, int want_lines)
{
    char *text = draw(plot, TERM_BLOCKS), *rest = text, *line = next_line(&rest);
    const int width = utf8_width(line);
    int lines = 0;
    for (; line && *line; line = next_line(&rest), lines++)
        assert_int_equal(utf8_width(line), width);
    assert_int_equal(lines, want_lines);
    free(text);
}

TEST(matrix_term_blocks_lines_have_one_width_in_every_script)
{
    static const char *const scripts[] = {
        "मैं",      "घर",    "家家家", "بيت", "👩‍👩‍👧", "e\u0301te\u0301",
        "한국어", "x\xff", "\033[1m"};
    static const float zero[81];
    for (int S = 1; S <= 9; S++)
        assert_aligned(&(struct attend_matrix){NULL, scripts, scripts, S, 9, zero, NULL}, 10);
}

TEST(matrix_term_blocks_lines_have_one_width_when_columns_are_numbered)
{
    const char *labels[120];
    static float zero[120 * 2];
    zero[3] = NAN;
    zero[7] = INFINITY;
    for (int i = 0; i < 120; i++)
        labels[i] = "internationally";
    assert_aligned(&(struct attend_matrix){NULL, labels, labels, 2, 2, zero, NULL}, 3);
    assert_aligned(&(struct attend_matrix){NULL, labels, labels, 120, 2, zero, NULL}, 3);
}

TEST(matrix_term_wide_labels_are_numbered_and_listed_in_full)
{
    static const char *const wide[] = {"mai", "internationalisation", "家"};
    struct attend_matrix plot = small;
    plot.source = wide;
    char *text = draw(&plot, TERM_BLOCKS);
    assert_string_equal(text, "         1      2      3   \n"
                              "    I  ███.91 ░░░.09      0\n"
                              "going       0 ▒▒▒.30 ▓▓▓.70\n"
                              " home       0 ███1.0      0\n"
                              "\n"
                              "1 mai                   2 internationalisation  3 家\n");
    free(text);
}

TEST(matrix_term_title_stands_above)
{
    char *text = draw_as(&small, TERM_BLOCKS, (struct attend_style){.title = "one\033 line\n"});
    assert_int_equal(strncmp(text, "one line\n\n  ", 12), 0);
    free(text);
}

TEST(matrix_term_truecolor_lines_end_without_color)
{
    char *text = draw(&small, TERM_TRUECOLOR), *rest = text, *line;
    int colored = 0;
    while ((line = next_line(&rest))) {
        const char *last = NULL;
        for (const char *at = line; (at = strchr(at, '\033')); at++)
            last = at;
        if (last)
            assert_int_equal(strncmp(last, "\033[0m", 4), 0);
        colored += last != NULL;
    }
    assert_int_equal(colored, 3 + 1);
    free(text);
}

TEST(matrix_term_truecolor_cells_hold_contrasting_percent)
{
    char *text = draw(&small, TERM_TRUECOLOR);
    assert_non_null(strstr(text, "\033[48;2;21;24;70m\033[38;2;255;255;255m  100 "));
    assert_non_null(strstr(text, "\033[38;2;17;17;17m   9  "));
    assert_non_null(strstr(text, "\033[48;2;255;255;255m      "));
    free(text);
}

/* 80 cells of two columns fit a wide terminal; digits are stacked. */
TEST(matrix_term_truecolor_many_columns_get_narrow)
{
    const char *labels[80];
    static float zero[80];
    for (int i = 0; i < 80; i++)
        labels[i] = "word";
    char *text =
        draw(&(struct attend_matrix){NULL, labels, labels, 80, 1, zero, NULL}, TERM_TRUECOLOR);
    char *rest = text;
    const char *tens = next_line(&rest), *ones = next_line(&rest);
    assert_int_equal(utf8_width(tens), 5 + 2 * 80);
    assert_int_equal(strncmp(tens, "                        1 1 1", 28), 0);
    assert_int_equal(strncmp(ones, "      1 2 3 4 5 6 7 8 9 0 1 2", 28), 0);
    assert_non_null(strstr(rest, "80 word\n"));
    free(text);
}

TEST(matrix_term_labels_cannot_send_escape_sequences)
{
    static const char *const evil[] = {"\033[2J", "\302\2332J", "\a"};
    struct attend_matrix plot = small;
    plot.source = plot.target = evil;
    char *text = draw(&plot, TERM_BLOCKS);
    assert_null(strpbrk(text, "\033\a"));
    assert_null(strstr(text, "\xc2\x9b"));
    free(text);
}

TEST(matrix_term_empty_matrix_draws_what_there_is)
{
    const struct attend_matrix plots[] = {
        {NULL, NULL, NULL, 0, 0, NULL, NULL},
        {NULL, source, NULL, 3, 0, NULL, NULL},
        {NULL, NULL, target, 0, 3, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        char *blocks = draw(&plots[i], TERM_BLOCKS), *colors = draw(&plots[i], TERM_TRUECOLOR);
        assert_true(!plots[i].target_count == !strstr(blocks, "going"));
        assert_true(!plots[i].source_count == !strstr(blocks, "ghar"));
        assert_non_null(strstr(colors, "weight 0 "));
        free(blocks);
        free(colors);
    }
}

TEST(matrix_term_strange_weights_are_drawn)
{
    static const float strange[] = {NAN, INFINITY, -1};
    const struct attend_matrix plot = {NULL, source, target, 3, 1, strange, NULL};
    char *blocks = draw(&plot, TERM_BLOCKS), *colors = draw(&plot, TERM_TRUECOLOR);
    assert_non_null(strstr(blocks, "     - ███1.0      0\n"));
    assert_non_null(strstr(colors, "\033[48;2;180;180;180m      \033["));
    free(blocks);
    free(colors);
}

TEST(matrix_term_values_can_be_left_out_or_insisted_on)
{
    char *text = draw_as(&small, TERM_BLOCKS, (struct attend_style){.values = ATTEND_VALUES_NEVER});
    assert_string_equal(text, "       mai  ghar  ja \n"
                              "    I  ████ ░░░░     \n"
                              "going       ▒▒▒▒ ▓▓▓▓\n"
                              " home       ████     \n");
    free(text);
    const char *labels[80];
    static float half[80];
    for (int i = 0; i < 80; i++) {
        labels[i] = "word";
        half[i] = 0.5f;
    }
    const struct attend_matrix wide = {NULL, labels, labels, 80, 1, half, NULL};
    text = draw_as(&wide, TERM_TRUECOLOR, (struct attend_style){.values = ATTEND_VALUES_ALWAYS});
    assert_non_null(strstr(text, "m 50 "));
    free(text);
    text = draw_as(&small, TERM_TRUECOLOR, (struct attend_style){.values = ATTEND_VALUES_NEVER});
    assert_null(strstr(text, "100"));
    free(text);
}

/* The first column is the rightmost, and row labels are on the right. */
TEST(matrix_term_of_a_source_from_right_to_left_is_mirrored)
{
    static const char *const arabic[] = {"بيت", "في", "</s>"};
    struct attend_matrix matrix = small;
    matrix.source = arabic;
    char *text = draw(&matrix, TERM_BLOCKS);
    assert_string_equal(text, "  </s>    \u2068في\u2069    \u2068بيت\u2069        \n"
                              "      0 ░░░.09 ███.91 I    \n"
                              " ▓▓▓.70 ▒▒▒.30      0 going\n"
                              "      0 ███1.0      0 home \n");
    free(text);
    text = draw(&matrix, TERM_TRUECOLOR);
    assert_non_null(strstr(text, "  91  \033[0m I"));
    free(text);
}

TEST(matrix_term_dark_begins_at_the_dark_paper)
{
    char *text = draw_as(&small, TERM_TRUECOLOR, (struct attend_style){.dark = true});
    assert_non_null(strstr(text, "weight 0 \033[48;2;22;24;28m "));
    free(text);
}

TEST(matrix_term_failed_buffer_stays_failed)
{
    struct strbuf out = {.failed = true};
    figure_term(&out, &small, 1, &(struct attend_style){0}, TERM_TRUECOLOR);
    assert_true(out.failed);
    assert_null(out.text);
}
