#include "base/strbuf.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

TEST(strbuf_additions_join_up)
{
    struct strbuf s = {0};
    strbuf_adds(&s, "one");
    strbuf_addc(&s, ' ');
    strbuf_add(&s, "two and more", 3);
    strbuf_addf(&s, " %d-%s", 3, "four");
    assert_string_equal(s.text, "one two 3-four");
    assert_int_equal(s.length, 14);
    assert_int_equal(strbuf_status(&s, NULL), ATTEND_OK);
    strbuf_release(&s);
}

TEST(strbuf_grows_one_byte_at_a_time_without_losing_any)
{
    struct strbuf s = {0};
    for (int i = 0; i < 10000; i++) {
        strbuf_addc(&s, (char)('a' + i % 26));
        assert_int_equal(s.text[s.length], '\0');
    }
    assert_int_equal(s.length, 10000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(s.text[i], 'a' + i % 26);
    strbuf_release(&s);
}

/* Formatted text that exactly fits the free space, or is one byte longer. */
TEST(strbuf_addf_fits_at_every_length)
{
    char want[300];
    for (int length = 0; length < 299; length++) {
        struct strbuf s = {0};
        strbuf_adds(&s, "x");
        strbuf_addf(&s, "%*s", length, "");
        memset(want, ' ', sizeof want);
        want[0] = 'x';
        want[length + 1] = '\0';
        assert_string_equal(s.text, want);
        strbuf_release(&s);
    }
}

TEST(strbuf_keeps_nul_bytes)
{
    struct strbuf s = {0};
    strbuf_add(&s, "a\0b", 3);
    strbuf_adds(&s, "c");
    assert_int_equal(s.length, 4);
    assert_memory_equal(s.text, "a\0bc", 5);
    strbuf_release(&s);
}

TEST(strbuf_adding_nothing_makes_an_empty_string)
{
    struct strbuf s = {0};
    strbuf_add(&s, NULL, 0);
    assert_string_equal(s.text, "");
    strbuf_release(&s);
}

TEST(strbuf_clear_keeps_the_memory)
{
    struct strbuf s = {0};
    strbuf_clear(&s);
    strbuf_adds(&s, "some text");
    const char *text = s.text;
    strbuf_clear(&s);
    assert_int_equal(s.length, 0);
    assert_string_equal(s.text, "");
    strbuf_adds(&s, "other");
    assert_ptr_equal(s.text, text);
    assert_string_equal(s.text, "other");
    strbuf_release(&s);
}

TEST(strbuf_detach_hands_over_and_starts_again)
{
    struct strbuf s = {0};
    char *none = strbuf_detach(&s);
    assert_string_equal(none, "");
    strbuf_adds(&s, "mine");
    char *mine = strbuf_detach(&s);
    assert_string_equal(mine, "mine");
    assert_null(s.text);
    strbuf_adds(&s, "next");
    assert_string_equal(s.text, "next");
    free(none);
    free(mine);
    strbuf_release(&s);
}

TEST(strbuf_failure_is_remembered_until_release)
{
    struct strbuf s = {0};
    struct attend_error err = {.message = ""};
    strbuf_adds(&s, "kept");
    strbuf_add(&s, "", SIZE_MAX / 2);
    assert_true(s.failed);
    strbuf_adds(&s, "lost");
    assert_string_equal(s.text, "kept");
    assert_int_equal(strbuf_status(&s, &err), ATTEND_NO_MEMORY);
    assert_non_null(strstr(err.message, "out of memory"));
    assert_null(strbuf_detach(&s));
    assert_int_equal(strbuf_status(&s, NULL), ATTEND_NO_MEMORY);
    strbuf_release(&s);
    assert_int_equal(strbuf_status(&s, NULL), ATTEND_OK);
}

/* printf fails on a character that the locale cannot represent; that must count as a failure. */
TEST(strbuf_addf_that_cannot_be_formatted_fails)
{
    struct strbuf s = {0};
    strbuf_addf(&s, "%ls", L"\u20ac");
    assert_true(s.failed);
    strbuf_release(&s);
}
