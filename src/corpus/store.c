#include "corpus/store.h"

#include "base/bug.h"
#include "base/checksum.h"
#include "base/error.h"
#include "base/io.h"
#include "frames/source.h"
#include "frames/strokes.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The numbers of frames lie among ids in blocks and buffers. */
_Static_assert(sizeof(float) == sizeof(int), "an id and a number have the same size");

/* A block of frames ends here, in numbers, so that its buffer stays small. */
enum { HEAVY_FRAMES = 1 << 22 };

/* Numbers of each pair at the start of a block; the last only if pairs have links. */
enum { HEADS = 4 };

/* A growing array of ids, or of the numbers of frames. */
struct ids {
    int *id;
    size_t count, size;
};

struct store {
    FILE *file;
    struct store_block *block;
    int blocks, room;                  /* blocks written, and capacity of `block` */
    int limit;                         /* pairs in a block */
    int width;                         /* numbers in a frame; 0: both sides are ids */
    int frames;                        /* the side of the frames, if there are any */
    bool linked;                       /* pairs have links */
    const struct frame_source *normal; /* normalizes frames that are read; or NULL */
    long at;                           /* bytes written */
    long pairs, words;
    int longest_source;
    struct checksum checksum;
    int *head; /* (HEADS, limit) lines and lengths of the block being filled */
    struct ids source, target, links;
    int filled; /* its pairs */
};

static enum attend_status no_memory(struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for the text");
}

enum attend_status store_new(struct store **out, const char *folder, int block,
                             struct attend_error *err)
{
    BUG_ON(block < 1);
    struct store *s = calloc(1, sizeof *s);
    if (s)
        *s = (struct store){.limit = block, .head = malloc(HEADS * (size_t)block * sizeof(int))};
    enum attend_status status = s && s->head ? ATTEND_OK : no_memory(err);
    if (!status)
        status = io_temporary(&s->file, folder, err);
    if (status) {
        store_free(s);
        return status;
    }
    checksum_init(&s->checksum);
    *out = s;
    return ATTEND_OK;
}

void store_free(struct store *s)
{
    if (!s)
        return;
    if (s->file)
        fclose(s->file);
    free(s->block);
    free(s->head);
    free(s->source.id);
    free(s->target.id);
    free(s->links.id);
    free(s);
}

void store_frames(struct store *s, int side, int width)
{
    BUG_ON(width < 1 || s->pairs);
    s->frames = side;
    s->width = width;
}

void store_links(struct store *s)
{
    BUG_ON(s->pairs);
    s->linked = true;
}

/* Lengths of a pair in the file, without its line number. */
static int lengths_of(const struct store *s) { return HEADS - 2 + s->linked; }

void store_normalize(struct store *s, const struct frame_source *source) { s->normal = source; }

/* ---- Writing ---- */

static bool append(struct ids *ids, const void *id, size_t count)
{
    const size_t needed = ids->count + count;
    if (needed > ids->size) {
        const size_t size = 2 * needed + 64;
        int *more = realloc(ids->id, size * sizeof *more);
        if (!more)
            return false;
        ids->id = more;
        ids->size = size;
    }
    if (count)
        memcpy(ids->id + ids->count, id, count * sizeof *ids->id);
    ids->count = needed;
    return true;
}

static bool grow_blocks(struct store *s)
{
    if (s->blocks < s->room)
        return true;
    const int room = s->room ? 2 * s->room : 16;
    struct store_block *more = realloc(s->block, (size_t)room * sizeof *more);
    if (!more)
        return false;
    s->block = more;
    s->room = room;
    return true;
}

static void put(struct store *s, const int *id, size_t count)
{
    if (count == 0) /* then id may be NULL */
        return;
    fwrite(id, sizeof *id, count, s->file);
    checksum_add(&s->checksum, id, count * sizeof *id);
    s->at += (long)(count * sizeof *id);
}

