#include "posix.h"

#include "base/usage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

int mkostemp(char *pattern, int flags)
{
    enum { TRIES = 1000, DIGITS = 6 };
    char *end = pattern + strlen(pattern) - DIGITS;
    for (int i = 0; i < TRIES; i++) {
        snprintf(end, DIGITS + 1, "%06d", i);
        const int fd = open(pattern, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

int flock(int fd, int operation)
{
    (void)fd;
    (void)operation;
    return 0;
}

char *realpath(const char *path, char *resolved)
{
    (void)resolved;
    return strdup(path);
}

ssize_t getrandom(void *out, size_t size, unsigned flags)
{
    (void)flags;
    return getentropy(out, size) ? -1 : (ssize_t)size;
}

int madvise(void *at, size_t size, int advice)
{
    (void)at;
    (void)size;
    (void)advice;
    return 0;
}

/* Nothing waits for an event: a server answers while it is called. */
int eventfd(unsigned count, int flags)
{
    (void)count;
    (void)flags;
    return open("/events", O_RDWR | O_CREAT, 0600);
}

/* Linear memory never shrinks, so its size is its peak. */
double usage_peak_mb(void) { return (double)__builtin_wasm_memory_size(0) / 16; }
