#include "base/io.h"

#include "base/strbuf.h"
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Each test gets its own folder below the working directory ---- */

struct folder {
    char name[32];
    int from; /* the previous working directory */
};

static struct folder folder_enter(void)
{
    struct folder f = {.name = "io_test.XXXXXX", .from = open(".", O_RDONLY | O_CLOEXEC)};
    assert_true(f.from >= 0);
    assert_non_null(mkdtemp(f.name));
    assert_int_equal(chdir(f.name), 0);
    return f;
}

static int folder_count(const char *path)
{
    int count = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir));)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static void folder_leave(struct folder *f)
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

static void assert_holds(const char *path, const char *want)
{
    struct strbuf text = {0};
    assert_int_equal(io_read(path, &text, NULL), ATTEND_OK);
    assert_string_equal(text.text ? text.text : "", want);
    strbuf_release(&text);
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(io_write(path, text, strlen(text), NULL), ATTEND_OK);
}

static unsigned mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

/* ---- Reading ---- */

TEST(io_read_returns_every_byte_of_a_large_file)
{
    struct folder f = folder_enter();
    enum { SIZE = 200001 };
    char *bytes = malloc(SIZE);
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * 7 % 251);
    assert_int_equal(io_write("large", bytes, SIZE, NULL), ATTEND_OK);
    struct strbuf got = {0};
    strbuf_adds(&got, "before");
    assert_int_equal(io_read("large", &got, NULL), ATTEND_OK);
    assert_int_equal(got.length, 6 + SIZE);
    assert_memory_equal(got.text, "before", 6);
    assert_memory_equal(got.text + 6, bytes, SIZE);
    strbuf_release(&got);
    free(bytes);
    folder_leave(&f);
}

TEST(io_read_of_what_cannot_be_read_names_it)
{
    struct folder f = folder_enter();
    struct strbuf text = {0};
    struct attend_error err = {.message = ""};
    assert_int_equal(io_read("missing", &text, &err), ATTEND_IO);
    assert_string_equal(err.message, "missing: cannot be opened: No such file or directory");
    assert_int_equal(io_read(".", &text, &err), ATTEND_IO);
    assert_string_equal(err.message, ".: cannot be read: Is a directory");
    strbuf_release(&text);
    folder_leave(&f);
}

TEST(io_read_of_a_dash_is_standard_input)
{
    struct folder f = folder_enter();
    write_text("in", "from a pipe");
    const int saved = dup(0), fd = open("in", O_RDONLY);
    assert_true(saved >= 0 && fd >= 0);
    dup2(fd, 0);
    assert_holds("-", "from a pipe");
    dup2(saved, 0);
    close(saved);
    close(fd);
    folder_leave(&f);
}

TEST(io_map_shows_the_file)
{
    struct folder f = folder_enter();
    write_text("file", "mapped");
    struct io_map map = {0};
    assert_int_equal(io_map(&map, "file", NULL), ATTEND_OK);
    assert_int_equal(map.size, 6);
    assert_memory_equal(map.bytes, "mapped", 6);
    io_unmap(&map);
    assert_null(map.bytes);
    io_unmap(&map);
    folder_leave(&f);
}

TEST(io_map_copy_outlives_what_happens_to_the_file)
{
    struct folder f = folder_enter();
    struct io_map map = {0}, empty = {0};
    write_text("file", "copied");
    write_text("empty", "");
    assert_int_equal(io_map_copy(&map, "file", NULL), ATTEND_OK);
    assert_int_equal(io_map_copy(&empty, "empty", NULL), ATTEND_OK);
    assert_int_equal(truncate("file", 0), 0);
    assert_int_equal(map.size, 6);
    assert_memory_equal(map.bytes, "copied", 6);
    assert_null(empty.bytes);
    assert_int_equal(io_map_copy(&empty, "missing", NULL), ATTEND_IO);
    io_unmap(&map);
    folder_leave(&f);
}

/* kB of the mapping that are in memory for this process */
static long resident(const struct io_map *map)
{
    char line[512];
    long kilobytes = 0;
    bool here = false;
    FILE *f = fopen("/proc/self/smaps", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            here = from == (unsigned long)(uintptr_t)map->mapping;
        else if (here)
            sscanf(line, "Rss: %ld", &kilobytes);
    }
    fclose(f);
    return kilobytes;
}

static bool holds(const struct io_map *map, unsigned char byte)
{
    for (size_t i = 0; i < map->size; i++)
        if (map->bytes[i] != byte)
            return false;
    return true;
}

