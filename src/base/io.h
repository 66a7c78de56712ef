/* Files: reading whole files, mapping them, and writing so that a reader never sees half a file. */
#ifndef ATTEND_BASE_IO_H
#define ATTEND_BASE_IO_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct strbuf;

/* Append the content of a file, or of standard input when path is "-". */
enum attend_status io_read(const char *path, struct strbuf *out, struct attend_error *err);

/* Like read(), but retries when a signal interrupts it. */
ssize_t io_read_some(int fd, void *out, size_t room);
/* Whether something exists at the path. It is an error if that cannot be determined. */
enum attend_status io_exists(const char *path, bool *out, struct attend_error *err);

/* A file mapped for reading. `bytes` is NULL when the file is empty. */
struct io_map {
    const unsigned char *bytes;
    size_t size;
    void *mapping; /* the same place, for io_unmap alone */
    bool copied;
};
enum attend_status io_map(struct io_map *, const char *path, struct attend_error *err);
/* Like io_map, but the bytes are a copy in memory, so later changes of the file do not matter. A
 * file that shrinks while it is copied is ATTEND_IO. */
enum attend_status io_map_copy(struct io_map *, const char *path, struct attend_error *err);
/* These bytes will all be read now: map their pages at once, which takes less time than one by
 * one. */
void io_map_expect(const struct io_map *, const void *at, size_t size);
/* Give back the memory of these bytes, which come from the file again when they are read. Nothing
 * happens to a copy. */
void io_map_spent(const struct io_map *, const void *at, size_t size);
void io_unmap(struct io_map *);

/* Open a temporary file in `folder` for writing and reading back. It has no name, so no other
 * process sees it, and it is gone when it is closed or when the process ends for any reason. */
enum attend_status io_temporary(FILE **out, const char *folder, struct attend_error *err);
/* The folder of a path. The caller frees it; NULL when out of memory. */
char *io_folder(const char *path);

/* A lock file that only one process at a time can hold. Unlocking removes the file. A file left by
 * a killed process does not block anyone. */
struct io_lock {
    int file; /* -1: not held */
    char *path;
};
/* ATTEND_USAGE when another process holds the lock. */
enum attend_status io_lock(struct io_lock *, const char *path, struct attend_error *err);
void io_unlock(struct io_lock *);

/* An atomic file writer. Everything goes to a temporary file in the same folder. Commit makes it
 * durable and renames it over `path`, so that after a power loss or on a full disk either the old
 * or the new file is there, complete. If `path` is a symbolic link, the link stays and its target
 * is written this way. Pipes and devices are written directly. */
struct io_writer {
    FILE *file;             /* write here */
    char *path, *temporary; /* temporary is NULL for a pipe or device, and after commit */
    int reason;             /* errno of the first io_writer_add that failed */
};
enum attend_status io_writer_open(struct io_writer *, const char *path, struct attend_error *err);
/* Write bytes. If that fails, commit reports why. A caller may also write to `file` directly, but
 * then commit reports only that it failed. */
void io_writer_add(struct io_writer *, const void *bytes, size_t length);
enum attend_status io_writer_commit(struct io_writer *, struct attend_error *err);
/* Close a writer in any state. Without a commit the temporary file is removed. */
void io_writer_close(struct io_writer *);
/* Remove temporary files of `path` that killed writers left behind; with a series, such as ".keep-",
 * also those of `path`, the series and a number. This also removes the files of active writers, so
 * the caller must hold a lock that excludes them. */
void io_writer_sweep(const char *path, const char *series);

/* Write a whole file atomically, as a writer would. */
enum attend_status io_write(const char *path, const char *bytes, size_t length,
                            struct attend_error *err);

#endif
