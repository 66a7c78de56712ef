/* Which lines of the validation text a model file holds. */
#include "corpus/example_lines.h"

#include "base/strbuf.h"
#include "test.h"
#include "text/examples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A validation text: the lines, of which those with a `?` have an unknown token. */
static void assert_chosen(const char *const *lines, int count, int wanted, const char *expected)
{
    size_t start[64];
    int ids[64];
    for (int i = 0; i <= count; i++)
        start[i] = (size_t)i;
    for (int i = 0; i < count; i++)
        ids[i] = strchr(lines[i], '?') ? 0 : 3;
    const struct corpus corpus = {.source = {.count = count, .start = start, .ids = ids}};
    const struct valid_text valid = {.corpus = &corpus, .source = lines};
    struct strbuf out = {0};
    assert_int_equal(example_lines_choose(&out, &valid, wanted, NULL), ATTEND_OK);
    assert_string_equal(out.text ? out.text : "", expected);
    strbuf_release(&out);
}
#define CHOSEN(lines, wanted, expected)                                                            \
    assert_chosen(lines, sizeof(lines) / sizeof *(lines), wanted, expected)

TEST(example_lines_span_the_lengths_with_the_middle_one_first)
{
    static const char *const lines[] = {"aaaaaa", "a", "aaaa", "aa", "aaaaa", "aaa"};
    CHOSEN(lines, 3, "aaaa\naa\naaaaaa\n");
    CHOSEN(lines, 1, "aaaa\n");
    CHOSEN(lines, 6, "aaaa\na\naa\naaa\naaaaa\naaaaaa\n");
    CHOSEN(lines, 9, "aaaa\na\naa\naaa\naaaaa\naaaaaa\n");
    CHOSEN(lines, 0, "");
}

TEST(example_lines_are_told_apart_and_fit_for_a_file)
{
    static const char *const same[] = {"b", "b", "b", "c"};
    static const char *const odd[] = {"", " ", "a\x1b", "ok"};
    CHOSEN(same, 2, "c\nb\n");
    CHOSEN(same, 4, "c\nb\n");
    CHOSEN(odd, 4, "ok\n");
}

TEST(example_lines_are_known_if_there_are_enough)
{
    static const char *const lines[] = {"?", "??", "ab", "abc", "????"};
    CHOSEN(lines, 2, "abc\nab\n");
    CHOSEN(lines, 5, "ab\n?\n\?\?\nabc\n\?\?\?\?\n");
}

/* Lengths are those that a reader sees, not bytes. */
TEST(example_lines_count_code_points)
{
    static const char *const lines[] = {"\xe0\xa4\x98", "bb", "ccc"};
    CHOSEN(lines, 3, "bb\n\xe0\xa4\x98\nccc\n");
}

TEST(example_lines_never_exceed_what_a_file_may_hold)
{
    static char text[200][16];
    static const char *lines[200];
    static size_t start[201];
    static int ids[200];
    for (int i = 0; i < 200; i++) {
        snprintf(text[i], sizeof text[i], "%d", i);
        lines[i] = text[i];
        start[i + 1] = (size_t)i + 1;
        ids[i] = 3;
    }
    const struct corpus corpus = {.source = {.count = 200, .start = start, .ids = ids}};
    const struct valid_text valid = {.corpus = &corpus, .source = lines};
    struct strbuf out = {0};
    struct examples e;
    assert_int_equal(example_lines_choose(&out, &valid, 1000, NULL), ATTEND_OK);
    assert_int_equal(examples_parse(&e, out.text, "m", NULL), ATTEND_OK);
    assert_int_equal(e.count, EXAMPLES_MOST);
    examples_release(&e);
    strbuf_release(&out);
}