TEST(io_map_spent_gives_memory_back_and_loses_nothing)
{
    enum { SIZE = 1 << 20 };
    struct io_map map = {0}, copy = {0};
    struct folder f = folder_enter();
    char *bytes = malloc(SIZE);
    memset(bytes, 'x', SIZE);
    assert_int_equal(io_write("file", bytes, SIZE, NULL), ATTEND_OK);
    free(bytes);
    assert_int_equal(io_map(&map, "file", NULL), ATTEND_OK);
    assert_int_equal(io_map_copy(&copy, "file", NULL), ATTEND_OK);
    assert_true(holds(&map, 'x'));
    assert_true(resident(&map) >= SIZE / 1024);
    io_map_spent(&map, map.bytes + 1, SIZE - 2);
    assert_true(resident(&map) <=
                256); /* the pages at its ends, with what the kernel brings along */
    io_map_spent(&map, map.bytes + 1, 1);
    io_map_spent(&copy, copy.bytes, SIZE);
    assert_true(holds(&map, 'x'));
    assert_true(holds(&copy, 'x'));
    io_unmap(&map);
    io_unmap(&copy);
    folder_leave(&f);
}

TEST(io_map_of_an_empty_file_is_empty)
{
    struct folder f = folder_enter();
    write_text("empty", "");
    struct io_map map = {0};
    assert_int_equal(io_map(&map, "empty", NULL), ATTEND_OK);
    assert_null(map.bytes);
    assert_int_equal(map.size, 0);
    io_unmap(&map);
    folder_leave(&f);
}

TEST(io_map_refuses_what_is_no_file_and_leaves_the_map_alone)
{
    struct folder f = folder_enter();
    struct attend_error err = {.message = ""};
    struct io_map map = {.size = 77};
    assert_int_equal(io_map(&map, ".", &err), ATTEND_IO);
    assert_string_equal(err.message, ".: is not a regular file");
    assert_int_equal(mkfifo("fifo", 0600), 0); /* nobody writes to it */
    assert_int_equal(io_map(&map, "fifo", &err), ATTEND_IO);
    assert_string_equal(err.message, "fifo: is not a regular file");
    assert_int_equal(io_map(&map, "missing", &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "missing: cannot be opened"));
    assert_int_equal(map.size, 77);
    folder_leave(&f);
}

/* ---- Writing ---- */

TEST(io_writer_commit_replaces_the_file_at_once)
{
    struct folder f = folder_enter();
    write_text("file", "old");
    struct io_writer w;
    assert_int_equal(io_writer_open(&w, "file", NULL), ATTEND_OK);
    fputs("new text", w.file);
    fflush(w.file);
    assert_holds("file", "old");
    assert_int_equal(folder_count("."), 2);
    assert_int_equal(io_writer_commit(&w, NULL), ATTEND_OK);
    assert_holds("file", "new text");
    assert_int_equal(folder_count("."), 1);
    io_writer_close(&w);
    assert_holds("file", "new text");
    folder_leave(&f);
}

TEST(io_writer_without_commit_leaves_the_old_file_and_no_temporary)
{
    struct folder f = folder_enter();
    write_text("file", "old");
    struct io_writer w;
    assert_int_equal(io_writer_open(&w, "file", NULL), ATTEND_OK);
    fputs("half of the new te", w.file);
    io_writer_close(&w);
    assert_holds("file", "old");
    assert_int_equal(folder_count("."), 1);
    io_writer_close(&w);
    folder_leave(&f);
}

