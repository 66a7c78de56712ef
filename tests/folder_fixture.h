/* A folder of its own for each test, beside the test's working directory. */
#ifndef ATTEND_TESTS_FOLDER_FIXTURE_H
#define ATTEND_TESTS_FOLDER_FIXTURE_H

#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct folder {
    char name[32];
    int from; /* where we were */
};

static inline struct folder folder_enter(void)
{
    struct folder f = {.name = "file_test.XXXXXX", .from = open(".", O_RDONLY | O_CLOEXEC)};
    assert_true(f.from >= 0);
    assert_non_null(mkdtemp(f.name));
    assert_int_equal(chdir(f.name), 0);
    return f;
}

static inline void folder_leave(struct folder *f)
{
    DIR *dir = opendir(".");
    for (const struct dirent *e; (e = readdir(dir));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            remove(e->d_name);
    closedir(dir);
    assert_int_equal(fchdir(f->from), 0);
    assert_int_equal(rmdir(f->name), 0);
    close(f->from);
}

#endif
