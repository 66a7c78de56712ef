#include "picture_fixture.h"

static char *draw(struct attend_matrix matrix, enum term_palette palette, enum attend_values values)
{
    struct strbuf out = {0};
    figure_term(&out, &matrix, 1,
                &(struct attend_style){.view = ATTEND_VIEW_SALIENCE, .values = values}, palette);
    assert_false(out.failed);
    return strbuf_detach(&out);
}

TEST(salience_term_shows_shades_and_sums_beneath)
{
    char *text = draw(sentence(0), TERM_BLOCKS, ATTEND_VALUES_AUTO);
    assert_string_equal(text, "Der   Ausschuss  hat   den   Bericht  </s>\n"
                              "███   █████████  ▓▓▓   ███   ▓▓▓▓▓▓▓  ████\n"
                              "1.21  1.23       0.79  0.94  0.89     0.94\n");
    free(text);
    text = draw(sentence(0), TERM_BLOCKS, ATTEND_VALUES_NEVER);
    assert_string_equal(text, "Der  Ausschuss  hat  den  Bericht  </s>\n"
                              "███  █████████  ▓▓▓  ███  ▓▓▓▓▓▓▓  ████\n");
    free(text);
}

TEST(salience_term_colors_end_with_each_word)
{
    char *text = draw(sentence(0), TERM_TRUECOLOR, ATTEND_VALUES_AUTO);
    assert_non_null(strstr(text, "\033[48;2;21;24;70m\033[38;2;255;255;255mAusschuss\033[0m"));
    assert_non_null(strstr(text, "\n1.21  1.23       0.79"));
    assert_non_null(strstr(text, "as a part of the largest 0 \033[48;2;255;255;255m "));
    assert_int_equal(count_of(text, "\033[0m"), 6 + 1);
    free(text);
}

TEST(salience_term_lines_wrap)
{
    static struct square s;
    char *text = draw(square(&s, 30, "internationally"), TERM_BLOCKS, ATTEND_VALUES_AUTO);
    char *rest = text;
    int lines = 0;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"), lines++)
        assert_true(utf8_width(line) <= 100);
    assert_int_equal(lines, 5 * 3 + 4 + 1); /* six words in each, and the rest in the last */
    free(text);
}

TEST(salience_term_runs_from_right_to_left)
{
    const struct attend_matrix matrix = {NULL,
                                         (const char *const[]){"بيت", "في", "المستشفى"},
                                         sentence_target[0],
                                         3,
                                         1,
                                         (const float[]){0.5f, 0.3f, 0.2f},
                                         NULL};
    char *text = draw(matrix, TERM_BLOCKS, ATTEND_VALUES_AUTO);
    assert_string_equal(text, "\u2068المستشفى\u2069    \u2068في\u2069   \u2068بيت\u2069\n"
                              "▒▒▒▒▒▒▒▒    ▓▓   ███\n"
                              "    0.20  0.30  0.50\n");
    free(text);
}

TEST(salience_term_without_words_is_empty)
{
    char *text = draw((struct attend_matrix){NULL, NULL, sentence_target[0], 0, 6, NULL, NULL},
                      TERM_BLOCKS, ATTEND_VALUES_AUTO);
    assert_string_equal(text, "");
    free(text);
}
