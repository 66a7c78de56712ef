/* Which sentences make which batch in an epoch: sentences of like length together, batches in
 * random order.
 *
 * A batch ends when one more sentence would take either side past `tokens` words (</s> counted;
 * there is no padding to count) or the batch past `sentences`. The plan is a function of the
 * corpus, the seed and the epoch alone. */
#ifndef ATTEND_TRAIN_PLAN_H
#define ATTEND_TRAIN_PLAN_H

#include "attend/status.h"
#include "model/batch.h"
#include "text/corpus.h"

#include <stdbool.h>
#include <stdint.h>

struct plan_rule {
    int tokens, sentences; /* at most, in one batch; 0: no such limit */
    uint64_t seed;
    bool shuffle; /* false: in order of length, for validation */
    int ranks;    /* processes that share every batch; 0 and 1: one */
};

struct plan {
    int *item;  /* (corpus) */
    int *first; /* (batches + 1) batch i is item[first[i]] .. item[first[i + 1] - 1] */
    int *order; /* (batches) in which to take them */
    int batches, ranks;
};

enum attend_status plan_make(struct plan *, const struct corpus *, const struct plan_rule *,
                             int epoch, struct attend_error *err);
/* Batch i of the plan (not of its order). */
struct batch_text plan_batch(const struct plan *, const struct corpus *, int i);
/* The share of it that a process has, which may be empty: about the same work as the others'. */
struct batch_text plan_share(const struct plan *, const struct corpus *, int i, int rank);
void plan_release(struct plan *);

#endif