TEST(io_writer_follows_links_and_leaves_them)
{
    struct folder f = folder_enter();
    struct stat st;
    assert_int_equal(mkdir("sub", 0777), 0);
    assert_int_equal(symlink("sub/file", "link"), 0);
    write_text("link", "made where the link leads");
    assert_holds("sub/file", "made where the link leads");
    write_text("link", "replaced");
    assert_holds("sub/file", "replaced");
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(folder_count("."), 2);
    assert_int_equal(folder_count("sub"), 1);
    close(open("sub/file.123-0.tmp", O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
    io_writer_sweep("link", NULL);
    assert_int_equal(folder_count("sub"), 1);
    unlink("sub/file");
    folder_leave(&f);
}

TEST(io_writer_of_links_in_a_circle_is_an_error)
{
    struct folder f = folder_enter();
    struct attend_error err = {.message = ""};
    assert_int_equal(symlink("link", "link"), 0);
    assert_int_equal(io_write("link", "x", 1, &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "link: cannot be opened: Too many levels"));
    assert_int_equal(folder_count("."), 1);
    folder_leave(&f);
}

TEST(io_writer_sweep_removes_what_killed_writers_left_and_nothing_else)
{
    struct folder f = folder_enter();
    static const char *const left[] = {"file.12-0.tmp", "file.4194303-17.tmp"};
    static const char *const others[] = {"file",          "file.tmp",        "file.12.tmp",
                                         "file.-1.tmp",   "file.12-.tmp",    "file.12-0.tmp2",
                                         "file2.1-0.tmp", "file.x.12-0.tmp", "a file.12-0.tmp"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        write_text(left[i], "half of the te");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        write_text(others[i], "text");
    io_writer_sweep("file", NULL);
    assert_int_equal(folder_count("."), sizeof others / sizeof *others);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_holds(others[i], "text");
    write_text(left[0], "half of the te");
    io_writer_sweep("./file", NULL);
    assert_int_equal(folder_count("."), sizeof others / sizeof *others);
    io_writer_sweep("no folder/file", NULL);
    write_text("file.keep-56.12-0.tmp", "half of the te");
    write_text("file.keep-.tmp", "text");
    io_writer_sweep("file", ".keep-");
    assert_int_equal(folder_count("."), sizeof others / sizeof *others + 1);
    assert_holds("file.keep-.tmp", "text");
    folder_leave(&f);
}

TEST(io_writer_reader_keeps_the_file_it_opened)
{
    struct folder f = folder_enter();
    write_text("file", "old");
    struct io_map map = {0};
    assert_int_equal(io_map(&map, "file", NULL), ATTEND_OK);
    write_text("file", "new, and longer");
    assert_memory_equal(map.bytes, "old", 3);
    io_unmap(&map);
    folder_leave(&f);
}

TEST(io_writer_where_nothing_can_be_written_names_the_path)
{
    struct folder f = folder_enter();
    struct attend_error err = {.message = ""};
    struct io_writer w;
    assert_int_equal(io_writer_open(&w, "missing/file", &err), ATTEND_IO);
    assert_string_equal(err.message, "missing/file: cannot be written: No such file or directory");
    io_writer_close(&w);
    write_text("plain", "text");
    assert_int_equal(io_write("plain/file", "x", 1, &err), ATTEND_IO);
    assert_string_equal(err.message, "plain/file: cannot be written: Not a directory");
    assert_holds("plain", "text");
    folder_leave(&f);
}

TEST(io_writer_in_a_folder_without_permission_names_the_path)
{
    if (geteuid() == 0)
        skip(); /* root may write anywhere */
    struct folder f = folder_enter();
    struct attend_error err = {.message = ""};
    assert_int_equal(mkdir("closed", 0500), 0);
    assert_int_equal(io_write("closed/file", "x", 1, &err), ATTEND_IO);
    assert_string_equal(err.message, "closed/file: cannot be written: Permission denied");
    assert_int_equal(folder_count("closed"), 0);
    folder_leave(&f);
}

TEST(io_writer_never_replaces_a_folder)
{
    struct folder f = folder_enter();
    struct attend_error err = {.message = ""};
    assert_int_equal(mkdir("folder", 0700), 0);
    struct io_writer w;
    assert_int_equal(io_writer_open(&w, "folder", &err), ATTEND_IO);
    assert_string_equal(err.message, "folder: cannot be written: Is a directory");
    assert_int_equal(folder_count("."), 1);
    folder_leave(&f);
}

TEST(io_writer_gives_the_mode_that_the_umask_asks_for)
{
    struct folder f = folder_enter();
    const mode_t saved = umask(0027);
    write_text("shared", "x");
    assert_int_equal(mode_of("shared"), 0640);
    umask(0077);
    write_text("private", "x");
    assert_int_equal(mode_of("private"), 0600);
    assert_int_equal(umask(saved), 0077);
    folder_leave(&f);
}

/* A limit on the file size stands in for a full disk. The message must give the reason even if an
 * earlier write failed and not the last flush. */
static void assert_full_disk(size_t length)
{
    char *bytes = calloc(1, length);
    struct attend_error err = {.message = ""};
    assert_int_equal(io_write("file", bytes, length, &err), ATTEND_IO);
    free(bytes);
    assert_string_equal(err.message, "file: cannot be written: File too large");
    assert_holds("file", "old");
    assert_int_equal(folder_count("."), 1);
}

TEST(io_writer_on_a_full_disk_keeps_the_old_file)
{
    struct folder f = folder_enter();
    write_text("file", "old");
    struct rlimit saved;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &saved), 0);
    const struct rlimit low = {.rlim_cur = 1000, .rlim_max = saved.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    assert_full_disk(1001);
    assert_full_disk(5000);
    assert_full_disk(1 << 20);
    setrlimit(RLIMIT_FSIZE, &saved);
    signal(SIGXFSZ, SIG_DFL);
    folder_leave(&f);
}

/* Renaming over a pipe or /dev/null would replace it by a regular file. */
TEST(io_writer_writes_into_a_pipe_and_leaves_it_a_pipe)
{
    struct folder f = folder_enter();
    assert_int_equal(mkfifo("pipe", 0600), 0);
    const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    write_text("pipe", "through");
    char got[16] = "";
    assert_int_equal(read(reader, got, sizeof got - 1), 7);
    assert_string_equal(got, "through");
    close(reader);
    struct stat st;
    assert_int_equal(stat("pipe", &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    assert_int_equal(folder_count("."), 1);
    folder_leave(&f);
}
