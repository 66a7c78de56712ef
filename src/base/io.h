/* Files: reading whole, mapping, and writing so that a reader never sees half a file. */
#ifndef ATTEND_BASE_IO_H
#define ATTEND_BASE_IO_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct strbuf;

/* Append the bytes of a file, or of standard input when path is "-". */
enum attend_status io_read(const char *path, struct strbuf *out, struct attend_error *err);

/* As read() does, but a signal does not end it. */
ssize_t io_read_some(int fd, void *out, size_t room);
/* Whether there is something at the path. Not being able to tell is an error. */
enum attend_status io_exists(const char *path, bool *out, struct attend_error *err);

/* A file mapped for reading. `bytes` is NULL when the file is empty. */
struct io_map {
    const unsigned char *bytes;
    size_t size;
};
enum attend_status io_map(struct io_map *, const char *path, struct attend_error *err);
/* The same bytes in memory of our own, which stay whatever happens to the file. A file that shrinks
 * meanwhile is ATTEND_IO. */
enum attend_status io_map_copy(struct io_map *, const char *path, struct attend_error *err);
void io_unmap(struct io_map *);

/* A file to write and read back that nobody else sees: it has no name, and is gone when closed or
 * when the process ends, however that happens. It lies in `folder`. */
enum attend_status io_temporary(FILE **out, const char *folder, struct attend_error *err);
/* The folder that a path lies in, for the caller to free; NULL when out of memory. */
char *io_folder(const char *path);

/* A file that only one process at a time can hold. It goes when that process lets go of it; what a
 * killed process leaves behind holds nobody up. */
struct io_lock {
    int file; /* -1: not held */
    char *path;
};
/* ATTEND_USAGE when another process holds it. */
enum attend_status io_lock(struct io_lock *, const char *path, struct attend_error *err);
void io_unlock(struct io_lock *);

/* Writing a file: everything goes to a temporary file in the same folder; commit makes it durable
 * and renames it over `path`, so that power loss or a full disk leaves the old file or the new one,
 * whole. A symbolic link stays: the file that it leads to is written so, or made where it leads. A
 * pipe or a device is written straight. */
struct io_writer {
    FILE *file;             /* write here */
    char *path, *temporary; /* no temporary: a pipe or device, or committed */
    int reason;             /* errno of the first io_writer_add that failed */
};
enum attend_status io_writer_open(struct io_writer *, const char *path, struct attend_error *err);
/* Add bytes, for commit to say why if they cannot be written. A caller may also write to `file`
 * itself: commit then knows only that it failed. */
void io_writer_add(struct io_writer *, const void *bytes, size_t length);
enum attend_status io_writer_commit(struct io_writer *, struct attend_error *err);
/* Ends a writer whatever its state; what was not committed is removed. */
void io_writer_close(struct io_writer *);
/* Removes the temporary files of writers of the path that were killed. Those of writers that still
 * write go too, so the caller makes sure, by a lock, that there are none. */
void io_writer_sweep(const char *path);

/* All of it at once, as a writer would. */
enum attend_status io_write(const char *path, const char *bytes, size_t length,
                            struct attend_error *err);

#endif
