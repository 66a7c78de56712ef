/* The files of web/, which tools/embed.cmake compiles into the library. */
#ifndef ATTEND_BASE_ASSET_H
#define ATTEND_BASE_ASSET_H

#include <stddef.h>

struct asset {
    const char *name; /* file name without its folder; NULL ends the table */
    const char *bytes;
    size_t size; /* without the NUL that follows */
};

extern const struct asset asset_files[];

/* Find a file by name. The name comes from our own sources, so a missing file is a bug. */
const struct asset *asset_get(const char *name);

#endif
