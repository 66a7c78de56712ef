/* Encoded pairs in a temporary file without a name, so that memory does not grow with the corpus.
 * Pairs are written once, in order, and read back a few blocks at a time.
 *
 * A block in the file, all of it `int`: line[pairs], source length[pairs], target length[pairs],
 * the ids of all sources, the ids of all targets. If pairs have links, their numbers[pairs] follow the lengths, and the
 * links follow the targets. If one side is frames, it has `float` instead of
 * ids: `width` for each frame. Each block needs 32 bytes of memory. */
#ifndef ATTEND_CORPUS_STORE_H
#define ATTEND_CORPUS_STORE_H

#include "attend/status.h"
#include "corpus/corpus.h"

#include <stdint.h>

enum { STORE_BLOCK = 1024 }; /* pairs in a block; tests use smaller blocks */

struct frame_source;
struct store;

/* One pair; all pointers are borrowed. */
struct pair_ids {
    const int *source, *target;
    int source_length, target_length;
    int line;           /* line number in its file, from 1 */
    const float *frame; /* (length, width) instead of the ids of the side that is frames */
    const int *link;    /* (links, 2) positions in source and target, in the order of the targets */
    int links;
};

struct store_block {
    long at; /* where it begins in the file, in bytes */
    int pairs;
    int source, target; /* number of ids of each side, or of the numbers of its frames */
    int links;          /* numbers of all links, two each */
};

/* Create a store with its file in `folder` and `block` pairs in each block. */
enum attend_status store_new(struct store **out, const char *folder, int block,
                             struct attend_error *err);
/* Sources (side 0) or targets (1) are frames of this many numbers. Call it before the first
 * store_add. */
void store_frames(struct store *, int side, int width);
/* The pairs have links. Call it before the first store_add. */
void store_links(struct store *);
/* Normalize frames as they are read back; the file keeps them as they were added. Targets become
 * strokes (frames/strokes.h). The source of frames is borrowed. */
void store_normalize(struct store *, const struct frame_source *);
/* Append a pair. Lengths are at most SEQUENCES_MAX_LENGTH. */
enum attend_status store_add(struct store *, const struct pair_ids *, struct attend_error *err);
/* Call this after the last store_add and before the first read. */
enum attend_status store_seal(struct store *, struct attend_error *err);
void store_free(struct store *);

long store_pairs(const struct store *);
/* Numbers in a frame; 0: both sides are ids. */
int store_width(const struct store *);
/* The number of ids of both sides, without </s>; of frames, all their numbers count. */
long store_words(const struct store *);
/* In tokens or frames. */
int store_longest_source(const struct store *);
/* A checksum of all pairs: it changes with the text, the frames and the vocabulary. */
uint64_t store_checksum(const struct store *);
int store_blocks(const struct store *);
const struct store_block *store_block(const struct store *, int i);

/* Read these blocks in this order; the caller releases the corpus. */
enum attend_status store_read(const struct store *, const int *block, int count, struct corpus *out,
                              struct attend_error *err);
/* Read all blocks in order. */
enum attend_status store_read_all(const struct store *, struct corpus *out,
                                  struct attend_error *err);

#endif
