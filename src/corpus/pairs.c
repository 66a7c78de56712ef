#include "corpus/pairs.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/io.h"
#include "base/strbuf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header of a pair in the file, before its texts. No other process reads it, so it is in
 * this machine's byte order. */
struct head {
    uint64_t line, links_length; /* no padding: all of it is written */
    uint32_t source_length, target_length;
    struct language_pair languages;
};

struct pairs {
    FILE *file;
    char *folder; /* for messages */
    bool walking; /* the file position is at the next pair to read, not at the end */
    size_t count, passed;
    uint64_t source_bytes, target_bytes;
    struct strbuf texts; /* of the current pair */
};

/* ---- Making ---- */

enum attend_status pairs_new(struct pairs **out, const char *folder, struct attend_error *err)
{
    enum { BUFFER = 1 << 16 };
    struct pairs *p = calloc(1, sizeof *p);
    if (!p || !(p->folder = strdup(folder))) {
        pairs_free(p);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a temporary file");
    }
    const enum attend_status status = io_temporary(&p->file, folder, err);
    if (status) {
        pairs_free(p);
        return status;
    }
    setvbuf(p->file, NULL, _IOFBF, BUFFER);
    *out = p;
    return ATTEND_OK;
}

size_t pairs_count(const struct pairs *p) { return p->count; }

uint64_t pairs_source_bytes(const struct pairs *p) { return p->source_bytes; }

uint64_t pairs_target_bytes(const struct pairs *p) { return p->target_bytes; }

void pairs_free(struct pairs *p)
{
    if (!p)
        return;
    if (p->file)
        fclose(p->file);
    strbuf_release(&p->texts);
    free(p->folder);
    free(p);
}

/* ---- Writing ---- */

static enum attend_status write_error(const struct pairs *p, struct attend_error *err)
{
    return error_set(err, ATTEND_IO,
                     "%s: the temporary file there cannot be written: %s; make room or use another "
                     "folder",
                     p->folder, errno ? strerror(errno) : "an earlier write failed");
}

static bool write_bytes(FILE *file, const void *bytes, size_t length)
{
    return fwrite(bytes, 1, length, file) == length;
}

enum attend_status pairs_add(struct pairs *p, const struct text_pair *pair,
                             struct attend_error *err)
{
    BUG_ON(pair->source_length > UINT32_MAX || pair->target_length > UINT32_MAX);
    const struct head head = {.line = pair->line,
                              .source_length = (uint32_t)pair->source_length,
                              .target_length = (uint32_t)pair->target_length,
                              .links_length = pair->links_length,
                              .languages = pair->languages};
    errno = 0;
    if ((p->walking && fseeko(p->file, 0, SEEK_END)) || !write_bytes(p->file, &head, sizeof head) ||
        !write_bytes(p->file, pair->source, pair->source_length) ||
        !write_bytes(p->file, pair->target, pair->target_length) ||
        (pair->links_length && !write_bytes(p->file, pair->links, pair->links_length)))
        return write_error(p, err);
    p->walking = false;
    p->count++;
    p->source_bytes += pair->source_length;
    p->target_bytes += pair->target_length;
    return ATTEND_OK;
}

/* ---- Reading ---- */

enum attend_status pairs_rewind(struct pairs *p, struct attend_error *err)
{
    errno = 0;
    if (ferror(p->file) || fflush(p->file) || fseeko(p->file, 0, SEEK_SET))
        return write_error(p, err);
    p->walking = true;
    p->passed = 0;
    return ATTEND_OK;
}

/* Read a text and append it with a NUL to p->texts. */
static bool read_text(struct pairs *p, size_t length)
{
    char block[4096];
    for (size_t left = length, part; left > 0; left -= part) {
        part = left < sizeof block ? left : sizeof block;
        if (fread(block, 1, part, p->file) != part)
            return false;
        strbuf_add(&p->texts, block, part);
    }
    strbuf_addc(&p->texts, '\0');
    return true;
}

enum attend_status pairs_next(struct pairs *p, struct text_pair *out, struct attend_error *err)
{
    BUG_ON(!p->walking);
    *out = (struct text_pair){0};
    if (p->passed == p->count)
        return ATTEND_OK;
    struct head head;
    strbuf_clear(&p->texts);
    errno = 0;
    if (fread(&head, sizeof head, 1, p->file) != 1 || !read_text(p, head.source_length) ||
        !read_text(p, head.target_length) || !read_text(p, head.links_length))
        return error_set(err, ATTEND_IO, "%s: the temporary file there cannot be read back: %s",
                         p->folder, errno ? strerror(errno) : "it ends too early");
    const enum attend_status status = strbuf_status(&p->texts, err);
    if (status)
        return status;
    p->passed++;
    const char *target = p->texts.text + head.source_length + 1;
    *out = (struct text_pair){.source = p->texts.text,
                              .target = target,
                              .links = target + head.target_length + 1,
                              .links_length = head.links_length,
                              .source_length = head.source_length,
                              .target_length = head.target_length,
                              .line = head.line,
                              .languages = head.languages};
    return ATTEND_OK;
}
