/* Pairs of sequences in a temporary file without a name, so that memory does not grow with the
 * corpus. They are written once, in order, and read back a few blocks at a time.
 *
 * A block in the file, all of it `int`: line[pairs], source length[pairs], target length[pairs],
 * the ids of all sources, the ids of all targets. Memory holds 32 bytes for each block. */
#ifndef ATTEND_TEXT_STORE_H
#define ATTEND_TEXT_STORE_H

#include "attend/status.h"
#include "text/corpus.h"

#include <stdint.h>

enum { STORE_BLOCK = 1024 }; /* pairs in a block that is not a test's */

struct store;

struct store_block {
    long at; /* where it begins in the file, in bytes */
    int pairs;
    int source, target; /* ids of each side */
};

/* The file lies in `folder`; `block` pairs make a block. */
enum attend_status store_new(struct store **out, const char *folder, int block,
                             struct attend_error *err);
/* Lengths are at most SEQUENCES_MAX_LENGTH. */
enum attend_status store_add(struct store *, const struct pair_ids *, struct attend_error *err);
/* After the last pair and before the first read. */
enum attend_status store_seal(struct store *, struct attend_error *err);
void store_free(struct store *);

long store_pairs(const struct store *);
/* Ids of both sides, </s> not counted. */
long store_words(const struct store *);
int store_longest_source(const struct store *);
/* Of all that was added: another text or another vocabulary has another sum. */
uint64_t store_checksum(const struct store *);
int store_blocks(const struct store *);
const struct store_block *store_block(const struct store *, int i);

/* These blocks one after another; the caller releases the corpus. */
enum attend_status store_read(const struct store *, const int *block, int count, struct corpus *out,
                              struct attend_error *err);

#endif
