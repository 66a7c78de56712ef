/* The injector: a shared object that is preloaded (LD_PRELOAD). It stands before the libc functions
 * that the program uses, counts their calls and makes one of them fail; FAULTS names the file that
 * says which (faults.h).
 *
 * A call counts when it comes from the program, its modules, or a library whose failures reach us
 * as a return value (`counted` below). SentencePiece, pango and libc itself are not ours to test.
 *
 * To teach it a function: a row in one of the lists below, or a body of its own when it is variadic
 * or fails in another way. tests/faults/known.sh finds functions that are missing. */
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <glob.h>
#include <link.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define CALLER __builtin_return_address(0)
#define VISIBLE __attribute__((visibility("default")))

static struct faults *faults; /* NULL: nothing is counted */
static __thread bool inside;  /* the injector itself calls */

/* ---- Which calls count ---- */

/* Beginnings of file names; the program itself has none. */
static const char *const counted[] = {"attend-", "libattend", "libjansson",  "libyaml",
                                      "libz.",   "libzstd",   "libutf8proc", "libmicrohttpd"};

static bool is_counted(const void *caller)
{
    struct dl_find_object found;
    union {
        const void *in;
        void *out;
    } address = {.in = caller};
    if (atomic_load(&faults->all))
        return true;
    if (_dl_find_object(address.out, &found) || !found.dlfo_link_map)
        return false;
    const char *path = found.dlfo_link_map->l_name, *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        if (strncmp(name, counted[i], strlen(counted[i])) == 0)
            return true;
    return !*path;
}

/* ---- What fails ---- */

/* Callers as FILE+OFFSET, which addr2line takes. */
static void tell_where(const char *function)
{
    void *frame[24];
    const int frames = backtrace(frame, 24);
    size_t used = (size_t)snprintf(faults->where, sizeof faults->where, "%s", function);
    for (int i = 2; i < frames && used < sizeof faults->where - 80; i++) {
        struct dl_find_object found;
        if (_dl_find_object(frame[i], &found) || !found.dlfo_link_map)
            continue;
        const char *path = found.dlfo_link_map->l_name, *slash = strrchr(path, '/');
        const size_t offset = (size_t)((char *)frame[i] - (char *)found.dlfo_link_map->l_addr);
        used += (size_t)snprintf(faults->where + used, sizeof faults->where - used, " %.40s+0x%zx",
                                 *path ? slash ? slash + 1 : path : "attend", offset - 1);
    }
}

/* The callers of a call that are counted themselves; deeper ones would tell apart every line of an
 * input. */
enum { PATH = 5 };

static unsigned path_hash(void)
{
    void *frame[24];
    const int frames = backtrace(frame, 24);
    uint64_t hash = 1;
    for (int i = 2, taken = 0; i < frames && taken < PATH; i++) {
        if (!is_counted(frame[i]))
            continue;
        hash = (hash ^ (uint64_t)(uintptr_t)frame[i]) * 0x9e3779b97f4a7c15U;
        taken++;
    }
    return (unsigned)(hash >> 32) | 1;
}

static bool fails(enum fault_kind kind, const char *function, const void *caller)
{
    if (!faults || inside || !is_counted(caller))
        return false;
    const int saved = errno;
    const long number = atomic_fetch_add(&faults->count[kind], 1) + 1;
    const bool now = atomic_load(&faults->kind) == (int)kind && atomic_load(&faults->at) == number;
    if (atomic_load(&faults->traced) && number <= FAULTS_TRACED) {
        inside = true;
        atomic_store(&faults->path[kind][number - 1], path_hash());
        inside = false;
    }
    if (now) {
        inside = true;
        tell_where(function);
        atomic_store(&faults->hit, 1);
        inside = false;
    }
    errno = saved;
    return now;
}

static void *find(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        abort();
    return function;
}

/* The function behind ours, into `real`; ISO C has no conversion for it. */
#define REAL(name)                                                                                 \
    static __typeof__(&name) real;                                                                 \
    if (!real)                                                                                     \
    *(void **)&real = find(#name)

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FAULTS");
    const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    void *frame[1];
    backtrace(frame, 1); /* loads what it needs now, not within an allocation */
    void *at = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    faults = at == MAP_FAILED ? NULL : at;
}

