/* Divides pairs into a training set and one or two held-out sets. The set of a pair depends only on
 * the seed and its source text:
 *
 *     u = uniform in [0, 1) from the seed and checksum(source)
 *     set = the first i with u < share_0 + ... + share_i
 *
 * All pairs with the same source are in the same set, whatever their order and their neighbors. So
 * no training source is in a held-out set, and a corpus that grows keeps its sets. The shares are
 * shares of distinct sources; those of pairs are close to them. */
#ifndef ATTEND_CORPUS_SPLIT_H
#define ATTEND_CORPUS_SPLIT_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPLIT_MAX_SETS = 3 };

struct split {
    double share[SPLIT_MAX_SETS]; /* of each set; they sum to 1 */
    int sets;
    uint64_t seed;
    bool may_be_empty; /* a set without pairs is no error */
};

/* Parse two or three positive numbers that sum to 1, such as "0.98,0.01,0.01"; anything else is
 * ATTEND_USAGE. The seed is not changed. */
enum attend_status split_parse(struct split *, const char *text, struct attend_error *err);
/* The set, from 0, of the pairs that have this source. */
int split_choose(const struct split *, const char *source, size_t length);

#endif
