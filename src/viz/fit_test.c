#include "base/strbuf.h"
#include "base/utf8.h"
#include "test.h"
#include "viz/curves.h"
#include "viz/figure.h"
#include "viz/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_fits(const char *text, int columns, const char *want)
{
    struct strbuf out = {0};
    fit_add(&out, text, columns);
    assert_string_equal(out.text ? out.text : "", want);
    strbuf_release(&out);
}

TEST(fit_cuts_between_clusters_and_counts_columns)
{
    assert_fits("word", 4, "word");
    assert_fits("words", 4, "wor\u2026");
    assert_fits("words", 1, "\u2026");
    assert_fits("words", 0, "");
    assert_fits("", 0, "");
    assert_fits("cafe\u0301s", 4, "caf\u2026");
    assert_fits("cafe\u0301s!", 5, "cafe\u0301\u2026");
    assert_fits("\u65e5\u672c\u8a9e", 6, "\u65e5\u672c\u8a9e");
    assert_fits("\u65e5\u672c\u8a9e", 5, "\u65e5\u672c\u2026");
    assert_fits("\u65e5\u672c\u8a9e", 4, "\u65e5\u2026"); /* a column stays free */
    assert_fits("\u0915\u0940\u0924\u093e\u092c", 4, "\u0915\u0940\u2026");
    assert_fits("\u0643\u062a\u0627\u0628", 3, "\u0643\u062a\u2026");
    assert_fits("\U0001f468\u200d\U0001f469\u200d\U0001f467xx", 3,
                "\U0001f468\u200d\U0001f469\u200d\U0001f467\u2026");
}

static void assert_wraps(const char *text, int width, const char *want)
{
    struct strbuf out = {0};
    fit_wrap(&out, text, width);
    assert_string_equal(out.text ? out.text : "", want);
    strbuf_release(&out);
}

TEST(fit_wraps_long_lines_at_blanks)
{
    assert_wraps("one two three\n", 0, "one two three\n");
    assert_wraps("one two three\n", 13, "one two three\n");
    assert_wraps("one two three\n", 8, "one two\n  three\n");
    assert_wraps("  one  two three\nfour", 8, "  one\n    two\n    thre\n    e\nfour");
    assert_wraps("abcdefgh", 4, "abcd\n  ef\n  gh");
    assert_wraps("a:1|b:2|c:3", 8, "a:1|b:2|\n  c:3");
    assert_wraps("\u65e5\u672c\u8a9e", 4, "\u65e5\u672c\n  \u8a9e");
    assert_wraps("\u65e5", 1, "\u65e5"); /* a cluster wider than the line stays whole */
    assert_wraps("", 5, "");
    assert_wraps("\n\n", 5, "\n\n");
}

TEST(fit_blocks_hold_at_least_one_column)
{
    const int widths[] = {10, 10, 10, 10};
    assert_int_equal(fit_block(widths, 0, 4, 5, 0), 4);
    assert_int_equal(fit_block(widths, 0, 4, 5, 35), 3);
    assert_int_equal(fit_block(widths, 3, 4, 5, 35), 4);
    assert_int_equal(fit_block(widths, 1, 4, 5, 8), 2);
    assert_int_equal(fit_block(widths, 4, 4, 5, 8), 4);
}

/* ---- Pictures ---- */

/* The columns of the widest line, without color sequences. */
static int widest(const char *text)
{
    struct strbuf line = {0};
    int most = 0;
    for (;; text++) {
        if (*text == '\033') {
            text = strchr(text, 'm');
        } else if (*text && *text != '\n') {
            strbuf_addc(&line, *text);
        } else {
            const int columns = line.text ? utf8_columns(line.text) : 0;
            most = columns > most ? columns : most;
            strbuf_clear(&line);
            if (!*text)
                break;
        }
    }
    strbuf_release(&line);
    return most;
}

static const char *const vocabulary[] = {
    "ghar",
    "\u092c\u093e\u091c\u093c\u093e\u0930",
    "\u0627\u0644\u0633\u0648\u0642",
    "\u5e02\u5834",
    "incomprehensibilities",
    "</s>",
    "",
    "Donaudampfschifffahrtsgesellschaft",
    "\u0648\u0627\u0634\u062a\u0631\u064a\u062a",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
};
enum { VOCABULARY = sizeof vocabulary / sizeof *vocabulary, LONGEST = 60 };

