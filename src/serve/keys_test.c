#include "test.h"

#include "serve/keys.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum attend_status load(struct keys **out, const char *text, struct attend_error *err)
{
    char path[] = "keys_test.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    const enum attend_status status = keys_load(out, path, err);
    unlink(path);
    return status;
}

TEST(keys_are_lines_with_a_rate_or_without)
{
    struct keys *keys;
    struct attend_error err = {.message = ""};
    assert_int_equal(load(&keys, "# ours\nabc\n  def 30 \n\nghi\t5\nx# note\n", &err), ATTEND_OK);
    assert_int_equal(keys_rate(keys, "abc"), 0);
    assert_int_equal(keys_rate(keys, "def"), 30);
    assert_int_equal(keys_rate(keys, "ghi"), 5);
    assert_int_equal(keys_rate(keys, "x"), 0);
    static const char *const wrong[] = {"ab", "abcd", "", "ABC", "#", "abcabc", "30"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(keys_rate(keys, wrong[i]), -1);
    keys_free(keys);
}

TEST(keys_wrong_rates_and_empty_files_are_refused)
{
    static const char *const wrong[] = {"abc x\n", "abc 0\n", "abc -3\n",        "abc 3 4\n",
                                        "",        "# a\n",   "abc 9999999999\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct keys *keys;
        struct attend_error err = {.message = ""};
        assert_int_equal(load(&keys, wrong[i], &err), ATTEND_FORMAT);
        assert_non_null(strstr(err.message, "keys_test."));
    }
}
