/* The batches of an epoch in their order, from a corpus of any size.
 *
 * The store's blocks come in random order and are cut into windows of about `window` words, one of
 * which is in memory at a time; within it sentences of like length make batches and the batches
 * come in random order (train/plan.h). A corpus that fits one window is shuffled as a whole. All of
 * it is a function of the store, the rule and the epoch, so that a position says everything about
 * what is still to come. */
#ifndef ATTEND_TRAIN_FEED_H
#define ATTEND_TRAIN_FEED_H

#include "text/store.h"
#include "train/plan.h"

/* Pairs that have another form in every epoch (--subword-sampling). Each epoch draws its own store
 * when it begins: a function of the epoch alone, so that a training that goes on, and every process
 * of one, draws the same. Nothing of earlier epochs is kept. */
struct feed_source {
    /* The caller frees the store. NULL: every epoch has the same pairs. */
    enum attend_status (*draw)(void *context, int epoch, struct store **out,
                               struct attend_error *err);
    void *context;
};

struct feed_rule {
    struct plan_rule plan;
    long window; /* words of both sides in memory; at least one block is */
    int rank;    /* of this process among plan.ranks */
    struct feed_source source;
};

/* A batch: this process's share, which may be empty, and the target words of the whole, </s>
 * counted. */
struct feed_batch {
    struct batch_text text;
    long words;
};

/* The next batch; epochs count from 1, the rest from 0. */
struct feed_position {
    int epoch, window, batch;
};

struct feed {
    const struct store *store; /* this epoch's */
    struct store *drawn;       /* the same, when it was drawn; else NULL */
    int drawn_epoch;
    struct feed_rule rule;
    int *block; /* (blocks) this epoch's order */
    int *first; /* (windows + 1) window i is block[first[i]] .. block[first[i + 1] - 1] */
    int windows;
    struct feed_position at;
    long before;          /* pairs of this epoch's earlier windows */
    struct corpus corpus; /* the window */
    struct plan plan;
};

/* The store is borrowed and sealed; with a source it is not read. */
enum attend_status feed_init(struct feed *, const struct store *, const struct feed_rule *,
                             struct attend_error *err);
void feed_release(struct feed *);
/* Go to a position, which may be the end of an epoch. */
enum attend_status feed_seek(struct feed *, struct feed_position, struct attend_error *err);
/* Up to `most` batches of one window; *count = 0 at the end of the epoch. The batches stay valid
 * until the next call. */
enum attend_status feed_next(struct feed *, struct feed_batch *out, int most, int *count,
                             struct attend_error *err);
/* Share of the epoch's pairs that have been handed out, 0 to 1. */
double feed_done(const struct feed *);

#endif
