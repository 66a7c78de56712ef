/* Files of the folder web/, which tools/embed.cmake makes part of the library. */
#ifndef ATTEND_BASE_ASSET_H
#define ATTEND_BASE_ASSET_H

#include <stddef.h>

struct asset {
    const char *name; /* without its folder; NULL ends the table */
    const char *bytes;
    size_t size; /* a NUL follows that is not counted */
};

extern const struct asset asset_files[];

/* The bytes of a file that must be there: its name is written in our own sources. */
const struct asset *asset_get(const char *name);

#endif
