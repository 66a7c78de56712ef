/* Decoders of compressed bytes, one row for each library. A compressed file is one member after
 * another (gzip says member, zstd says frame), each with its own beginning, end and checksum.
 *
 * To add one: write <name>.c, the only file that includes the library, with its
 * `const struct codec codec_<name>`; add X(<name>) to the list; name the library in CMakeLists.txt,
 * tools/setup.sh and tools/check_includes.sh. Streams and the tests of every row follow the list.
 */
#ifndef ATTEND_BASE_CODEC_H
#define ATTEND_BASE_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#define CODEC_LIST(X) X(gzip) X(zstd)

enum codec_step {
    CODEC_MORE, /* within a member */
    CODEC_END,  /* a member ended and all it holds was given out; the next call begins another */
    CODEC_DAMAGED,
    CODEC_NO_MEMORY,
};

/* Both spans are moved past what was taken and what was made. */
struct codec_span {
    const char *in;
    size_t length; /* of what `in` has left */
    char *out;
    size_t room;        /* what `out` has left */
    const char *reason; /* of damage, in the library's words; lives as long as the decoder */
};

struct codec {
    const char *name;
    /* Whether a file that begins like this is of this kind; `length` is 4 or the whole file. */
    bool (*begins)(const char *bytes, size_t length);
    void *(*open)(void); /* a decoder; NULL: out of memory */
    enum codec_step (*step)(void *decoder, struct codec_span *);
    void (*close)(void *decoder);
};

#define CODEC_ROW(name) extern const struct codec codec_##name;
CODEC_LIST(CODEC_ROW)
#undef CODEC_ROW

#endif
