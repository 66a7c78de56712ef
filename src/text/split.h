/* Dividing pairs into a training set and one or two held-out sets. The set of a pair is a function
 * of the seed and of its source text alone,
 *
 *     u = uniform in [0, 1) from the seed and checksum(source)
 *     set = the first i with u < share_0 + ... + share_i
 *
 * so pairs of one source all go to one set, whatever stands around them and in whatever order: no
 * source that was trained on is also validated on, and a corpus that grows keeps its sets. Shares
 * are those of distinct sources; those of pairs come out near them. */
#ifndef ATTEND_TEXT_SPLIT_H
#define ATTEND_TEXT_SPLIT_H

#include "attend/status.h"

#include <stddef.h>
#include <stdint.h>

enum { SPLIT_MAX_SETS = 3 };

struct split {
    double share[SPLIT_MAX_SETS]; /* of each set; they sum to 1 */
    int sets;
    uint64_t seed;
};

/* Two or three positive numbers that sum to 1, such as "0.98,0.01,0.01"; anything else is
 * ATTEND_USAGE. Leaves the seed alone. */
enum attend_status split_parse(struct split *, const char *text, struct attend_error *err);
/* The set, from 0, of the pairs that have this source. */
int split_choose(const struct split *, const char *source, size_t length);

#endif
