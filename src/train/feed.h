/* Delivers the batches of an epoch in order, from a corpus of any size.
 *
 * The blocks of the store are taken in random order and grouped into windows of about `window`
 * words. One window is in memory at a time. Within it, sentences of similar length form batches,
 * which are taken in random order (train/plan.h). A corpus that fits in one window is shuffled as a
 * whole. The order depends only on the store, the rule and the epoch, so a position determines all
 * later batches. */
#ifndef ATTEND_TRAIN_FEED_H
#define ATTEND_TRAIN_FEED_H

#include "corpus/resampling.h"
#include "corpus/store.h"
#include "train/plan.h"

struct feed_rule {
    struct plan_rule plan;
    long window; /* words of both sides in memory, but at least one block */
    int rank;    /* this process, among plan.ranks */
    struct pair_source source;
};

/* A batch: the share of this process, which may be empty, and the target words of the whole batch,
 * including </s>. */
struct feed_batch {
    struct batch_text text;
    long words;
};

/* The position of the next batch. Epochs count from 1, the rest from 0. */
struct feed_position {
    int epoch, window, batch;
};

struct feed {
    const struct store *store; /* store of this epoch */
    struct store *sampled;     /* the same, if it was sampled for this epoch; or NULL */
    int sampled_epoch;
    struct feed_rule rule;
    int *block; /* (blocks) in the order of this epoch */
    int *first; /* (windows + 1) window i is block[first[i]] .. block[first[i + 1] - 1] */
    int windows;
    struct feed_position at;
    long before;          /* pairs in earlier windows of this epoch */
    struct corpus corpus; /* the current window */
    struct plan plan;
};

/* The store is borrowed and must be sealed. It is not read if there is a source of pairs. */
enum attend_status feed_init(struct feed *, const struct store *, const struct feed_rule *,
                             struct attend_error *err);
void feed_release(struct feed *);
/* Seek to a position, which may be the end of an epoch. */
enum attend_status feed_seek(struct feed *, struct feed_position, struct attend_error *err);
/* Get up to `most` batches of one window; *count = 0 at the end of the epoch. The batches are valid
 * until the next call. */
enum attend_status feed_next(struct feed *, struct feed_batch *out, int most, int *count,
                             struct attend_error *err);
/* The fraction of the epoch's pairs delivered so far, 0 to 1. */
double feed_done(const struct feed *);

#endif
