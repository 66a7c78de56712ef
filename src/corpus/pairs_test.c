#include "base/strbuf.h"
#include "test.h"
#include "corpus/pairs.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct pairs *new_pairs(void)
{
    struct pairs *p = NULL;
    struct attend_error err = {.message = ""};
    pairs_new(&p, ".", &err);
    assert_string_equal(err.message, "");
    return p;
}

static void add(struct pairs *p, const char *source, const char *target, size_t line)
{
    const struct text_pair pair = {source, target, strlen(source), strlen(target),
                                   line,   {0, 0}, NULL,           0};
    assert_int_equal(pairs_add(p, &pair, NULL), ATTEND_OK);
}

static void assert_next(struct pairs *p, const char *source, const char *target, size_t line)
{
    struct text_pair pair;
    assert_int_equal(pairs_next(p, &pair, NULL), ATTEND_OK);
    assert_non_null(pair.source);
    assert_string_equal(pair.source, source);
    assert_string_equal(pair.target, target);
    assert_int_equal(pair.source_length, strlen(source));
    assert_int_equal(pair.target_length, strlen(target));
    assert_int_equal(pair.line, line);
}

static void assert_end(struct pairs *p)
{
    struct text_pair pair;
    assert_int_equal(pairs_next(p, &pair, NULL), ATTEND_OK);
    assert_null(pair.source);
}

TEST(pairs_come_back_in_order_as_often_as_asked)
{
    struct pairs *p = new_pairs();
    add(p, "one", "eins", 1);
    add(p, "", "", 3);
    add(p, "a\tB;C", "gr\u00fc\u00df", (size_t)1 << 33);
    for (int pass = 0; pass < 3; pass++) {
        assert_int_equal(pairs_rewind(p, NULL), ATTEND_OK);
        assert_next(p, "one", "eins", 1);
        if (pass == 1)
            continue; /* reading may stop in the middle */
        assert_next(p, "", "", 3);
        assert_next(p, "a\tB;C", "gr\u00fc\u00df", (size_t)1 << 33);
        assert_end(p);
        assert_end(p);
    }
    assert_int_equal(pairs_count(p), 3);
    assert_int_equal(pairs_source_bytes(p), 8);
    assert_int_equal(pairs_target_bytes(p), 10);
    pairs_free(p);
    pairs_free(NULL);
}

TEST(pairs_none_are_walked_over_too)
{
    struct pairs *p = new_pairs();
    assert_int_equal(pairs_rewind(p, NULL), ATTEND_OK);
    assert_end(p);
    pairs_free(p);
}

TEST(pairs_added_after_a_walk_come_last)
{
    struct pairs *p = new_pairs();
    add(p, "one", "eins", 1);
    add(p, "two", "zwei", 2);
    assert_int_equal(pairs_rewind(p, NULL), ATTEND_OK);
    assert_next(p, "one", "eins", 1);
    add(p, "three", "drei", 3);
    assert_int_equal(pairs_rewind(p, NULL), ATTEND_OK);
    assert_next(p, "one", "eins", 1);
    assert_next(p, "two", "zwei", 2);
    assert_next(p, "three", "drei", 3);
    assert_end(p);
    pairs_free(p);
}

/* Texts longer than any buffer, with short ones between them. */
TEST(pairs_of_any_length_come_back)
{
    struct pairs *p = new_pairs();
    struct strbuf text = {0};
    for (int i = 0; i < 300000; i++)
        strbuf_addc(&text, (char)('a' + i % 26));
    for (size_t length = 1; length < text.length; length = length * 2 + 1) {
        const struct text_pair pair = {text.text, text.text + 1, length, length / 2,
                                       length,    {0, 0},        NULL,   0};
        assert_int_equal(pairs_add(p, &pair, NULL), ATTEND_OK);
    }
    assert_int_equal(pairs_rewind(p, NULL), ATTEND_OK);
    for (size_t length = 1; length < text.length; length = length * 2 + 1) {
        struct text_pair pair;
        assert_int_equal(pairs_next(p, &pair, NULL), ATTEND_OK);
        assert_int_equal(pair.source_length, length);
        assert_int_equal(pair.target_length, length / 2);
        assert_memory_equal(pair.source, text.text, length);
        assert_memory_equal(pair.target, text.text + 1, length / 2);
        assert_int_equal(pair.source[length], 0);
        assert_int_equal(pair.target[length / 2], 0);
    }
    assert_end(p);
    strbuf_release(&text);
    pairs_free(p);
}

/* ---- The file ---- */

static int count_files(const char *folder)
{
    DIR *dir = opendir(folder);
    int count = 0;
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2; /* . and .. */
}

TEST(pairs_leave_no_file_behind_and_none_in_sight)
{
    char folder[] = "pairs_test.XXXXXX";
    struct pairs *p = NULL;
    assert_non_null(mkdtemp(folder));
    const int next_fd = dup(0);
    close(next_fd);
    assert_int_equal(pairs_new(&p, folder, NULL), ATTEND_OK);
    assert_int_equal(count_files(folder), 0);
    assert_true(fcntl(next_fd, F_GETFD) & FD_CLOEXEC);
    add(p, "one", "eins", 1);
    assert_int_equal(pairs_rewind(p, NULL), ATTEND_OK);
    assert_next(p, "one", "eins", 1);
    pairs_free(p);
    assert_int_equal(rmdir(folder), 0);
}

TEST(pairs_folder_that_is_not_there_is_named)
{
    struct pairs *p = NULL;
    struct attend_error err = {.message = ""};
    assert_int_equal(pairs_new(&p, "no-such-folder", &err), ATTEND_IO);
    assert_string_equal(err.message, "no-such-folder: cannot hold a temporary file: "
                                     "No such file or directory");
    assert_null(p);
}

/* A limit on file sizes simulates a full disk. */
TEST(pairs_that_find_no_room_are_reported)
{
    struct rlimit old, small;
    struct attend_error err = {.message = ""};
    struct pairs *p = new_pairs();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 1 << 18;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    char text[1000];
    memset(text, 'x', sizeof text);
    const struct text_pair pair = {text, text, sizeof text, sizeof text, 1, {0, 0}, NULL, 0};
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < 300 && !status; i++)
        status = pairs_add(p, &pair, &err);
    struct attend_error later = {.message = ""};
    const enum attend_status rewound = pairs_rewind(p, &later);
    pairs_free(p);

    /* Rewind reports that the last buffer cannot be written. */
    p = new_pairs();
    small.rlim_cur = 100;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const enum attend_status added = pairs_add(p, &pair, NULL), flushed = pairs_rewind(p, NULL);
    pairs_free(p);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, ATTEND_IO);
    assert_non_null(strstr(err.message, ".: the temporary file there cannot be written: "));
    assert_non_null(strstr(err.message, "File too large"));
    assert_int_equal(rewound, ATTEND_IO);
    assert_non_null(strstr(later.message, "cannot be written"));
    assert_int_equal(added, ATTEND_OK);
    assert_int_equal(flushed, ATTEND_IO);
}
