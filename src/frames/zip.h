/* ZIP archives in memory: finding a member and unpacking it. Members may be stored or deflated;
 * encrypted ones, other methods and ZIP64 are refused by name. */
#ifndef ATTEND_FRAMES_ZIP_H
#define ATTEND_FRAMES_ZIP_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zip_member {
    const unsigned char *bytes; /* packed; within the archive */
    size_t packed, size;        /* bytes before and after unpacking */
    uint32_t crc;
    bool deflated;
    const char *name; /* within the archive, not NUL-terminated */
    size_t name_length;
};

/* Whether the bytes begin like an archive. */
bool zip_begins(const unsigned char *bytes, size_t length);
/* Find a member: its whole name, or the name without the ending .npy. With `member` NULL, the only
 * member of the archive. `name` begins messages. */
enum attend_status zip_find(struct zip_member *out, const unsigned char *bytes, size_t length,
                            const char *member, const char *name, struct attend_error *err);
/* Unpack a member and compare its checksum. *bytes points to its content. *owned is what the caller
 * frees; NULL if the content is within the archive. At most `max` bytes. */
enum attend_status zip_unpack(const struct zip_member *, size_t max, const char *name,
                              const unsigned char **bytes, unsigned char **owned,
                              struct attend_error *err);

#endif