static enum attend_status flush_block(struct store *s, struct attend_error *err)
{
    if (!grow_blocks(s))
        return no_memory(err);
    s->block[s->blocks++] = (struct store_block){.at = s->at,
                                                 .pairs = s->filled,
                                                 .source = (int)s->source.count,
                                                 .target = (int)s->target.count,
                                                 .links = (int)s->links.count};
    errno = 0;
    for (int i = 0; i <= lengths_of(s); i++)
        put(s, s->head + (size_t)i * (size_t)s->limit, (size_t)s->filled);
    put(s, s->source.id, s->source.count);
    put(s, s->target.id, s->target.count);
    put(s, s->links.id, s->links.count);
    s->filled = 0;
    s->source.count = s->target.count = s->links.count = 0;
    if (ferror(s->file))
        return error_set(err, ATTEND_IO, "the text cannot be kept in a temporary file: %s",
                         errno ? strerror(errno) : "is the disk full?");
    return ATTEND_OK;
}

/* Append one side of a pair; returns how many ids or numbers, or -1 when out of memory. */
static long add_side(struct store *s, const struct pair_ids *pair, int side)
{
    const bool frames = s->width && s->frames == side;
    const int length = side ? pair->target_length : pair->source_length;
    const size_t count = (size_t)length * (size_t)(frames ? s->width : 1);
    const void *from = frames ? (const void *)pair->frame : side ? pair->target : pair->source;
    return append(side ? &s->target : &s->source, from, count) ? (long)count : -1;
}

enum attend_status store_add(struct store *s, const struct pair_ids *pair, struct attend_error *err)
{
    const int value[HEADS] = {pair->line, pair->source_length, pair->target_length,
                              2 * pair->links};
    for (int i = 0; i < HEADS; i++)
        s->head[i * s->limit + s->filled] = value[i];
    const long source = add_side(s, pair, 0), target = add_side(s, pair, 1);
    if (source < 0 || target < 0 || !append(&s->links, pair->link, 2 * (size_t)pair->links))
        return no_memory(err);
    s->pairs++;
    s->words += source + target;
    if (pair->source_length > s->longest_source)
        s->longest_source = pair->source_length;
    s->filled++;
    /* A block of very long lines ends early, because its sizes are `int`. */
    const size_t most = s->width ? HEAVY_FRAMES : INT_MAX / 8;
    const bool heavy = s->source.count + s->target.count + s->links.count > most;
    return s->filled == s->limit || heavy ? flush_block(s, err) : ATTEND_OK;
}

enum attend_status store_seal(struct store *s, struct attend_error *err)
{
    const enum attend_status status = s->filled ? flush_block(s, err) : ATTEND_OK;
    if (status)
        return status;
    if (fflush(s->file))
        return error_set(err, ATTEND_IO, "the text cannot be kept in a temporary file: %s",
                         strerror(errno));
    return ATTEND_OK;
}

long store_pairs(const struct store *s) { return s->pairs; }
int store_width(const struct store *s) { return s->width; }
long store_words(const struct store *s) { return s->words; }
int store_longest_source(const struct store *s) { return s->longest_source; }
uint64_t store_checksum(const struct store *s) { return checksum_value(&s->checksum); }
int store_blocks(const struct store *s) { return s->blocks; }

const struct store_block *store_block(const struct store *s, int i)
{
    BUG_ON(i < 0 || i >= s->blocks);
    return &s->block[i];
}

/* ---- Reading ---- */

/* Room for `count` ids, or numbers of frames. */
static bool make_side(const struct store *s, struct sequences *out, int side, size_t count)
{
    out->width = s->frames == side ? s->width : 0;
    out->ids = malloc(((out->width ? 0 : count) + 1) * sizeof(int));
    out->rows = out->width ? malloc((count + 1) * sizeof(float)) : NULL;
    return out->ids && (out->rows || !out->width);
}