/* ---- Functions that fail with a value and errno ---- */

/* X(kind, errno, value, type, name, function behind it, parameters, arguments). Names that end in
 * _chk are what the compiler makes of calls whose sizes it checks (_FORTIFY_SOURCE). */
#define PLAIN_LIST(X)                                                                              \
    X(MEMORY, ENOMEM, NULL, void *, malloc, malloc, (size_t size), (size))                         \
    X(MEMORY, ENOMEM, NULL, void *, calloc, calloc, (size_t count, size_t size), (count, size))    \
    X(MEMORY, ENOMEM, NULL, void *, realloc, realloc, (void *old, size_t size), (old, size))       \
    X(MEMORY, ENOMEM, NULL, void *, aligned_alloc, aligned_alloc, (size_t to, size_t size),        \
      (to, size))                                                                                  \
    X(MEMORY, ENOMEM, ENOMEM, int, posix_memalign, posix_memalign,                                 \
      (void **out, size_t to, size_t size), (out, to, size))                                       \
    X(MEMORY, ENOMEM, NULL, char *, strdup, strdup, (const char *text), (text))                    \
    X(MEMORY, ENOMEM, NULL, char *, strndup, strndup, (const char *text, size_t most),             \
      (text, most))                                                                                \
    X(MEMORY, ENOMEM, NULL, FILE *, open_memstream, open_memstream, (char **text, size_t *size),   \
      (text, size))                                                                                \
    X(OPEN, EMFILE, -1, int, __open_2, open, (const char *path, int flags), (path, flags))         \
    X(OPEN, EMFILE, NULL, FILE *, fopen, fopen, (const char *path, const char *mode),              \
      (path, mode))                                                                                \
    X(OPEN, ENOMEM, NULL, FILE *, fdopen, fdopen, (int file, const char *mode), (file, mode))      \
    X(OPEN, EMFILE, NULL, DIR *, opendir, opendir, (const char *path), (path))                     \
    X(OPEN, EMFILE, -1, int, mkostemp, mkostemp, (char *path, int flags), (path, flags))           \
    X(OPEN, ENOSPC, -1, int, mkdir, mkdir, (const char *path, mode_t mode), (path, mode))          \
    X(SYNC, EIO, -1, int, fsync, fsync, (int file), (file))                                        \
    X(SYNC, EIO, -1, int, fdatasync, fdatasync, (int file), (file))                                \
    X(RENAME, EIO, -1, int, rename, rename, (const char *from, const char *to), (from, to))        \
    X(UNLINK, EIO, -1, int, unlink, unlink, (const char *path), (path))                            \
    X(UNLINK, EIO, -1, int, unlinkat, unlinkat, (int folder, const char *path, int flags),         \
      (folder, path, flags))                                                                       \
    X(SEEK, EIO, -1, int, fseek, fseek, (FILE * file, long at, int from), (file, at, from))        \
    X(SEEK, EIO, -1, int, fseeko, fseeko, (FILE * file, off_t at, int from), (file, at, from))     \
    X(SEEK, EIO, -1, off_t, ftello, ftello, (FILE * file), (file))                                 \
    X(SEEK, EIO, -1, long, ftell, ftell, (FILE * file), (file))                                    \
    X(SEEK, EIO, -1, int, ftruncate, ftruncate, (int file, off_t size), (file, size))              \
    X(MAP, ENOMEM, MAP_FAILED, void *, mmap, mmap,                                                 \
      (void *at, size_t size, int access, int flags, int file, off_t from),                        \
      (at, size, access, flags, file, from))                                                       \
    X(LOOK, EIO, -1, int, stat, stat, (const char *path, struct stat *out), (path, out))           \
    X(LOOK, EIO, -1, int, fstat, fstat, (int file, struct stat *out), (file, out))                 \
    X(LOOK, EIO, -1, int, lstat, lstat, (const char *path, struct stat *out), (path, out))         \
    X(LOOK, EIO, -1, int, access, access, (const char *path, int mode), (path, mode))              \
    X(LOOK, EIO, -1, ssize_t, readlink, readlink, (const char *path, char *out, size_t size),      \
      (path, out, size))                                                                           \
    X(LOOK, EIO, NULL, char *, realpath, realpath, (const char *path, char *out), (path, out))     \
    X(LOOK, EIO, NULL, struct dirent *, readdir, readdir, (DIR * listing), (listing))              \
    X(LOOK, ENOMEM, GLOB_NOSPACE, int, glob, glob,                                                 \
      (const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *out),           \
      (pattern, flags, on_error, out))                                                             \
    X(LOCK, ENOLCK, -1, int, flock, flock, (int file, int how), (file, how))                       \
    X(THREAD, EAGAIN, EAGAIN, int, pthread_create, pthread_create,                                 \
      (pthread_t * thread, const pthread_attr_t *how, void *(*main)(void *), void *context),       \
      (thread, how, main, context))                                                                \
    X(SOCKET, EMFILE, -1, int, socket, socket, (int domain, int type, int protocol),               \
      (domain, type, protocol))                                                                    \
    X(SOCKET, EADDRINUSE, -1, int, bind, bind,                                                     \
      (int file, const struct sockaddr *to, socklen_t size), (file, to, size))                     \
    X(SOCKET, EADDRINUSE, -1, int, listen, listen, (int file, int most), (file, most))             \
    X(SOCKET, ENOMEM, -1, int, getsockname, getsockname,                                           \
      (int file, struct sockaddr *restrict out, socklen_t *restrict size), (file, out, size))      \
    X(SOCKET, ENOMEM, -1, int, setsockopt, setsockopt,                                             \
      (int file, int level, int name, const void *value, socklen_t size),                          \
      (file, level, name, value, size))                                                            \
    X(SOCKET, ENOMEM, -1, int, shutdown, shutdown, (int file, int how), (file, how))               \
    X(SOCKET, EMFILE, -1, int, eventfd, eventfd, (unsigned value, int flags), (value, flags))      \
    X(SOCKET, EMFILE, -1, int, epoll_create1, epoll_create1, (int flags), (flags))                 \
    X(SOCKET, ENOMEM, EAI_MEMORY, int, getaddrinfo, getaddrinfo,                                   \
      (const char *restrict host, const char *restrict port, const struct addrinfo *restrict hint, \
       struct addrinfo **restrict out),                                                            \
      (host, port, hint, out))                                                                     \
    X(SOCKET, ENOMEM, EAI_MEMORY, int, getnameinfo, getnameinfo,                                   \
      (const struct sockaddr *restrict at, socklen_t size, char *restrict host,                    \
       socklen_t host_size, char *restrict port, socklen_t port_size, int flags),                  \
      (at, size, host, host_size, port, port_size, flags))                                         \
    X(RANDOM, ENOSYS, -1, ssize_t, getrandom, getrandom, (void *out, size_t size, unsigned flags), \
      (out, size, flags))                                                                          \
    X(LOOK, EIO, -1, ssize_t, __readlink_chk, readlink,                                            \
      (const char *path, char *out, size_t size, size_t room), (path, out, size))                  \
    X(LOOK, EIO, NULL, char *, __realpath_chk, realpath,                                           \
      (const char *path, char *out, size_t room), (path, out))

