/* Example lines: what a line may hold, and texts that are not what training writes. */
#include "text/examples.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

static void assert_lines(const char *text, int count)
{
    struct examples e;
    struct attend_error err = {.message = ""};
    if (examples_parse(&e, text, "m: its examples", &err))
        fail_msg("%s", err.message);
    assert_int_equal(e.count, count);
    for (int i = 0; i < count; i++)
        assert_true(examples_fit(e.line[i], strlen(e.line[i])));
    examples_release(&e);
}

static void assert_refused(const char *text, const char *message)
{
    struct examples e;
    struct attend_error err = {.message = ""};
    assert_int_equal(examples_parse(&e, text, "m: its examples", &err), ATTEND_FORMAT);
    assert_non_null(strstr(err.message, message));
    examples_release(&e);
}

TEST(examples_are_the_lines_of_their_text)
{
    struct examples e;
    assert_int_equal(examples_parse(&e, "a b\n\xe0\xa4\x98\xe0\xa4\xb0\nwalk\tV;PST\n", "m", NULL),
                     ATTEND_OK);
    assert_int_equal(e.count, 3);
    assert_string_equal(e.line[0], "a b");
    assert_string_equal(e.line[1], "\xe0\xa4\x98\xe0\xa4\xb0");
    assert_string_equal(e.line[2], "walk\tV;PST");
    assert_string_equal(e.text, "a b\n\xe0\xa4\x98\xe0\xa4\xb0\nwalk\tV;PST\n");
    examples_release(&e);
    assert_lines("", 0);
}

TEST(examples_that_are_not_lines_of_text_are_refused)
{
    static const char *const cases[] = {"a",           "a\nb",        "\n",
                                        "a\n\n",       " \n",         "a\rb\n",
                                        "a\x1b[31m\n", "a\x7f\n",     "\xc2\x85\n",
                                        "\xff\n",      "a\xe0\xa4\n", "\xe2\x80\xa8x\n",
                                        "\t\n",        "\xc2\xa0\n",  "\xed\xa0\x80\n"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i], "is not a line of 1 to 1000 bytes");
}

TEST(examples_have_limits)
{
    char text[EXAMPLES_LONGEST + 3], many[2 * EXAMPLES_MOST + 3];
    memset(text, 'a', sizeof text);
    memcpy(text + EXAMPLES_LONGEST, "\n", 2);
    assert_lines(text, 1);
    memcpy(text + EXAMPLES_LONGEST, "a\n", 3);
    assert_refused(text, "line 1 is not");
    for (size_t i = 0; i < sizeof many - 1; i += 2)
        memcpy(many + i, "a\n", 2);
    many[2 * EXAMPLES_MOST] = '\0';
    assert_lines(many, EXAMPLES_MOST);
    memcpy(many + 2 * EXAMPLES_MOST, "a\n", 3);
    assert_refused(many, "has more than 100 lines");
}
