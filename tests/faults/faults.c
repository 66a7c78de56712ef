/* The injector: a shared object that is preloaded (LD_PRELOAD). It wraps the libc functions that
 * the program uses, counts their calls and makes one of them fail. FAULTS names the file that
 * selects the call (faults.h).
 *
 * A call counts if it comes from the program, its modules, or a library that reports failures to us
 * as a return value (`counted` below). SentencePiece, pango and libc itself are not tested.
 *
 * To add a function: add a row to one of the lists below, or write a wrapper if it is variadic or
 * fails in another way. tests/faults/known.sh finds functions that are missing. */
#include "faults.h"
#include "plain_calls.h"

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

static struct faults *faults; /* NULL: counting is off */
static __thread bool inside;  /* inside the injector itself */

/* ---- Which calls count ---- */

/* Prefixes of file names; the program itself has no file name here. */
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

/* ---- Failing calls ---- */

/* Record the callers as FILE+OFFSET, for addr2line. */
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

/* The depth of a call path, in counted callers. Deeper paths would differ for every line of an
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

/* Look up the wrapped function into `real`; ISO C has no conversion for it. */
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
    backtrace(frame, 1); /* loads its library now, not within an allocation */
    void *at = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    faults = at == MAP_FAILED ? NULL : at;
}

/* ---- Functions that fail with a value and errno ---- */

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

/* ---- Calls that a signal can interrupt, or that transfer fewer bytes ---- */

/* X(kind of failure, errno, kind of a short transfer, name, wrapped function, parameters,
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

/* Threads wake each other with eight bytes to an eventfd, which cannot fail in a healthy
 * process. */
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

/* X(errno, type, name, wrapped function, parameters, arguments): calls that wait and can be
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

/* ---- Streams, which keep an error flag ---- */

/* Set the error flag, as libc's own functions do. */
static bool spoil(FILE *file, int number)
{
    file->_flags |= 0x20; /* _IO_ERR_SEEN; glibc has no function that sets it */
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

/* On a full disk half of the bytes are written. */
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

/* The file is closed in any case. */
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

/* Only adding needs memory; removing cannot fail. */
VISIBLE int epoll_ctl(int set, int what, int file, struct epoll_event *event)
{
    REAL(epoll_ctl);
    if (what != EPOLL_CTL_ADD || !fails(FAULT_SOCKET, "epoll_ctl", CALLER))
        return real(set, what, file, event);
    errno = ENOMEM;
    return -1;
}

/* The program calls dlerror for the reason, so open a file that does not exist. */
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

/* operator new(size_t): an impossible size makes the real one throw. */
VISIBLE void *_Znwm(size_t size);
VISIBLE void *_Znwm(size_t size)
{
    REAL(_Znwm);
    return real(fails(FAULT_NEW, "operator new", CALLER) ? PTRDIFF_MAX : size);
}
