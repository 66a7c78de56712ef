/* One update: pack the weights, run one or more batches forward and backward, sum over processes,
 * clip, step. The team stays together for a whole batch. */
#ifndef ATTEND_TRAIN_UPDATE_H
#define ATTEND_TRAIN_UPDATE_H

#include "attend/train.h"
#include "base/threads.h"
#include "model/seq2seq.h"
#include "train/optimizer.h"

/* The parts of an updater; all borrowed. */
struct updater_parts {
    struct seq2seq *net;
    struct team *team;
    real *values, *grads;
    const struct optimizer_ops *optimizer;
    double average_decay;           /* of the weight average; 0: none */
    bool bf16;                      /* the products of an update round to bf16 */
    const struct attend_comm *comm; /* the other processes, or NULL */
};

/* All memory except the tape is bound before the first update. */
struct updater {
    struct updater_parts parts;
    struct optimizer optimizer;
    struct arena state; /* optimizer and workspace of the members */
    struct arena batch; /* the tape; grows to the largest batch */
    struct seq2seq_tape tape;
    struct compute *compute; /* (team) */
};

enum attend_status updater_init(struct updater *, const struct updater_parts *,
                                struct attend_error *err);
void updater_release(struct updater *);

/* The size of a batch's tape in bytes. */
size_t updater_measure(const struct updater *, const struct batch_text *);
/* Reserve memory for tapes of up to `bytes`. */
enum attend_status updater_reserve(struct updater *, size_t bytes, struct attend_error *err);

/* Lay a batch out on the tape. The functions below do so themselves. */
void updater_lay(struct updater *, const struct batch_text *);

struct update_settings {
    struct dropouts dropout;
    struct frame_masks masks;
    double smoothing, lr, clip;
    double guide;    /* weight of the loss of the attention against the links of a batch */
    double sampling; /* see seq2seq_job */
    uint64_t sampling_key;
    double words; /* target words of all batches of the update in all processes, including </s> */
};
/* Make one update from `count` batches. Returns the loss summed over all processes. If the loss or
 * updater->optimizer.norm is NaN or infinite, the weights are unchanged. */
double updater_update(struct updater *, const struct batch_text *, int count,
                      const struct update_settings *);
/* The summed loss of one batch, in this process only, without dropout and smoothing, and with
 * products of floats. The weights stay packed as floats until the next update. */
double updater_loss(struct updater *, const struct batch_text *);

#endif