#define PLAIN(kind, number, value, type, name, behind, parameters, arguments)                      \
    VISIBLE type name parameters;                                                                  \
    VISIBLE type name parameters                                                                   \
    {                                                                                              \
        REAL(behind);                                                                              \
        if (fails(FAULT_##kind, #name, CALLER)) {                                                  \
            errno = number;                                                                        \
            return value;                                                                          \
        }                                                                                          \
        return real arguments;                                                                     \
    }
PLAIN_LIST(PLAIN)

/* ---- Calls that a signal interrupts, or that move fewer bytes ---- */

/* X(kind of its failure, errno, kind of a short one, name, function behind it, parameters,
 * arguments) */
#define BYTES_LIST(X)                                                                              \
    X(READ, EIO, SHORT_READ, read, read, (int file, void *bytes, size_t size),                     \
      (file, bytes, size))                                                                         \
    X(READ, EIO, SHORT_READ, pread, pread, (int file, void *bytes, size_t size, off_t at),         \
      (file, bytes, size, at))                                                                     \
    X(SOCKET, ECONNRESET, SHORT_READ, recv, recv, (int file, void *bytes, size_t size, int flags), \
      (file, bytes, size, flags))                                                                  \
    X(WRITE, ENOSPC, SHORT_WRITE, write, write, (int file, const void *bytes, size_t size),        \
      (file, bytes, size))                                                                         \
    X(SOCKET, EPIPE, SHORT_WRITE, send, send,                                                      \
      (int file, const void *bytes, size_t size, int flags), (file, bytes, size, flags))           \
    X(READ, EIO, SHORT_READ, __read_chk, read, (int file, void *bytes, size_t size, size_t room),  \
      (file, bytes, size))                                                                         \
    X(READ, EIO, SHORT_READ, __pread_chk, pread,                                                   \
      (int file, void *bytes, size_t size, off_t at, size_t room), (file, bytes, size, at))        \
    X(SOCKET, ECONNRESET, SHORT_READ, __recv_chk, recv,                                            \
      (int file, void *bytes, size_t size, size_t room, int flags), (file, bytes, size, flags))

/* Threads wake each other by eight bytes to an eventfd, which do not fail while the process is
 * sound. */
static bool is_wake(size_t size) { return size == 8; }

#define BYTES(kind, number, half, name, behind, parameters, arguments)                             \
    VISIBLE ssize_t name parameters;                                                               \
    VISIBLE ssize_t name parameters                                                                \
    {                                                                                              \
        REAL(behind);                                                                              \
        if (is_wake(size))                                                                         \
            return real arguments;                                                                 \
        const bool interrupted = fails(FAULT_INTERRUPT, #name, CALLER);                            \
        if (interrupted || fails(FAULT_##kind, #name, CALLER)) {                                   \
            errno = interrupted ? EINTR : number;                                                  \
            return -1;                                                                             \
        }                                                                                          \
        if (fails(FAULT_##half, #name, CALLER) && size > 1)                                        \
            size /= 2;                                                                             \
        return real arguments;                                                                     \
    }
BYTES_LIST(BYTES)

/* X(errno, type, name, function behind it, parameters, arguments): they wait, and may be
 * interrupted. */
#define WAIT_LIST(X)                                                                               \
    X(EMFILE, int, accept4, accept4,                                                               \
      (int file, struct sockaddr *restrict from, socklen_t *restrict size, int flags),             \
      (file, from, size, flags))                                                                   \
    X(ENOMEM, int, poll, poll, (struct pollfd * set, nfds_t count, int wait), (set, count, wait))  \
    X(EBADF, int, epoll_wait, epoll_wait, (int set, struct epoll_event *out, int most, int wait),  \
      (set, out, most, wait))                                                                      \
    X(EPIPE, ssize_t, sendmsg, sendmsg, (int file, const struct msghdr *message, int flags),       \
      (file, message, flags))                                                                      \
    X(EPIPE, ssize_t, writev, writev, (int file, const struct iovec *part, int parts),             \
      (file, part, parts))                                                                         \
    X(ENOMEM, int, __poll_chk, poll, (struct pollfd * set, nfds_t count, int wait, size_t room),   \
      (set, count, wait))

#define WAIT(number, type, name, behind, parameters, arguments)                                    \
    VISIBLE type name parameters;                                                                  \
    VISIBLE type name parameters                                                                   \
    {                                                                                              \
        REAL(behind);                                                                              \
        const bool interrupted = fails(FAULT_INTERRUPT, #name, CALLER);                            \
        if (interrupted || fails(FAULT_SOCKET, #name, CALLER)) {                                   \
            errno = interrupted ? EINTR : number;                                                  \
            return -1;                                                                             \
        }                                                                                          \
        return real arguments;                                                                     \
    }
WAIT_LIST(WAIT)

/* ---- Streams: they remember that something failed ---- */

/* ferror(file) is true from now on, as libc's own functions leave it. */
static bool spoil(FILE *file, int number)
{
    file->_flags |= 0x20; /* _IO_ERR_SEEN of glibc, which has no function that sets it */
    errno = number;
    return true;
}

static bool stream_fails(FILE *file, enum fault_kind kind, int number, const char *function,
                         const void *caller)
{
    return fails(kind, function, caller) && spoil(file, number);
}

/* X(kind, errno, value, type, name, function behind it, parameters, arguments); the stream is
 * `file`. */
#define STREAM_LIST(X)                                                                             \
    X(READ, EIO, 0, size_t, fread, fread,                                                          \
      (void *restrict bytes, size_t each, size_t count, FILE *restrict file),                      \
      (bytes, each, count, file))                                                                  \
    X(READ, EIO, EOF, int, fgetc, fgetc, (FILE * file), (file))                                    \
    X(READ, EIO, EOF, int, getc, getc, (FILE * file), (file))                                      \
    X(READ, EIO, NULL, char *, fgets, fgets, (char *restrict out, int size, FILE *restrict file),  \
      (out, size, file))                                                                           \
    X(READ, EIO, -1, ssize_t, getline, getline,                                                    \
      (char **restrict out, size_t *restrict size, FILE *restrict file), (out, size, file))        \
    X(WRITE, ENOSPC, EOF, int, fputs, fputs, (const char *restrict text, FILE *restrict file),     \
      (text, file))                                                                                \
    X(WRITE, ENOSPC, EOF, int, fputc, fputc, (int byte, FILE *file), (byte, file))                 \
    X(WRITE, ENOSPC, EOF, int, putc, putc, (int byte, FILE *file), (byte, file))                   \
    X(WRITE, ENOSPC, -1, int, vfprintf, vfprintf,                                                  \
      (FILE *restrict file, const char *restrict format, va_list args), (file, format, args))      \
    X(SYNC, EIO, EOF, int, fflush, fflush, (FILE * file), (file))                                  \
    X(READ, EIO, 0, size_t, __fread_chk, fread,                                                    \
      (void *bytes, size_t room, size_t each, size_t count, FILE *file),                           \
      (bytes, each, count, file))                                                                  \
    X(READ, EIO, NULL, char *, __fgets_chk, fgets, (char *out, size_t room, int size, FILE *file), \
      (out, size, file))                                                                           \
    X(WRITE, ENOSPC, -1, int, __vfprintf_chk, vfprintf,                                            \
      (FILE * file, int flag, const char *format, va_list args), (file, format, args))

#define STREAM(kind, number, value, type, name, behind, parameters, arguments)                     \
    VISIBLE type name parameters;                                                                  \
    VISIBLE type name parameters                                                                   \
    {                                                                                              \
        REAL(behind);                                                                              \
        return stream_fails(file, FAULT_##kind, number, #name, CALLER) ? value : real arguments;   \
    }
STREAM_LIST(STREAM)

/* What a full disk leaves: half of it. */
VISIBLE size_t fwrite(const void *restrict bytes, size_t each, size_t count, FILE *restrict file)
{
    REAL(fwrite);
    if (stream_fails(file, FAULT_WRITE, ENOSPC, "fwrite", CALLER))
        return 0;
    if (!fails(FAULT_SHORT_WRITE, "fwrite", CALLER))
        return real(bytes, each, count, file);
    const size_t written = real(bytes, each, count / 2, file);
    spoil(file, ENOSPC);
    return written;
}

VISIBLE int puts(const char *text)
{
    REAL(puts);
    return stream_fails(stdout, FAULT_WRITE, ENOSPC, "puts", CALLER) ? EOF : real(text);
}

VISIBLE int putchar(int byte)
{
    REAL(putchar);
    return stream_fails(stdout, FAULT_WRITE, ENOSPC, "putchar", CALLER) ? EOF : real(byte);
}

/* Closed it is in any case. */
VISIBLE int fclose(FILE *file)
{
    REAL(fclose);
    const bool failed = fails(FAULT_CLOSE, "fclose", CALLER);
    const int result = real(file);
    if (!failed)
        return result;
    errno = EIO;
    return EOF;
}

VISIBLE int close(int file)
{
    REAL(close);
    const bool failed = fails(FAULT_CLOSE, "close", CALLER);
    const int result = real(file);
    if (!failed)
        return result;
    errno = EIO;
    return -1;
}

VISIBLE int closedir(DIR *listing)
{
    REAL(closedir);
    const bool failed = fails(FAULT_CLOSE, "closedir", CALLER);
    const int result = real(listing);
    if (!failed)
        return result;
    errno = EIO;
    return -1;
}

/* ---- Variadic functions ---- */

VISIBLE int fprintf(FILE *restrict file, const char *restrict format, ...)
{
    va_list args;
    if (stream_fails(file, FAULT_WRITE, ENOSPC, "fprintf", CALLER))
        return -1;
    va_start(args, format);
    const int result = vfprintf(file, format, args);
    va_end(args);
    return result;
}

VISIBLE int printf(const char *restrict format, ...)
{
    va_list args;
    if (stream_fails(stdout, FAULT_WRITE, ENOSPC, "printf", CALLER))
        return -1;
    va_start(args, format);
    const int result = vfprintf(stdout, format, args);
    va_end(args);
    return result;
}

VISIBLE int __isoc99_fscanf(FILE *restrict file, const char *restrict format, ...);
VISIBLE int __isoc99_fscanf(FILE *restrict file, const char *restrict format, ...)
{
    va_list args;
    if (stream_fails(file, FAULT_READ, EIO, "fscanf", CALLER))
        return EOF;
    va_start(args, format);
    const int result = vfscanf(file, format, args);
    va_end(args);
    return result;
}

VISIBLE int open(const char *path, int flags, ...)
{
    REAL(open);
    va_list args;
    if (fails(FAULT_OPEN, "open", CALLER)) {
        errno = EMFILE;
        return -1;
    }
    va_start(args, flags);
    const mode_t mode =
        (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
    va_end(args);
    return real(path, flags, mode);
}

/* Only adding needs memory: what is in the set can be taken out. */
VISIBLE int epoll_ctl(int set, int what, int file, struct epoll_event *event)
{
    REAL(epoll_ctl);
    if (what != EPOLL_CTL_ADD || !fails(FAULT_SOCKET, "epoll_ctl", CALLER))
        return real(set, what, file, event);
    errno = ENOMEM;
    return -1;
}

/* The program asks dlerror what was wrong: a file that is not there leaves an answer. */
VISIBLE void *dlopen(const char *path, int flags)
{
    REAL(dlopen);
    return real(fails(FAULT_OPEN, "dlopen", CALLER) ? "/attend-module-that-fails.so" : path, flags);
}

VISIBLE int __fprintf_chk(FILE *file, int flag, const char *format, ...);
VISIBLE int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    va_list args;
    (void)flag;
    if (stream_fails(file, FAULT_WRITE, ENOSPC, "fprintf", CALLER))
        return -1;
    va_start(args, format);
    const int result = vfprintf(file, format, args);
    va_end(args);
    return result;
}

VISIBLE int __printf_chk(int flag, const char *format, ...);
VISIBLE int __printf_chk(int flag, const char *format, ...)
{
    va_list args;
    (void)flag;
    if (stream_fails(stdout, FAULT_WRITE, ENOSPC, "printf", CALLER))
        return -1;
    va_start(args, format);
    const int result = vfprintf(stdout, format, args);
    va_end(args);
    return result;
}

/* ---- C++ ---- */

/* operator new(size_t): more than there can be makes the real one throw. */
VISIBLE void *_Znwm(size_t size);
VISIBLE void *_Znwm(size_t size)
{
    REAL(_Znwm);
    return real(fails(FAULT_NEW, "operator new", CALLER) ? PTRDIFF_MAX : size);
}
