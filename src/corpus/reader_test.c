#include "base/io.h"
#include "base/strbuf.h"
#include "test.h"
#include "corpus/reader.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char path[] = "reader_test.tmp";

static struct reader *open_bytes(const char *bytes, size_t length)
{
    struct reader *r = NULL;
    assert_int_equal(io_write("reader_test.txt", bytes, length, NULL), ATTEND_OK);
    assert_int_equal(reader_open(&r, "reader_test.txt", NULL), ATTEND_OK);
    remove("reader_test.txt");
    return r;
}

static struct reader_line next(struct reader *r)
{
    struct reader_line line;
    struct attend_error err = {.message = ""};
    reader_next(r, &line, &err);
    assert_string_equal(err.message, "");
    return line;
}

static void assert_next(struct reader *r, size_t number, const char *want)
{
    const struct reader_line line = next(r);
    assert_non_null(line.text);
    assert_string_equal(line.text, want);
    assert_int_equal(line.length, strlen(want));
    assert_int_equal(line.number, number);
    assert_int_equal(line.fault, READER_OK);
    assert_int_equal(line.fault_at, 0);
}

static void assert_end(struct reader *r)
{
    assert_null(next(r).text);
    assert_null(next(r).text);
}

static void assert_fault(struct reader *r, size_t number, enum reader_fault fault, size_t at)
{
    const struct reader_line line = next(r);
    assert_non_null(line.text);
    assert_int_equal(line.number, number);
    assert_int_equal(line.fault, fault);
    assert_int_equal(line.fault_at, at);
}

TEST(reader_gives_lines_with_their_numbers)
{
    static const char text[] = "one\n\ntwo\r\n\r\nth\rree\r\r\nlast\r";
    struct reader *r = open_bytes(text, sizeof text - 1);
    assert_int_equal(reader_count(r), 0);
    assert_next(r, 1, "one");
    assert_next(r, 2, "");
    assert_next(r, 3, "two");
    assert_next(r, 4, "");
    assert_next(r, 5, "th\rree\r");
    assert_next(r, 6, "last");
    assert_end(r);
    assert_int_equal(reader_count(r), 6);
    reader_close(r);
}

TEST(reader_empty_texts_have_no_line)
{
    struct reader *r = open_bytes("", 0);
    assert_end(r);
    reader_close(r);
    r = open_bytes("\xEF\xBB\xBF", 3);
    assert_end(r);
    reader_close(r);
    reader_close(NULL);
}

TEST(reader_drops_a_byte_order_mark_at_the_start_only)
{
    static const char text[] = "\xEF\xBB\xBF\xEF\xBB\xBF"
                               "a\n\xEF\xBB\xBF"
                               "b\n";
    struct reader *r = open_bytes(text, sizeof text - 1);
    assert_next(r, 1,
                "\xEF\xBB\xBF"
                "a");
    assert_next(r, 2,
                "\xEF\xBB\xBF"
                "b");
    assert_end(r);
    reader_close(r);
}

TEST(reader_goes_on_behind_lines_with_faults)
{
    static const char text[] = "ok\nbad\xFF\nnul\0x\n\xC3\0\na\0\xFF\n\xEF\xBB\xBF\xE2\x82\nok";
    struct reader *r = open_bytes(text, sizeof text - 1);
    assert_next(r, 1, "ok");
    assert_fault(r, 2, READER_NOT_UTF8, 4);
    assert_fault(r, 3, READER_NUL, 4);
    assert_fault(r, 4, READER_NOT_UTF8, 1);
    assert_fault(r, 5, READER_NUL, 2);
    assert_fault(r, 6, READER_NOT_UTF8, 4);
    assert_next(r, 7, "ok");
    assert_end(r);
    reader_close(r);
}

TEST(reader_refuses_in_words)
{
    static const char text[] = "\xEF\xBB\xBFx\xFF\n\0\nlonger";
    struct attend_error err;
    struct reader *r = open_bytes(text, sizeof text - 1);
    reader_set_limit(r, 5);
    struct reader_line line = next(r);
    assert_int_equal(reader_refuse(r, &line, &err), ATTEND_DATA);
    assert_string_equal(
        err.message,
        "reader_test.txt:1: invalid UTF-8 at byte 2 of the line; convert the file to UTF-8");
    line = next(r);
    assert_int_equal(reader_refuse(r, &line, &err), ATTEND_DATA);
    assert_string_equal(err.message,
                        "reader_test.txt:2: NUL at byte 1 of the line; convert the file to UTF-8");
    line = next(r);
    assert_int_equal(reader_refuse(r, &line, &err), ATTEND_DATA);
    assert_string_equal(err.message, "reader_test.txt:3: longer than 5 bytes; split the line");
    reader_close(r);
}

/* Neither the line end nor the byte order mark counts toward the limit. */
TEST(reader_limit_is_exact)
{
    static const char *const ends[] = {"\n", "\r\n", "", "\r"};
    for (int bom = 0; bom < 2; bom++)
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            for (int over = 0; over < 2; over++) {
                char text[32];
                snprintf(text, sizeof text, "%s12345678%s%s", bom ? "\xEF\xBB\xBF" : "",
                         over ? "9" : "", ends[i]);
                struct reader *r = open_bytes(text, strlen(text));
                reader_set_limit(r, 8);
                if (over)
                    assert_fault(r, 1, READER_TOO_LONG, 9);
                else
                    assert_next(r, 1, "12345678");
                assert_end(r);
                reader_close(r);
            }
}

