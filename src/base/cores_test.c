#include "base/cores.h"

#include "test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROCESSORS = 8 };
static char folder[] = "cores_test.XXXXXX";
static const char *const parts[] = {"", "/topology", "/topology/thread_siblings_list"};

static char *path_of(int processor, int part)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/cpu%d%s", folder, processor, parts[part]);
    return path;
}

/* A fake /sys in which processor i reports siblings[i]; NULL: it reports nothing. */
static void make_machine(const char *const *siblings)
{
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < PROCESSORS && siblings[i]; i++) {
        assert_int_equal(mkdir(path_of(i, 0), 0700), 0);
        assert_int_equal(mkdir(path_of(i, 1), 0700), 0);
        FILE *file = fopen(path_of(i, 2), "w");
        assert_non_null(file);
        fprintf(file, "%s\n", siblings[i]);
        fclose(file);
    }
}

static void remove_machine(void)
{
    for (int i = 0; i < PROCESSORS; i++) {
        unlink(path_of(i, 2));
        rmdir(path_of(i, 1));
        rmdir(path_of(i, 0));
    }
    assert_int_equal(rmdir(folder), 0);
}

/* `mask` has one character per processor: x where the process may run. */
static int count(const char *const *siblings, const char *mask)
{
    bool allowed[PROCESSORS] = {false};
    for (int i = 0; i < PROCESSORS; i++)
        allowed[i] = mask[i] == 'x';
    make_machine(siblings);
    const int found = cores_count(folder, allowed, PROCESSORS);
    remove_machine();
    return found;
}

TEST(cores_are_processors_where_none_is_shared)
{
    const char *const alone[PROCESSORS] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    assert_int_equal(count(alone, "xxxxxxxx"), 8);
    assert_int_equal(count(alone, ".x.x...."), 2);
}

/* Both numberings that occur: siblings adjacent, or half the machine apart. */
TEST(cores_that_processors_share_count_once)
{
    const char *const near[PROCESSORS] = {"0-1", "0-1", "2-3", "2-3", "4-5", "4-5", "6-7", "6-7"};
    const char *const far[PROCESSORS] = {"0,4", "1,5", "2,6", "3,7", "0,4", "1,5", "2,6", "3,7"};
    assert_int_equal(count(near, "xxxxxxxx"), 4);
    assert_int_equal(count(far, "xxxxxxxx"), 4);
    assert_int_equal(count(near, "xx.x...."), 2);
    assert_int_equal(count(far, "....xx.."), 2);
    assert_int_equal(count(far, "x...x..."), 1);
}

TEST(cores_are_not_counted_when_a_processor_is_not_described)
{
    const char *const few[PROCESSORS] = {"0", "1"};
    const char *const odd[PROCESSORS] = {"0", "what", "2", "3", "4", "5", "6", "7"};
    assert_int_equal(count(few, "xx......"), 2);
    assert_int_equal(count(few, "xxx....."), 0);
    assert_int_equal(count(odd, "x.x....."), 2);
    assert_int_equal(count(odd, "xx......"), 0);
}
