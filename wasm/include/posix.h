/* What wasi-libc 0.0~git20220510 lacks of POSIX, as far as the library uses it. Each source is compiled with this header
 * in front (CMakeLists.txt). Files are those that web/wasi.js keeps in memory: no other process locks them, and no path
 * has links. */
#ifndef ATTEND_WASM_POSIX_H
#define ATTEND_WASM_POSIX_H

#include <stddef.h>
#include <sys/types.h>

#define P_tmpdir "/"
enum { GRND_NONBLOCK = 1 };

int mkostemp(char *pattern, int flags);
char *realpath(const char *path, char *resolved);
ssize_t getrandom(void *out, size_t size, unsigned flags);

#endif
