/* One update: pack the weights, run the batch forward and backward, clip, step. The team stays
 * together from start to end. */
#ifndef ATTEND_TRAIN_UPDATE_H
#define ATTEND_TRAIN_UPDATE_H

#include "base/threads.h"
#include "model/seq2seq.h"
#include "train/optimizer.h"

/* What an updater needs beside the model; everything is bound before the first update. */
struct updater {
    struct seq2seq *net;
    struct team *team;
    real *values, *grads;
    struct optimizer optimizer;
    struct arena state; /* optimiser and work space of the members */
    struct arena batch; /* the tape; grows to the largest batch and stays */
    struct seq2seq_tape tape;
    struct compute *compute; /* (team) */
};

enum attend_status updater_init(struct updater *, struct seq2seq *, struct team *,
                                const struct optimizer_ops *, real *values, real *grads,
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
};
/* Returns the summed loss; updater->optimizer.norm tells whether the update could be made. */
double updater_update(struct updater *, const struct batch_text *, const struct update_settings *);
/* The summed loss alone, without dropout and smoothing. */
double updater_loss(struct updater *, const struct batch_text *);

#endif
