#include "base/error.h"

#include "base/utf8.h"

#include "test.h"

#include <string.h>

TEST(error_set_formats_and_returns_the_status)
{
    struct attend_error err = {.message = "old"};
    assert_int_equal(error_set(&err, ATTEND_DATA, "%s:%d: %s", "a.txt", 7, "is empty"),
                     ATTEND_DATA);
    assert_string_equal(err.message, "a.txt:7: is empty");
}

TEST(error_set_without_a_place_still_returns_the_status)
{
    assert_int_equal(error_set(NULL, ATTEND_IO, "%s", "unread"), ATTEND_IO);
}

TEST(error_set_cuts_a_message_that_is_too_long)
{
    struct attend_error err;
    memset(&err, 'x', sizeof err);
    assert_int_equal(error_set(&err, ATTEND_FORMAT, "%2000d", 1), ATTEND_FORMAT);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

TEST(error_set_makes_one_line_of_valid_text)
{
    struct attend_error err;
    error_set(&err, ATTEND_FORMAT, "'%s' and '%.4s'", "a\n\x1b[2Jb\xff", "abc\xc3\xa4");
    assert_string_equal(err.message, "'a??[2Jb?' and 'abc?'");
    error_set(&err, ATTEND_FORMAT, "\xc3\xa4 %s", "\xed\xa0\x80");
    assert_string_equal(err.message, "\xc3\xa4 ???");
    char text[600];
    memset(text, 0, sizeof text);
    for (int i = 0; i < 299; i++)
        memcpy(text + (size_t)2 * i, "\xc3\xa4", 2);
    error_set(&err, ATTEND_FORMAT, "%s", text); /* the limit falls inside a character */
    assert_true(utf8_valid(err.message, strlen(err.message), NULL));
}

TEST(status_texts_are_all_there_and_all_different)
{
    for (int i = ATTEND_OK; i <= ATTEND_STOPPED; i++) {
        const char *text = attend_status_text((enum attend_status)i);
        assert_true(strlen(text) > 1);
        for (int j = ATTEND_OK; j < i; j++)
            assert_string_not_equal(text, attend_status_text((enum attend_status)j));
    }
    assert_string_equal(attend_status_text(ATTEND_OK), "ok");
}

TEST(status_text_of_an_unknown_status_says_so)
{
    assert_string_equal(attend_status_text((enum attend_status)999), "unknown status");
    assert_string_equal(attend_status_text((enum attend_status) - 1), "unknown status");
}

TEST(error_set_does_not_cut_a_character)
{
    struct attend_error err;
    char text[1024];
    for (size_t blanks = 0; blanks < 3; blanks++) {
        memset(text, ' ', blanks);
        for (size_t i = blanks; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\u20ac", 4);
        error_set(&err, ATTEND_DATA, "%s", text);
        const size_t length = strlen(err.message);
        assert_true(length >= sizeof err.message - 3 && length < sizeof err.message);
        assert_int_equal((length - blanks) % 3, 0);
    }
}

TEST(error_place_is_data_and_part_of_the_message)
{
    struct attend_error err;
    assert_int_equal(error_at(&err, ATTEND_DATA, "a.txt", 7, "has %d tabs", 2), ATTEND_DATA);
    assert_string_equal(err.message, "a.txt:7: has 2 tabs");
    assert_string_equal(err.message + err.reason, "has 2 tabs");
    assert_string_equal(err.file, "a.txt");
    assert_int_equal(err.line, 7);
    assert_int_equal(err.status, ATTEND_DATA);
    assert_null(err.argument);
    error_set(&err, ATTEND_IO, "gone");
    assert_int_equal(err.line, 0);
    assert_string_equal(err.file, "");
    assert_int_equal(err.reason, 0);
}

TEST(error_about_an_item_can_be_moved_to_its_line)
{
    struct attend_error err;
    error_item(&err, ATTEND_DATA, "source", 2, "is broken");
    assert_string_equal(err.message, "source:3: is broken");
    assert_string_equal(err.argument, "source");
    assert_int_equal(err.item, 2);
    attend_error_move(&err, "b.txt", 103);
    assert_string_equal(err.message, "b.txt:103: is broken");
    assert_int_equal(err.line, 103);
    assert_int_equal(err.status, ATTEND_DATA);
    attend_error_move(&err, "the sentence", 0);
    assert_string_equal(err.message, "the sentence: is broken");
}
