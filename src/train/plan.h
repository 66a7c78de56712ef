/* The batches of an epoch: sentences of similar length together, batches in random order.
 *
 * A batch is full when one more sentence would take either side past `tokens` words (including
 * </s>; there is no padding) or the batch past `sentences`. PLAN_FRAMES frames count as a word. The
 * plan depends only on the corpus, the seed and the epoch. */
#ifndef ATTEND_TRAIN_PLAN_H
#define ATTEND_TRAIN_PLAN_H

#include "attend/status.h"
#include "model/batch.h"
#include "corpus/corpus.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLAN_FRAMES = 8 };

struct plan_rule {
    int tokens, sentences; /* maximum in a batch; 0: no limit */
    uint64_t seed;
    bool shuffle; /* false: sorted by length, for validation */
    int ranks;    /* processes that share every batch; 0 and 1: one */
};

struct plan {
    int *item;  /* (corpus) */
    int *first; /* (batches + 1) batch i is item[first[i]] .. item[first[i + 1] - 1] */
    int *order; /* (batches) order in which to take them */
    int batches, ranks;
};

enum attend_status plan_make(struct plan *, const struct corpus *, const struct plan_rule *,
                             int epoch, struct attend_error *err);
/* Batch i of the plan (not of its order). */
struct batch_text plan_batch(const struct plan *, const struct corpus *, int i);
/* The share of one process, which may be empty. All shares take about the same work. */
struct batch_text plan_share(const struct plan *, const struct corpus *, int i, int rank);
void plan_release(struct plan *);

#endif
