/* Translated files that clients can fetch: in memory, for a while, under names that nobody can
 * guess. Only the thread of HTTP uses them. */
#ifndef ATTEND_SERVE_FILES_H
#define ATTEND_SERVE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The oldest files make room for new ones. */
enum { FILES_MOST = 256, FILES_BYTES = 1 << 27, FILES_SECONDS = 600, FILES_NAME = 160 };

/* All zero is empty. */
struct files {
    struct file {
        char name[FILES_NAME]; /* 32 random digits, a dot, and the name for people */
        char *bytes;
        size_t size;
        double kept;    /* when it was kept, on the clock of base/clock.h */
    } item[FILES_MOST]; /* oldest first */
    int count;
    size_t bytes; /* of all files */
};

/* Keep a file and return its name; NULL if it is too large or there are no random numbers. Takes
 * ownership of the bytes, also then. `called` is its name for people: other characters than letters,
 * digits, dots, dashes and underscores become underscores, and `suffix` is put before its ending. */
const char *files_keep(struct files *, char *bytes, size_t size, const char *called,
                       const char *suffix, double now);
/* NULL: there is none of this name, or not any more. */
const struct file *files_find(struct files *, const char *name, double now);
/* The name for people. */
const char *files_called(const struct file *);
void files_release(struct files *);

#endif
