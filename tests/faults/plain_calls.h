/* The calls that fail with a value and errno. */
#ifndef ATTEND_TESTS_PLAIN_CALLS_H
#define ATTEND_TESTS_PLAIN_CALLS_H

/* X(kind, errno, value, type, name, wrapped function, parameters, arguments). Names that end in
 * _chk are calls whose sizes the compiler checks (_FORTIFY_SOURCE). */
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

#endif
