#include "base/path.h"

#include "file_fixture.h"

static void make(const char *path)
{
    assert_int_equal(io_write(path, path, strlen(path), NULL), ATTEND_OK);
}

static void assert_leads(const char *path, const char *want)
{
    char *got = NULL;
    assert_int_equal(path_follow(&got, path, NULL), ATTEND_OK);
    assert_string_equal(got, want);
    free(got);
}

TEST(path_follow_leads_to_what_is_written)
{
    struct folder f = folder_enter();
    assert_int_equal(mkdir("sub", 0777), 0);
    assert_int_equal(symlink("sub/file", "one"), 0); /* a dangling link */
    assert_int_equal(symlink("../one", "sub/two"), 0);
    assert_int_equal(symlink("/no/such/folder/file", "absolute"), 0);
    assert_leads("plain", "plain");
    assert_leads("one", "sub/file");
    assert_leads("sub/two", "sub/../sub/file");
    assert_leads("absolute", "/no/such/folder/file");
    unlink("sub/two");
    folder_leave(&f);
}

TEST(path_follow_of_a_circle_is_an_error)
{
    struct folder f = folder_enter();
    char *got = NULL;
    struct attend_error err = {.message = ""};
    assert_int_equal(symlink("there", "here"), 0);
    assert_int_equal(symlink("here", "there"), 0);
    assert_int_equal(path_follow(&got, "here", &err), ATTEND_IO);
    assert_null(got);
    assert_non_null(strstr(err.message, "here: cannot be opened: Too many levels"));
    folder_leave(&f);
}

TEST(path_same_sees_through_links)
{
    struct folder f = folder_enter();
    make("file");
    make("other");
    assert_int_equal(link("file", "hard"), 0);
    assert_int_equal(symlink("hard", "soft"), 0);
    assert_true(path_same("file", "./file"));
    assert_true(path_same("file", "hard"));
    assert_true(path_same("soft", "file"));
    assert_false(path_same("file", "other"));
    assert_false(path_same("file", "missing"));
    folder_leave(&f);
}

TEST(path_same_of_files_to_come_compares_their_places)
{
    struct folder f = folder_enter();
    assert_int_equal(symlink("new", "soft"), 0);
    assert_true(path_same("new", "./new"));
    assert_true(path_same("soft", "./new"));
    assert_false(path_same("new", "newer"));
    assert_false(path_same("no/new", "new"));
    folder_leave(&f);
}

TEST(path_same_lets_folders_and_devices_be_given_twice)
{
    assert_false(path_same("/dev/null", "/dev/null"));
    assert_false(path_same(".", "."));
}

TEST(path_beside_is_relative_to_the_folder_of_the_file)
{
    static const char *const cases[][3] = {{"data/train.tsv", "a.wav", "data/a.wav"},
                                           {"train.tsv", "wav/a.wav", "wav/a.wav"},
                                           {"/data/train.tsv", "../a.wav", "/data/../a.wav"},
                                           {"data/train.tsv", "/a.wav", "/a.wav"},
                                           {"-", "a.wav", "a.wav"},
                                           {NULL, "a.wav", "a.wav"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = path_beside(cases[i][0], cases[i][1]);
        assert_string_equal(path, cases[i][2]);
        free(path);
    }
}
