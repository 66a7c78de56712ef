/* Decoders for compressed data, one row per library. A compressed file is a sequence of members
 * (gzip says member, zstd says frame), each with its own header, end and checksum.
 *
 * To add one: write <name>.c, the only file that includes the library, with its `const struct codec
 * codec_<name>`; add X(<name>) to the list; name the library in CMakeLists.txt, tools/setup.sh and
 * tools/check_includes.sh. Streams and tests go through every row of the list. */
#ifndef ATTEND_BASE_CODEC_H
#define ATTEND_BASE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

#define CODEC_LIST(X) X(gzip) X(zstd)

enum { CODEC_MAGIC = 4 };

enum codec_step {
    CODEC_MORE, /* within a member */
    CODEC_END,  /* a member ended and all its data was written; the next call starts another */
    CODEC_DAMAGED,
    CODEC_NO_MEMORY,
};

/* Input and output of one step, which moves both past what it read and wrote. */
struct codec_span {
    const char *in;
    size_t length; /* bytes left in `in` */
    char *out;
    size_t room;        /* bytes left in `out` */
    const char *reason; /* of damage, in the library's words; lives as long as the decoder */
};

struct codec {
    const char *name;
    size_t magic; /* bytes that tell whether a file is of this kind, at most CODEC_MAGIC */
    /* Whether a file of this kind may start with these bytes; `length` is at most `magic`. */
    bool (*begins)(const char *bytes, size_t length);
    void *(*open)(void); /* returns a decoder, or NULL when out of memory */
    enum codec_step (*step)(void *decoder, struct codec_span *);
    void (*close)(void *decoder);
};

#define CODEC_ROW(name) extern const struct codec codec_##name;
CODEC_LIST(CODEC_ROW)
#undef CODEC_ROW

/* Deflate without a header, as in ZIP archives. No bytes mark it, so it is not in the list, and its
 * `begins` is NULL. In gzip.c. */
extern const struct codec codec_deflate;
/* The checksum of ZIP archives and PNG. */
uint32_t codec_crc32(const void *bytes, size_t length);
/* Add the bytes, compressed in zlib's format, which PNG uses. In gzip.c. */
void codec_compress(struct strbuf *, const void *bytes, size_t length);

#endif
