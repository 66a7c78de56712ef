#include "frames/zip.h"

#include "base/codec.h"
#include "base/error.h"
#include "frames/bytes.h"

#include <stdlib.h>
#include <string.h>

/* Sizes of the records without their texts, and the longest comment behind the last record. */
enum { LOCAL = 30, ENTRY = 46, END = 22, COMMENT_MAX = 65535, DEFLATE_RATIO_MAX = 1032 };

/* The list of members at the end of an archive. */
struct directory {
    const unsigned char *archive;
    size_t length;  /* of the archive */
    size_t at, end; /* the next entry, and the end of the entries, from the start of the archive */
    long left;      /* entries */
};

static bool marked(const unsigned char *at, const char *mark) { return memcmp(at, mark, 4) == 0; }

bool zip_begins(const unsigned char *bytes, size_t length)
{
    return length >= 4 && (marked(bytes, "PK\3\4") || marked(bytes, "PK\5\6"));
}

static enum attend_status damaged(struct attend_error *err, const char *name, const char *what)
{
    return error_set(err, ATTEND_FORMAT, "%s: the archive is cut off or damaged: %s", name, what);
}

static enum attend_status open_directory(struct directory *d, const unsigned char *bytes,
                                         size_t length, const char *name, struct attend_error *err)
{
    if (length < END)
        return damaged(err, name, "it has no directory");
    const size_t low = length > END + COMMENT_MAX ? length - END - COMMENT_MAX : 0;
    size_t at = length - END;
    while (at > low && !marked(bytes + at, "PK\5\6"))
        at--;
    if (!marked(bytes + at, "PK\5\6"))
        return damaged(err, name, "it has no directory");
    const uint32_t count = bytes_16(bytes + at + 10);
    const uint32_t size = bytes_32(bytes + at + 12), start = bytes_32(bytes + at + 16);
    if (count == 0xFFFF || size == UINT32_MAX || start == UINT32_MAX)
        return error_set(err, ATTEND_FORMAT,
                         "%s: is an archive of more than 4 GiB or 65534 members (ZIP64); use "
                         "several smaller ones",
                         name);
    if (start > at || size > at - start)
        return damaged(err, name, "its directory is outside");
    *d = (struct directory){bytes, length, start, (size_t)start + size, (long)count};
    return ATTEND_OK;
}

/* The next entry, or NULL if the directory is damaged. */
static const unsigned char *next_entry(struct directory *d)
{
    const unsigned char *e = d->archive + d->at;
    if (d->end - d->at < ENTRY || !marked(e, "PK\1\2"))
        return NULL;
    const size_t size = (size_t)ENTRY + bytes_16(e + 28) + bytes_16(e + 30) + bytes_16(e + 32);
    if (size > d->end - d->at)
        return NULL;
    d->at += size;
    d->left--;
    return e;
}

static bool is_called(const unsigned char *entry, const char *member)
{
    const size_t length = bytes_16(entry + 28), wanted = strlen(member);
    const char *own = (const char *)entry + ENTRY;
    if (length < wanted || memcmp(own, member, wanted) != 0)
        return false;
    return length == wanted || (length == wanted + 4 && memcmp(own + wanted, ".npy", 4) == 0);
}

static enum attend_status open_member(struct zip_member *out, const struct directory *d,
                                      const unsigned char *e, const char *name,
                                      struct attend_error *err)
{
    const uint32_t method = bytes_16(e + 10);
    const size_t packed = bytes_32(e + 20), size = bytes_32(e + 24), at = bytes_32(e + 42);
    if (bytes_16(e + 8) & 1)
        return error_set(err, ATTEND_FORMAT, "%s: the member is encrypted", name);
    if (method != 0 && method != 8)
        return error_set(err, ATTEND_FORMAT,
                         "%s: the member is compressed by method %u; stored and deflated ones are "
                         "read",
                         name, (unsigned)method);
    if (at > d->length || d->length - at < LOCAL || !marked(d->archive + at, "PK\3\4"))
        return damaged(err, name, "the member is not where the directory says");
    const size_t texts = bytes_16(d->archive + at + 26) + bytes_16(d->archive + at + 28);
    const size_t left = d->length - at - LOCAL;
    if (texts > left || packed > left - texts)
        return damaged(err, name, "the member ends outside");
    if (method == 0 ? size != packed : size / DEFLATE_RATIO_MAX > packed)
        return damaged(err, name, "the member has a wrong size");
    *out = (struct zip_member){.bytes = d->archive + at + LOCAL + texts,
                               .packed = packed,
                               .size = size,
                               .crc = bytes_32(e + 16),
                               .deflated = method == 8,
                               .name = (const char *)e + ENTRY,
                               .name_length = bytes_16(e + 28)};
    return ATTEND_OK;
}

enum attend_status zip_find(struct zip_member *out, const unsigned char *bytes, size_t length,
                            const char *member, const char *name, struct attend_error *err)
{
    struct directory d = {0};
    const enum attend_status status = open_directory(&d, bytes, length, name, err);
    if (status)
        return status;
    const long count = d.left;
    while (d.left > 0) {
        const unsigned char *e = next_entry(&d);
        if (!e)
            return damaged(err, name, "its directory is broken");
        if (member ? is_called(e, member) : count == 1)
            return open_member(out, &d, e, name, err);
        if (!member)
            return error_set(err, ATTEND_FORMAT,
                             "%s: holds %ld arrays; add the name of one: %s:%.*s", name, count,
                             name, (int)bytes_16(e + 28), (const char *)e + ENTRY);
    }
    return error_set(err, ATTEND_FORMAT, "%s: the archive has no %s", name,
                     member ? "such member" : "arrays");
}

/* Fuzzing would never get past checksums. */
static bool has_wrong_sum(const unsigned char *bytes, const struct zip_member *m)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    (void)bytes, (void)m;
    return false;
#else
    return codec_crc32(bytes, m->size) != m->crc;
#endif
}

enum attend_status zip_unpack(const struct zip_member *m, size_t max, const char *name,
                              const unsigned char **bytes, unsigned char **owned,
                              struct attend_error *err)
{
    unsigned char *content = NULL;
    if (m->size > max)
        return error_set(err, ATTEND_FORMAT, "%s: has %zu bytes; at most %zu are read", name,
                         m->size, max);
    if (m->deflated) {
        content = malloc(m->size + 1); /* one more, to see that the data is longer */
        void *decoder = content ? codec_deflate.open() : NULL;
        struct codec_span span = {(const char *)m->bytes, m->packed, (char *)content, m->size + 1,
                                  NULL};
        const enum codec_step step = decoder ? codec_deflate.step(decoder, &span) : CODEC_NO_MEMORY;
        codec_deflate.close(decoder);
        if (step != CODEC_END || span.room != 1) {
            free(content);
            return step == CODEC_NO_MEMORY
                       ? error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", name)
                       : damaged(err, name, "the member cannot be decompressed");
        }
    }
    *bytes = content ? content : m->bytes;
    if (has_wrong_sum(*bytes, m)) {
        free(content);
        return damaged(err, name, "the member has a wrong checksum");
    }
    *owned = content;
    return ATTEND_OK;
}
