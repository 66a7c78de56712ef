/* One update: pack the weights, run one or more batches forward and backward, add up what other
 * processes found, clip, step. The team stays together through a batch. */
#ifndef ATTEND_TRAIN_UPDATE_H
#define ATTEND_TRAIN_UPDATE_H

#include "attend/train.h"
#include "base/threads.h"
#include "model/seq2seq.h"
#include "train/optimizer.h"

/* What an updater works on; all borrowed. */
struct updater_parts {
    struct seq2seq *net;
    struct team *team;
    real *values, *grads;
    const struct optimizer_ops *optimizer;
    double average_decay;           /* of the averaged weights; 0: none are kept */
    const struct attend_comm *comm; /* the other processes, or NULL */
};

/* Everything is bound before the first update. */
struct updater {
    struct updater_parts parts;
    struct optimizer optimizer;
    struct arena state; /* optimiser and work space of the members */
    struct arena batch; /* the tape; grows to the largest batch and stays */
    struct seq2seq_tape tape;
    struct compute *compute; /* (team) */
};

enum attend_status updater_init(struct updater *, const struct updater_parts *,
                                struct attend_error *err);
void updater_release(struct updater *);

/* Bytes that a batch's tape takes. */
size_t updater_measure(const struct updater *, const struct batch_text *);
/* Make room for tapes of up to `bytes`. */
enum attend_status updater_reserve(struct updater *, size_t bytes, struct attend_error *err);

/* Lay a batch out on the tape; the functions below do it themselves. */
void updater_lay(struct updater *, const struct batch_text *);

struct update_settings {
    struct dropouts dropout;
    double smoothing, lr, clip;
    double sampling; /* see seq2seq_job */
    uint64_t sampling_key;
    double words; /* target words of all batches of the update, in all processes, </s> counted */
};
/* Make one update from `count` batches. Returns the summed loss of all processes;
 * updater->optimizer.norm tells whether the update could be made: if loss or norm are not finite,
 * the weights are as before. */
double updater_update(struct updater *, const struct batch_text *, int count,
                      const struct update_settings *);
/* The summed loss of one batch alone, in this process, without dropout and smoothing. */
double updater_loss(struct updater *, const struct batch_text *);

#endif