/* ---- Files ---- */

static void fill_file(const char *bytes, size_t length)
{
    assert_int_equal(io_write(path, bytes, length, NULL), ATTEND_OK);
}

TEST(reader_passes_over_three_mebibytes_without_a_line_end)
{
    const size_t length = (size_t)3 << 20;
    struct strbuf text = {0};
    struct reader *r = NULL;
    strbuf_adds(&text, "before\n");
    for (size_t i = 0; i < length; i++)
        strbuf_addc(&text, (char)('a' + i % 26));
    strbuf_adds(&text, "\nafter\n");
    fill_file(text.text, text.length);
    assert_int_equal(reader_open(&r, path, NULL), ATTEND_OK);
    assert_next(r, 1, "before");
    const struct reader_line line = next(r);
    assert_int_equal(line.fault, READER_TOO_LONG);
    assert_int_equal(line.fault_at, READER_MAX_LENGTH + 1);
    assert_int_equal(line.length, READER_MAX_LENGTH);
    assert_int_equal(strlen(line.text), READER_MAX_LENGTH);
    /* The rest was skipped: it is not in the buffer. */
    assert_true(malloc_usable_size((void *)(uintptr_t)line.text) < 2 * READER_MAX_LENGTH);
    assert_next(r, 3, "after");
    assert_end(r);
    reader_close(r);
    strbuf_release(&text);
    remove(path);
}

/* Lines that cross the boundaries of blocks in every way. */
TEST(reader_lines_of_all_lengths_come_through)
{
    struct strbuf text = {0}, want = {0};
    struct reader *r = NULL;
    for (int i = 0; i < 1200; i++)
        strbuf_addf(&text, "%0*d%s", i + 1, 7, i % 2 ? "\r\n" : "\n");
    fill_file(text.text, text.length);
    assert_int_equal(reader_open(&r, path, NULL), ATTEND_OK);
    assert_string_equal(reader_name(r), path);
    for (int i = 0; i < 1200; i++) {
        strbuf_clear(&want);
        strbuf_addf(&want, "%0*d", i + 1, 7);
        assert_next(r, (size_t)i + 1, want.text);
    }
    assert_end(r);
    reader_close(r);
    strbuf_release(&text);
    strbuf_release(&want);
    remove(path);
}

TEST(reader_takes_compressed_files_and_reports_damage_in_them)
{
    static const char text[] = "\xEF\xBB\xBFone\r\ntwo\n";
    char packed[200];
    gzFile file = gzopen(path, "wb");
    assert_int_equal(gzwrite(file, text, sizeof text - 1), sizeof text - 1);
    gzclose(file);
    struct reader *r = NULL;
    assert_int_equal(reader_open(&r, path, NULL), ATTEND_OK);
    assert_next(r, 1, "one");
    assert_next(r, 2, "two");
    assert_end(r);
    reader_close(r);

    FILE *raw = fopen(path, "rb");
    const size_t length = fread(packed, 1, sizeof packed, raw);
    fclose(raw);
    fill_file(packed, length - 1);
    struct attend_error err = {.message = ""};
    struct reader_line line = {.text = ""};
    assert_int_equal(reader_open(&r, path, NULL), ATTEND_OK);
    enum attend_status status = ATTEND_OK;
    while (!status && line.text)
        status = reader_next(r, &line, &err);
    assert_int_equal(status, ATTEND_DATA);
    assert_non_null(strstr(err.message, path));
    reader_close(r);
    remove(path);
}

TEST(reader_missing_files_are_named)
{
    struct reader *r = NULL;
    struct attend_error err;
    assert_int_equal(reader_open(&r, "no-such-file.txt", &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "no-such-file.txt"));
    assert_null(r);
}

/* ---- Hostile text ---- */

/* Split the bytes at LF, without the reader. */
static void assert_same_lines(struct reader *r, char *bytes)
{
    size_t number = 0;
    for (char *at = bytes, *end; *at; at = end + 1) {
        end = at + strcspn(at, "\n");
        const bool last = !*end;
        *end = '\0';
        assert_next(r, ++number, at);
        if (last)
            break;
    }
    assert_true(number > 100);
    assert_end(r);
}

TEST(reader_hard_text_comes_through_unchanged)
{
    const char *data = getenv("ATTEND_DATA"), *names[] = {"UTF-8-demo.txt", "blns.txt"};
    if (!data) {
        print_message("skipped: ATTEND_DATA is not set\n");
        skip();
    }
    for (int i = 0; i < 2; i++) {
        struct strbuf name = {0}, bytes = {0};
        struct reader *r = NULL;
        strbuf_addf(&name, "%s/hard-text/%s", data, names[i]);
        assert_int_equal(io_read(name.text, &bytes, NULL), ATTEND_OK);
        assert_null(strstr(bytes.text, "\r\n"));
        assert_int_equal(reader_open(&r, name.text, NULL), ATTEND_OK);
        assert_same_lines(r, bytes.text);
        reader_close(r);
        strbuf_release(&name);
        strbuf_release(&bytes);
    }
}