static enum attend_status make_room(struct corpus *c, const struct store *s, const int *block,
                                    int count, struct attend_error *err)
{
    size_t pairs = 0, source = 0, target = 0, links = 0;
    for (int i = 0; i < count; i++) {
        const struct store_block *b = store_block(s, block[i]);
        pairs += (size_t)b->pairs;
        source += (size_t)b->source;
        target += (size_t)b->target;
        links += (size_t)b->links;
    }
    if (pairs >= INT_MAX)
        return error_set(err, ATTEND_DATA, "%zu pairs are too many to read at once", pairs);
    *c = (struct corpus){.line = malloc((pairs + 1) * sizeof(int))};
    c->source.start = calloc(pairs + 1, sizeof *c->source.start);
    c->target.start = calloc(pairs + 1, sizeof *c->target.start);
    bool good = c->line && c->source.start && c->target.start &&
                make_side(s, &c->source, 0, source) && make_side(s, &c->target, 1, target);
    if (s->linked) {
        c->links.start = calloc(pairs + 1, sizeof *c->links.start);
        c->links.ids = malloc((links + 1) * sizeof(int));
        good = good && c->links.start && c->links.ids;
    }
    return good ? ATTEND_OK : no_memory(err);
}

/* Read `count` ids or numbers. */
static bool read_ids(const struct store *s, long *at, void *out, int count)
{
    char *to = out;
    size_t left = (size_t)count * sizeof(int);
    while (left > 0) {
        const ssize_t got = pread(fileno(s->file), to, left, *at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = 0; /* the file ends here; clear the errno of earlier calls */
        if (got <= 0)
            return false;
        to += got;
        *at += got;
        left -= (size_t)got;
    }
    return true;
}

/* Append `pairs` sequences to a side: turn their lengths into starts, then read their ids or
 * frames. */
static bool read_side(const struct store *s, struct sequences *side, int pairs, int ids,
                      const int *length, long *at)
{
    size_t *start = side->start + side->count;
    for (int i = 0; i < pairs; i++)
        start[i + 1] = start[i] + (size_t)length[i];
    side->count += pairs;
    if (!side->width)
        return read_ids(s, at, side->ids + start[0], ids);
    float *row = side->rows + start[0] * (size_t)side->width;
    const bool good = read_ids(s, at, row, ids);
    if (good && s->normal)
        frame_source_normalize(s->normal, row, ids / side->width);
    if (good && s->normal && s->frames == 1)
        strokes_from_frames(s->normal, row, ids / side->width);
    return good;
}

static bool read_block(const struct store *s, const struct store_block *b, int *lengths,
                       struct corpus *c)
{
    long at = b->at;
    return read_ids(s, &at, c->line + c->source.count, b->pairs) &&
           read_ids(s, &at, lengths, lengths_of(s) * b->pairs) &&
           read_side(s, &c->source, b->pairs, b->source, lengths, &at) &&
           read_side(s, &c->target, b->pairs, b->target, lengths + b->pairs, &at) &&
           (!s->linked || read_side(s, &c->links, b->pairs, b->links, lengths + 2 * b->pairs, &at));
}

enum attend_status store_read(const struct store *s, const int *block, int count,
                              struct corpus *out, struct attend_error *err)
{
    struct corpus c = {0};
    int *lengths = malloc((HEADS - 1) * (size_t)s->limit * sizeof *lengths);
    enum attend_status status = lengths ? make_room(&c, s, block, count, err) : no_memory(err);
    for (int i = 0; i < count && !status; i++)
        if (!read_block(s, store_block(s, block[i]), lengths, &c))
            status = error_set(err, ATTEND_IO, "the text cannot be read back: %s",
                               errno ? strerror(errno) : "the temporary file is cut off");
    if (!status) {
        *out = c;
        c = (struct corpus){0};
    }
    corpus_release(&c);
    free(lengths);
    return status;
}

enum attend_status store_read_all(const struct store *s, struct corpus *out,
                                  struct attend_error *err)
{
    const int count = store_blocks(s);
    int *block = calloc((size_t)count + 1, sizeof *block);
    for (int i = 0; block && i < count; i++)
        block[i] = i;
    const enum attend_status status =
        block ? store_read(s, block, count, out, err) : no_memory(err);
    free(block);
    return status;
}