/* A matrix of `size` words on each side; `first` selects them. */
static struct attend_matrix matrix_of(int size, int first)
{
    static const char *words[2 * LONGEST];
    static float weight[LONGEST * LONGEST];
    for (int i = 0; i < 2 * LONGEST; i++)
        words[i] = vocabulary[(i * 7 + first) % VOCABULARY];
    for (int i = 0; i < size * size; i++)
        weight[i] = (float)(i * 37 % 101) / 100;
    return (struct attend_matrix){.source = words,
                                  .target = words + LONGEST,
                                  .source_count = size,
                                  .target_count = size,
                                  .weight = weight};
}

static void assert_figure_fits(const struct attend_matrix *matrix, const struct attend_style *style)
{
    for (int color = 0; color < 2; color++) {
        struct strbuf out = {0};
        figure_term(&out, matrix, 1, style, color ? TERM_TRUECOLOR : TERM_BLOCKS);
        assert_false(out.failed);
        if (widest(out.text) > style->width)
            print_message("view %d, width %d, %d words:\n%s\n", (int)style->view, style->width,
                          matrix->source_count, out.text);
        assert_true(widest(out.text) <= style->width);
        strbuf_release(&out);
    }
}

TEST(fit_pictures_of_matrices_keep_to_the_width)
{
    static const int widths[] = {40, 60, 80, 200}, sizes[] = {0, 1, 5, 12, 30, LONGEST};
    for (int view = 0; view < 3; view++)
        for (int values = 0; values < 3; values++)
            for (int w = 0; w < 4; w++)
                for (int s = 0; s < 6; s++) {
                    const struct attend_matrix matrix = matrix_of(sizes[s], s + w);
                    const struct attend_style style = {.view = (enum attend_view)view,
                                                       .values = (enum attend_values)values,
                                                       .width = widths[w]};
                    assert_figure_fits(&matrix, &style);
                }
}

/* The columns continue below, every word has a column, and the blocks have all rows. */
TEST(fit_a_wide_heatmap_goes_on_in_blocks)
{
    enum { WORDS = 30 };
    const char *words[WORDS];
    static float weight[WORDS * WORDS];
    struct strbuf out = {0};
    int rows = 0;
    for (int i = 0; i < WORDS; i++) {
        words[i] = "row";
        weight[i * WORDS + i] = 1;
    }
    const struct attend_matrix matrix = {.source = words,
                                         .target = words,
                                         .source_count = WORDS,
                                         .target_count = WORDS,
                                         .weight = weight};
    figure_term(&out, &matrix, 1, &(struct attend_style){.width = 40}, TERM_BLOCKS);
    for (const char *at = out.text; (at = strstr(at, "\u2588")); at++)
        rows++;
    assert_int_equal(rows, WORDS);
    rows = 0;
    for (const char *at = out.text; (at = strstr(at, "row ")); at++)
        rows += at == out.text || at[-1] == '\n';
    assert_int_equal(rows, 2 * WORDS);
    assert_non_null(strstr(out.text, "30 row"));
    strbuf_release(&out);
}

TEST(fit_curves_keep_to_the_width)
{
    static const double x[] = {0, 10000, 20000, 123456}, y[] = {1, 3, 2, 4};
    const struct curve curve[] = {
        {"a run with a name that is longer than a narrow terminal is wide", x, y, 4, .series = 0},
        {"\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\u65e5\u672c"
         "\u8a9e\u65e5\u672c\u8a9e",
         x, y, 4, .series = 1}};
    const struct curves_panel panel = {
        .y_label = "loss", .curve = curve, .count = 2, .y_min = 0, .y_max = 4, .height = 1};
    for (int width = 30; width < 220; width += 10) {
        struct strbuf out = {0};
        curves_term(&out, &(struct curves_plot){.title = "title",
                                                .x_label = "updates",
                                                .panel = &panel,
                                                .panels = 1,
                                                .width = width});
        assert_false(out.failed);
        assert_true(widest(out.text) <= width);
        assert_true(widest(out.text) >= (width < 130 ? width - 10 : 120));
        strbuf_release(&out);
    }
}
