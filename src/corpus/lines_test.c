#include "base/io.h"
#include "base/strbuf.h"
#include "test.h"
#include "corpus/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static enum attend_status read_bytes(struct lines *out, const char *bytes, size_t length,
                                     struct attend_error *err)
{
    assert_int_equal(io_write("lines_test.txt", bytes, length, NULL), ATTEND_OK);
    const enum attend_status status = lines_read(out, "lines_test.txt", err);
    remove("lines_test.txt");
    return status;
}

static void assert_lines(const char *bytes, size_t length, int count, const char *const *want)
{
    struct lines lines = {0};
    assert_int_equal(read_bytes(&lines, bytes, length, NULL), ATTEND_OK);
    assert_int_equal(lines.count, count);
    for (int i = 0; i < count; i++) {
        size_t got;
        assert_string_equal(lines_at(&lines, i, &got), want[i]);
        assert_int_equal(got, strlen(want[i]));
    }
    lines_release(&lines);
}

#define LINES(text, ...)                                                                           \
    assert_lines(text, sizeof text - 1,                                                            \
                 (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                    \
                 (const char *[]){__VA_ARGS__})

TEST(lines_split_at_line_feeds_only)
{
    LINES("a\nb\n", "a", "b");
    LINES("a\nb", "a", "b");
    LINES("a\rb\n", "a\rb");
    /* Some programs take U+0085 and U+2028 for line ends. */
    LINES("a\xC2\x85\x62\xE2\x80\xA8"
          "c\x0B\x0C\n",
          "a\xC2\x85\x62\xE2\x80\xA8"
          "c\x0B\x0C");
}

TEST(lines_empty_ones_are_kept)
{
    LINES("\n", "");
    LINES("\n\na\n\n", "", "", "a", "");
    assert_lines("", 0, 0, NULL);
}

TEST(lines_lose_one_carriage_return_at_their_end)
{
    LINES("a\r\nb\r\n\r\nc\r", "a", "b", "", "c");
    LINES("a\r\r\n", "a\r");
}

TEST(lines_lose_a_byte_order_mark_at_the_start_of_the_file_only)
{
    LINES("\xEF\xBB\xBF"
          "a\n\xEF\xBB\xBF"
          "b\n",
          "a",
          "\xEF\xBB\xBF"
          "b");
    assert_lines("\xEF\xBB\xBF", 3, 0, NULL);
    LINES("\xEF\xBB\xBF\n", "");
}

static void assert_fails(const char *bytes, size_t length, const char *message)
{
    struct lines lines = {0};
    struct attend_error err;
    assert_int_equal(read_bytes(&lines, bytes, length, &err), ATTEND_DATA);
    assert_string_equal(err.message, message);
    assert_null(lines.bytes);
}

TEST(lines_bytes_that_are_not_utf8_are_named)
{
    assert_fails(
        "\xFF\xFE", 2,
        "lines_test.txt:1: invalid UTF-8 at byte 1 of the line; convert the file to UTF-8");
    assert_fails(
        "ab\ncaf\xE9\n", 8,
        "lines_test.txt:2: invalid UTF-8 at byte 4 of the line; convert the file to UTF-8");
    /* A truncated character, a surrogate, an overlong slash. */
    assert_fails(
        "a\n\xE2\x82", 4,
        "lines_test.txt:2: invalid UTF-8 at byte 1 of the line; convert the file to UTF-8");
    assert_fails(
        "\xED\xA0\x80", 3,
        "lines_test.txt:1: invalid UTF-8 at byte 1 of the line; convert the file to UTF-8");
    assert_fails(
        "\xEF\xBB\xBFx\xC0\xAF", 6,
        "lines_test.txt:1: invalid UTF-8 at byte 2 of the line; convert the file to UTF-8");
}

TEST(lines_nul_is_named)
{
    assert_fails("a\n\nb\0c\n", 7,
                 "lines_test.txt:3: NUL at byte 2 of the line; convert the file to UTF-8");
    assert_fails("\0", 1, "lines_test.txt:1: NUL at byte 1 of the line; convert the file to UTF-8");
    /* The message names the first fault. */
    assert_fails("a\0\xFF", 3,
                 "lines_test.txt:1: NUL at byte 2 of the line; convert the file to UTF-8");
    assert_fails(
        "\xFF\0", 2,
        "lines_test.txt:1: invalid UTF-8 at byte 1 of the line; convert the file to UTF-8");
}

TEST(lines_read_takes_a_file_and_standard_input)
{
    static const char path[] = "lines_test.tmp";
    struct lines lines = {0};
    assert_int_equal(io_write(path, "one\ntwo", 7, NULL), ATTEND_OK);
    assert_int_equal(lines_read(&lines, path, NULL), ATTEND_OK);
    assert_int_equal(lines.count, 2);
    assert_string_equal(lines_at(&lines, 1, NULL), "two");
    lines_release(&lines);

    assert_int_equal(io_write(path, "a\n\xFF\n", 4, NULL), ATTEND_OK);
    assert_non_null(freopen(path, "rb", stdin));
    struct attend_error err;
    assert_int_equal(lines_read(&lines, "-", &err), ATTEND_DATA);
    assert_string_equal(err.message, "standard input:2: invalid UTF-8 at byte 1 of the line; "
                                     "convert the file to UTF-8");
    remove(path);
}

TEST(lines_read_decompresses)
{
    static const char path[] = "lines_test.gz.tmp";
    struct lines lines = {0};
    gzFile file = gzopen(path, "wb");
    assert_int_equal(gzputs(file, "one\r\ntwo\n"), 9);
    gzclose(file);
    assert_int_equal(lines_read(&lines, path, NULL), ATTEND_OK);
    assert_int_equal(lines.count, 2);
    assert_string_equal(lines_at(&lines, 0, NULL), "one");
    assert_string_equal(lines_at(&lines, 1, NULL), "two");
    lines_release(&lines);
    remove(path);
}

/* The default limit of a reader does not apply to whole files. */
TEST(lines_may_be_longer_than_a_reader_allows)
{
    const size_t length = (size_t)3 << 20;
    struct strbuf text = {0};
    struct lines lines = {0};
    for (size_t i = 0; i < length; i++)
        strbuf_addc(&text, 'a');
    strbuf_adds(&text, "\nb\n");
    assert_int_equal(read_bytes(&lines, text.text, text.length, NULL), ATTEND_OK);
    size_t got;
    assert_int_equal(lines.count, 2);
    assert_memory_equal(lines_at(&lines, 0, &got), text.text, length);
    assert_int_equal(got, length);
    assert_string_equal(lines_at(&lines, 1, NULL), "b");
    lines_release(&lines);
    strbuf_release(&text);
}

TEST(lines_read_of_a_missing_file_names_it)
{
    struct lines lines = {0};
    struct attend_error err;
    assert_int_equal(lines_read(&lines, "no-such-file.txt", &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "no-such-file.txt"));
    assert_int_equal(lines_read(&lines, ".", &err), ATTEND_IO);
}

TEST(lines_words_stand_between_spaces_or_tabs)
{
    assert_int_equal(lines_words(""), 0);
    assert_int_equal(lines_words(" \t "), 0);
    assert_int_equal(lines_words("  one\ttwo  three "), 3);
    assert_int_equal(lines_words("one\xC2\xA0word"), 1);
}
