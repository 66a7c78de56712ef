#include "picture_fixture.h"

enum { VIEWS = 3 };

static char *draw(const struct attend_matrix *matrix, int count, struct attend_style style,
                  enum term_palette palette)
{
    struct strbuf out = {0};
    figure_term(&out, matrix, count, &style, palette);
    assert_false(out.failed);
    assert_true(!out.text || utf8_valid(out.text, out.length, NULL));
    return strbuf_detach(&out);
}

TEST(figure_term_panels_follow_each_other_with_their_titles)
{
    struct attend_matrix matrix[] = {sentence(0), sentence(1)};
    matrix[0].title = "first\n";
    matrix[1].title = "second";
    for (int view = 0; view < VIEWS; view++) {
        const struct attend_style style = {.title = "all", .view = (enum attend_view)view};
        char *text = draw(matrix, 2, style, TERM_BLOCKS);
        assert_int_equal(strncmp(text, "all\n\nfirst\n", 11), 0);
        assert_int_equal(count_of(text, "\n\nsecond\n"), 1);
        assert_null(strchr(text, '\033'));
        free(text);
        text = draw(matrix, 2, style, TERM_TRUECOLOR);
        assert_int_equal(count_of(text, " 0 \033[48;2;255;255;255m "), 1);
        free(text);
    }
}

TEST(figure_term_every_view_draws_every_script_in_both_palettes)
{
    for (int i = 0; i < SENTENCES; i++)
        for (int view = 0; view < VIEWS; view++)
            for (int palette = TERM_BLOCKS; palette <= TERM_TRUECOLOR; palette++) {
                const struct attend_matrix matrix = sentence(i);
                char *text = draw(&matrix, 1, (struct attend_style){.view = (enum attend_view)view},
                                  (enum term_palette)palette);
                for (int w = 0; w < SENTENCE_WORDS; w++)
                    assert_true(view == ATTEND_VIEW_LINKS || strstr(text, matrix.source[w]));
                free(text);
            }
}

TEST(figure_term_labels_cannot_send_escape_sequences)
{
    static const char *const evil[] = {"\033[2J", "\302\2332J", "\a"};
    static const float half[] = {0.5f, 0.5f, 0.5f};
    const struct attend_matrix matrix = {"\033[2J", evil, evil, 3, 1, half, NULL};
    for (int view = 0; view < VIEWS; view++) {
        char *text = draw(&matrix, 1,
                          (struct attend_style){.title = "\033]0;", .view = (enum attend_view)view},
                          TERM_BLOCKS);
        assert_null(strpbrk(text, "\033\a"));
        assert_null(strstr(text, "\xc2\x9b"));
        free(text);
    }
}
