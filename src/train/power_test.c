/* Simulated power loss: the process dies at its n-th file operation, for every n, and the resumed
 * run ends with the same bytes. An interrupted write leaves half of its bytes. */
#include "base/io.h"
#include "base/strbuf.h"
#include "test.h"
#include "trainer_fixture.h"

#include <fcntl.h>
#include <sys/wait.h>

static int steps_left = -1; /* -1: no power loss */
enum { DARK = 99 };

static bool fails(void)
{
    if (steps_left > 0)
        steps_left--;
    return steps_left == 0;
}

/* The linker redirects the library's calls here. */
int __real_rename(const char *from, const char *to);
int __real_fsync(int file);
int __real_unlink(const char *path);
size_t __real_fwrite(const void *bytes, size_t each, size_t count, FILE *file);
int __wrap_rename(const char *from, const char *to);
int __wrap_fsync(int file);
int __wrap_unlink(const char *path);
size_t __wrap_fwrite(const void *bytes, size_t each, size_t count, FILE *file);

int __wrap_rename(const char *from, const char *to)
{
    if (fails())
        _exit(DARK);
    const int result = __real_rename(from, to);
    if (fails())
        _exit(DARK);
    return result;
}

int __wrap_fsync(int file)
{
    if (fails())
        _exit(DARK);
    return __real_fsync(file);
}

int __wrap_unlink(const char *path)
{
    if (fails())
        _exit(DARK);
    return __real_unlink(path);
}

size_t __wrap_fwrite(const void *bytes, size_t each, size_t count, FILE *file)
{
    if (fails()) {
        __real_fwrite(bytes, 1, each * count / 2, file);
        fflush(file);
        _exit(DARK);
    }
    return __real_fwrite(bytes, each, count, file);
}

static void prepare(struct fixture *f)
{
    fixture_init(f);
    f->options.max_epochs = 2;
    f->options.average = 2;
}

/* Whether the run finished. */
static bool train_until_dark(struct fixture *f, int steps)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        steps_left = steps;
        _exit(run_from(f, &f->valid, true, NULL));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != DARK)
        assert_int_equal(WEXITSTATUS(status), ATTEND_OK);
    return WEXITSTATUS(status) != DARK;
}

static void read_file(const char *path, struct strbuf *out)
{
    assert_int_equal(io_read(path, out, NULL), ATTEND_OK);
}

static void remove_leftovers(const struct fixture *f)
{
    char command[256];
    snprintf(command, sizeof command, "rm -f %s*", f->path);
    assert_int_equal(system(command), 0);
}

TEST(power_failing_at_any_step_loses_nothing)
{
    struct fixture f;
    struct strbuf model = {0}, checkpoint = {0};
    int tried = 0;
    prepare(&f);
    assert_true(train_until_dark(&f, -1));
    read_file(f.path, &model);
    read_file(f.checkpoint, &checkpoint);
    for (bool whole = false; !whole; tried++) {
        struct strbuf got_model = {0}, got_checkpoint = {0};
        remove_leftovers(&f);
        whole = train_until_dark(&f, tried + 1);
        assert_true(train_until_dark(&f, -1));
        read_file(f.path, &got_model);
        read_file(f.checkpoint, &got_checkpoint);
        assert_int_equal(got_model.length, model.length);
        assert_memory_equal(got_model.text, model.text, model.length);
        assert_int_equal(got_checkpoint.length, checkpoint.length);
        assert_memory_equal(got_checkpoint.text, checkpoint.text, checkpoint.length);
        strbuf_release(&got_model);
        strbuf_release(&got_checkpoint);
    }
    assert_true(tried > 50); /* there were operations to interrupt */
    remove_leftovers(&f);
    strbuf_release(&model);
    strbuf_release(&checkpoint);
    fixture_release(&f);
}
