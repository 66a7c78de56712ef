/* Translated files: found by their names, for a while, within bounds. */
#include "test.h"

#include "serve/files.h"

#include <stdlib.h>
#include <string.h>

static const char *keep(struct files *f, size_t size, const char *called, double now)
{
    char *bytes = calloc(1, size + 1);
    memset(bytes, 'x', size);
    return files_keep(f, bytes, size, called, "fr", now);
}

TEST(files_are_found_until_they_expire)
{
    struct files *f = calloc(1, sizeof *f);
    char name[FILES_NAME];
    memcpy(name, keep(f, 3, "a b/My \"film\"\n.srt", 10), FILES_NAME);
    const struct file *file = files_find(f, name, 11);
    assert_non_null(file);
    assert_int_equal(file->size, 3);
    assert_string_equal(files_called(file), "My__film___fr.srt");
    assert_int_equal(strspn(name, "0123456789abcdef"), 32);
    name[5] = name[5] == '0' ? '1' : '0';
    assert_null(files_find(f, name, 11));
    assert_null(files_find(f, "", 11));
    name[5] = file->name[5];
    assert_non_null(files_find(f, name, 10 + FILES_SECONDS));
    assert_null(files_find(f, name, 11 + FILES_SECONDS));
    assert_int_equal(f->count, 0);
    assert_int_equal(f->bytes, 0);
    free(f);
}

TEST(files_names_are_not_repeated)
{
    struct files *f = calloc(1, sizeof *f);
    keep(f, 1, "a.txt", 0);
    keep(f, 1, "a.txt", 0);
    assert_string_not_equal(f->item[0].name, f->item[1].name);
    files_release(f);
    free(f);
}

TEST(files_oldest_make_room)
{
    struct files *f = calloc(1, sizeof *f);
    for (int i = 0; i < FILES_MOST + 10; i++)
        assert_non_null(keep(f, 1, i < 10 ? "old.txt" : "new.txt", 0));
    assert_int_equal(f->count, FILES_MOST);
    assert_string_equal(files_called(&f->item[0]), "new_fr.txt");
    assert_non_null(keep(f, FILES_BYTES - 5, "large.txt", 0));
    assert_int_equal(f->count, 6);
    assert_null(keep(f, FILES_BYTES + 1, "huge.txt", 0));
    assert_int_equal(f->count, 6);
    files_release(f);
    assert_int_equal(f->bytes, 0);
    free(f);
}
