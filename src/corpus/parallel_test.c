#include "corpus/parallel.h"

#include "base/io.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path_of[3][64];

static void write_files(const char *a, const char *b, const char *c)
{
    const char *const text[] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        snprintf(path_of[i], sizeof path_of[i], "parallel_test.%d.%d", (int)getpid(), i);
        assert_int_equal(io_write(path_of[i], text[i], strlen(text[i]), NULL), ATTEND_OK);
    }
}

static void remove_files(void)
{
    for (int i = 0; i < 3; i++)
        assert_int_equal(unlink(path_of[i]), 0);
}

/* Files 1, 3 and 4 of eight. */
static enum attend_status open_files(struct parallel *p, int block, struct attend_error *err)
{
    const char *const path[PARALLEL_FILES] = {[1] = path_of[0], [3] = path_of[1], [4] = path_of[2]};
    return parallel_open(p, path, block, err);
}

TEST(parallel_gives_blocks_of_lines_that_belong_together)
{
    struct parallel p;
    write_files("a\nb\n\nd\ne\n", "1\n2\n3\n4\n5", "\xEF\xBB\xBFv\r\nw\r\nx\r\ny\r\nz\r\n");
    assert_int_equal(open_files(&p, 2, NULL), ATTEND_OK);
    assert_int_equal(parallel_next(&p, NULL), ATTEND_OK);
    assert_int_equal(p.count, 2);
    assert_string_equal(p.line[1][0], "a");
    assert_string_equal(p.line[4][0], "v");
    assert_string_equal(p.line[3][1], "2");
    assert_null(p.line[0]);
    assert_int_equal(parallel_next(&p, NULL), ATTEND_OK);
    assert_string_equal(p.line[1][0], "");
    assert_int_equal(parallel_number(&p, 1), 4);
    assert_int_equal(parallel_next(&p, NULL), ATTEND_OK);
    assert_int_equal(p.count, 1);
    assert_string_equal(p.line[3][0], "5");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(parallel_next(&p, NULL), ATTEND_OK);
        assert_int_equal(p.count, 0);
    }
    parallel_close(&p);
    remove_files();
}

static void assert_refused(const char *a, const char *b, const char *c, const char *says)
{
    struct parallel p;
    struct attend_error err;
    enum attend_status status = ATTEND_OK;
    write_files(a, b, c);
    assert_int_equal(open_files(&p, 2, &err), ATTEND_OK);
    do
        status = parallel_next(&p, &err);
    while (!status && p.count);
    assert_int_equal(status, ATTEND_DATA);
    assert_int_equal(p.count, 0);
    if (!strstr(err.message, says))
        fail_msg("'%s' does not say '%s'", err.message, says);
    parallel_close(&p);
    remove_files();
}

TEST(parallel_counts_both_files_when_one_is_longer)
{
    assert_refused("a\nb\nc\n", "1\n2\n3\n4\n5\n", "v\nw\nx\n", ".0 has 3 lines and ");
    assert_refused("a\nb\nc\n", "1\n2\n3\n4\n5\n", "v\nw\nx\n",
                   ".1 has 5: they must pair line for line");
    assert_refused("a\nb\nc\n", "1\n2\n3\n", "v\n", ".2 has 1: they must");
    assert_refused("", "1\n", "", ".0 has 0 lines and ");
}

TEST(parallel_refuses_lines_that_are_no_text)
{
    assert_refused("a\n", "\xff\n", "v\n", ".1:1: invalid UTF-8");
}

TEST(parallel_opens_all_or_none)
{
    struct parallel p;
    struct attend_error err;
    const char *const twice[PARALLEL_FILES] = {"-", NULL, "-"};
    assert_int_equal(parallel_open(&p, twice, 2, &err), ATTEND_USAGE);
    assert_string_equal(err.message, "only one of the files can be standard input");
    write_files("", "", "");
    const char *const missing[PARALLEL_FILES] = {path_of[0], "parallel_test.missing"};
    assert_int_equal(parallel_open(&p, missing, 2, &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "parallel_test.missing: cannot be opened"));
    parallel_close(&p);
    remove_files();
}
