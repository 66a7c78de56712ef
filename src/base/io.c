#include "base/io.h"

#include "base/error.h"
#include "base/path.h"
#include "base/strbuf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static enum attend_status file_error(struct attend_error *err, const char *path, const char *what)
{
    return error_set(err, ATTEND_IO, "%s: %s: %s", path, what, strerror(errno));
}

/* ---- Reading ---- */

enum attend_status io_read(const char *path, struct strbuf *out, struct attend_error *err)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!file)
        return file_error(err, path, "cannot be opened");
    char block[1 << 16];
    size_t got;
    errno = 0;
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        strbuf_add(out, block, got);
    const enum attend_status status =
        ferror(file) ? file_error(err, path, "cannot be read") : strbuf_status(out, err);
    if (file != stdin)
        fclose(file);
    return status;
}

/* Brings the content of an open file into memory; `size` is above 0. */
typedef enum attend_status place_fn(void **bytes, size_t size, int fd, const char *path,
                                    struct attend_error *err);

static enum attend_status place(struct io_map *map, const char *path, place_fn *make,
                                struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    struct stat stat;
    void *bytes = NULL;
    /* A FIFO without a writer would otherwise block here, before it can be refused. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return file_error(err, path, "cannot be opened");
    if (fstat(fd, &stat))
        status = file_error(err, path, "cannot be read");
    else if (!S_ISREG(stat.st_mode))
        status = error_set(err, ATTEND_IO, "%s: is not a regular file", path);
    else if (stat.st_size > 0)
        status = make(&bytes, (size_t)stat.st_size, fd, path, err);
    close(fd);
    if (status == ATTEND_OK)
        *map = (struct io_map){.bytes = bytes, .size = (size_t)stat.st_size, .mapping = bytes};
    return status;
}

static enum attend_status place_mapped(void **bytes, size_t size, int fd, const char *path,
                                       struct attend_error *err)
{
    *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    return *bytes == MAP_FAILED ? file_error(err, path, "cannot be mapped") : ATTEND_OK;
}

ssize_t io_read_some(int fd, void *out, size_t room)
{
    ssize_t got;
    do
        got = read(fd, out, room);
    while (got < 0 && errno == EINTR);
    return got;
}

static enum attend_status place_copied(void **bytes, size_t size, int fd, const char *path,
                                       struct attend_error *err)
{
    *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (*bytes == MAP_FAILED)
        return file_error(err, path, "cannot be held in memory");
    ssize_t got = 1;
    for (size_t at = 0; at < size && got > 0; at += (size_t)(got > 0 ? got : 0))
        got = io_read_some(fd, (char *)*bytes + at, size - at);
    if (got > 0)
        return ATTEND_OK;
    munmap(*bytes, size);
    return got < 0 ? file_error(err, path, "cannot be read")
                   : error_set(err, ATTEND_IO, "%s: was truncated while it was read", path);
}

enum attend_status io_map(struct io_map *map, const char *path, struct attend_error *err)
{
    return place(map, path, place_mapped, err);
}

enum attend_status io_map_copy(struct io_map *map, const char *path, struct attend_error *err)
{
    const enum attend_status status = place(map, path, place_copied, err);
    map->copied = true;
    return status;
}

static uintptr_t page_size(void) { return (uintptr_t)sysconf(_SC_PAGESIZE); }

/* The mapping is not const, as madvise wants it. */
static void advise(const struct io_map *map, uintptr_t from, size_t size, int advice)
{
    (void)madvise((char *)map->mapping + (from - (uintptr_t)map->mapping), size, advice);
}

void io_map_expect(const struct io_map *map, const void *at, size_t size)
{
#ifdef MADV_POPULATE_READ
    const uintptr_t before = (uintptr_t)at & (page_size() - 1);
    if (!map->copied && size > 0)
        advise(map, (uintptr_t)at - before, size + before, MADV_POPULATE_READ); /* only a hint */
#else
    (void)map, (void)at, (void)size;
#endif
}

void io_map_spent(const struct io_map *map, const void *at, size_t size)
{
    const uintptr_t page = page_size(), from = (uintptr_t)at;
    const size_t before = (size_t)(-from & (page - 1));
    if (!map->copied && size > before)
        advise(map, from + before, (size - before) / page * page, MADV_DONTNEED);
}

void io_unmap(struct io_map *map)
{
    if (map->mapping)
        munmap(map->mapping, map->size);
    *map = (struct io_map){0};
}

enum attend_status io_exists(const char *path, bool *out, struct attend_error *err)
{
    *out = access(path, F_OK) == 0;
    return *out || errno == ENOENT || errno == ENOTDIR ? ATTEND_OK
                                                       : file_error(err, path, "cannot be read");
}

/* ---- Temporary files ---- */

char *io_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

/* A fallback for file systems that cannot create files without a name: the name is removed right
 * after creation. A process that is killed in between leaves the file behind. */
static int open_and_unlink(const char *folder)
{
    struct strbuf name = {0};
    strbuf_addf(&name, "%s/attend-XXXXXX", folder);
    int fd = name.failed ? -1 : mkostemp(name.text, O_CLOEXEC);
    if (fd >= 0 && unlink(name.text)) {
        close(fd);
        fd = -1;
    }
    strbuf_release(&name);
    return fd;
}

static int open_unnamed(const char *folder)
{
#ifdef O_TMPFILE
    const int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
#endif
    return open_and_unlink(folder);
}

enum attend_status io_temporary(FILE **out, const char *folder, struct attend_error *err)
{
    const int fd = open_unnamed(folder);
    *out = fd < 0 ? NULL : fdopen(fd, "wb+");
    const enum attend_status status =
        *out ? ATTEND_OK : file_error(err, folder, "cannot hold a temporary file");
    if (!*out && fd >= 0)
        close(fd);
    return status;
}

/* ---- Locks ---- */

/* Whether the path still names the open file: another holder may have removed it meanwhile. */
static enum attend_status check_current(int file, const char *path, bool *current,
                                        struct attend_error *err)
{
    struct stat held, there;
    const bool known = fstat(file, &held) == 0, found = known && stat(path, &there) == 0;
    if (!known || (!found && errno != ENOENT))
        return file_error(err, path, "cannot be read");
    *current = found && held.st_ino == there.st_ino && held.st_dev == there.st_dev;
    return ATTEND_OK;
}

static enum attend_status hold(int file, const char *path, struct attend_error *err)
{
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        return ATTEND_OK;
    return errno == EWOULDBLOCK
               ? error_set(err, ATTEND_USAGE, "%s: is locked by another running process", path)
               : file_error(err, path, "cannot be locked");
}

enum attend_status io_lock(struct io_lock *lock, const char *path, struct attend_error *err)
{
    bool current = false;
    enum attend_status status = ATTEND_OK;
    *lock = (struct io_lock){.file = -1, .path = strdup(path)};
    if (!lock->path)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    while (!status && !current) {
        const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        status = file < 0 ? file_error(err, path, "cannot be written") : hold(file, path, err);
        if (!status)
            status = check_current(file, path, &current, err);
        if (current)
            lock->file = file;
        else if (file >= 0)
            close(file);
    }
    if (status)
        io_unlock(lock);
    return status;
}

void io_unlock(struct io_lock *lock)
{
    if (lock->file >= 0) {
        if (lock->path)
            unlink(lock->path);
        close(lock->file);
    }
    free(lock->path);
    *lock = (struct io_lock){.file = -1};
}

/* ---- Writing ---- */

/* A rename over a pipe or /dev/null would replace it by a file, so those are written directly. */
static bool is_special(const char *path)
{
    struct stat stat_of;
    return stat(path, &stat_of) == 0 && !S_ISREG(stat_of.st_mode);
}

/* Create a new file beside the path, so that the rename stays within one file system. Two writers
 * of the same path get different files, even in different processes. */
static FILE *open_temporary(const char *path, char **name)
{
    struct strbuf buffer = {0};
    int fd = -1;
    for (int i = 0; i < 1000; i++) {
        strbuf_clear(&buffer);
        strbuf_addf(&buffer, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        fd = buffer.failed ? -1 : open(buffer.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (fd >= 0 && !file)
        close(fd);
    *name = fd < 0 ? NULL : strbuf_detach(&buffer);
    strbuf_release(&buffer);
    return file;
}

enum attend_status io_writer_open(struct io_writer *w, const char *path, struct attend_error *err)
{
    *w = (struct io_writer){0};
    enum attend_status status = path_follow(&w->path, path, err);
    if (status)
        return status;
    w->file = is_special(path) ? fopen(path, "wb") : open_temporary(w->path, &w->temporary);
    if (w->file)
        return ATTEND_OK;
    status = file_error(err, path, "cannot be written");
    io_writer_close(w);
    return status;
}

/* A rename is durable only after its folder has been synced. If the folder cannot be opened or
 * synced, we leave that to the system. */
static void sync_folder(const char *path)
{
    char *folder = io_folder(path);
    const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

/* When an earlier write failed, errno no longer has its reason. */
static enum attend_status write_error(struct attend_error *err, const char *path)
{
    return errno ? file_error(err, path, "cannot be written")
                 : error_set(err, ATTEND_IO, "%s: cannot be written; is the disk full?", path);
}

void io_writer_add(struct io_writer *w, const void *bytes, size_t length)
{
    errno = 0;
    if (fwrite(bytes, 1, length, w->file) != length && !w->reason)
        w->reason = errno;
}

enum attend_status io_writer_commit(struct io_writer *w, struct attend_error *err)
{
    errno = 0;
    const bool bad = ferror(w->file) || fflush(w->file) || (w->temporary && fsync(fileno(w->file)));
    const int saved = w->reason ? w->reason : errno;
    const bool unclosed = fclose(w->file) != 0;
    w->file = NULL;
    if (bad && saved)
        errno = saved;
    if (bad || unclosed || (w->temporary && rename(w->temporary, w->path)))
        return write_error(err, w->path);
    if (!w->temporary)
        return ATTEND_OK;
    free(w->temporary);
    w->temporary = NULL;
    sync_folder(w->path);
    return ATTEND_OK;
}

void io_writer_close(struct io_writer *w)
{
    if (w->file)
        fclose(w->file);
    if (w->temporary)
        unlink(w->temporary);
    free(w->temporary);
    free(w->path);
    *w = (struct io_writer){0};
}

/* Whether `name` is one that open_temporary would choose for a file named `base`, or, with a series,
 * for `base`, the series and a number. */
static bool is_temporary_of(const char *name, const char *base, const char *series)
{
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0)
        return false;
    if (series && strncmp(name + length, series, strlen(series)) == 0) {
        length += strlen(series);
        length += strspn(name + length, "0123456789");
    }
    if (name[length] != '.')
        return false;
    const char *process = name + length + 1;
    const char *dash = process + strspn(process, "0123456789");
    if (dash == process || *dash != '-')
        return false;
    const char *end = dash + 1 + strspn(dash + 1, "0123456789");
    return end > dash + 1 && strcmp(end, ".tmp") == 0;
}

void io_writer_sweep(const char *path, const char *series)
{
    char *end = NULL;
    if (path_follow(&end, path, NULL))
        return;
    const char *slash = strrchr(end, '/');
    char *folder = io_folder(end);
    DIR *listing = folder ? opendir(folder) : NULL;
    for (const struct dirent *entry; listing && (entry = readdir(listing));)
        if (is_temporary_of(entry->d_name, slash ? slash + 1 : end, series))
            unlinkat(dirfd(listing), entry->d_name, 0);
    if (listing)
        closedir(listing);
    free(folder);
    free(end);
}

enum attend_status io_write(const char *path, const char *bytes, size_t length,
                            struct attend_error *err)
{
    struct io_writer w;
    enum attend_status status = io_writer_open(&w, path, err);
    if (status)
        return status;
    io_writer_add(&w, bytes, length);
    status = io_writer_commit(&w, err);
    io_writer_close(&w);
    return status;
}
