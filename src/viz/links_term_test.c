#include "picture_fixture.h"

static char *draw(struct attend_matrix matrix, enum term_palette palette)
{
    struct strbuf out = {0};
    figure_term(&out, &matrix, 1, &(struct attend_style){.view = ATTEND_VIEW_LINKS}, palette);
    assert_false(out.failed);
    return strbuf_detach(&out);
}

TEST(links_term_lists_the_strongest_links_first)
{
    char *text = draw(sentence(0), TERM_BLOCKS);
    assert_string_equal(text, "      The \u2190 Der █.91\n"
                              "committee \u2190 Bericht ▓.57  den ▒.31  Der ░.08\n"
                              "  adopted \u2190 hat ▓.55  den ▒.40\n"
                              "      the \u2190 Ausschuss █.97\n"
                              "   report \u2190 Der ░.20  Ausschuss ░.20  hat ░.20  den ░.20"
                              "  Bericht ░.20\n"
                              "     </s> \u2190 </s> █.93  Bericht ░.06\n"
                              "\n(weights under 0.05 left out)\n");
    free(text);
}

TEST(links_term_colors_end_with_each_word)
{
    char *text = draw(sentence(0), TERM_TRUECOLOR);
    assert_int_equal(count_of(text, "\033[48;2;"), 14 + 21);
    assert_int_equal(count_of(text, "\033[0m"), 14 + 1);
    assert_non_null(strstr(text, "m Ausschuss .97 \033[0m\n"));
    free(text);
}

/* Continued under the first link, without trailing blanks. */
TEST(links_term_long_lines_wrap)
{
    static struct square s;
    struct attend_matrix matrix = square(&s, 20, "internationally");
    matrix.target_count = 1;
    for (int i = 0; i < 20; i++)
        s.weight[i] = 0.05f;
    char *text = draw(matrix, TERM_BLOCKS), *rest = text;
    int words = 0;
    for (char *line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n")) {
        assert_true(utf8_width(line) <= 100);
        assert_int_equal(strspn(line, " "), words ? 15 + 3 : 0);
        assert_true(line[strlen(line) - 1] == '5');
        words += count_of(line, "internationally \u2591.05");
    }
    assert_int_equal(words, 20);
    free(text);
}

TEST(links_term_isolates_words_from_right_to_left)
{
    char *text = draw(sentence(3), TERM_BLOCKS);
    assert_non_null(strstr(text, "       I \u2190 \u2068ذهبت\u2069 █.91\n"));
    free(text);
}

TEST(links_term_strange_matrices_are_drawn)
{
    static const float strange[] = {NAN, INFINITY, -1};
    const struct attend_matrix matrix = {
        NULL, sentence_source[0], sentence_target[0], 3, 1, strange, NULL};
    char *text = draw(matrix, TERM_BLOCKS);
    assert_int_equal(strncmp(text, "The \u2190 Ausschuss █1.0\n", 22), 0);
    free(text);
    text =
        draw((struct attend_matrix){NULL, NULL, sentence_target[0], 0, 1, NULL, NULL}, TERM_BLOCKS);
    assert_int_equal(strncmp(text, "The \u2190\n", 8), 0);
    free(text);
}
