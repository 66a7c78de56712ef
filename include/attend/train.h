/* Training a model on pairs of lines. */
#ifndef ATTEND_TRAIN_H
#define ATTEND_TRAIN_H

#include "attend/option.h"
#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a report is about. */
enum attend_train_event {
    ATTEND_TRAIN_STARTED,   /**< data and model are ready: sizes, memory */
    ATTEND_TRAIN_PROGRESS,  /**< a few times a second while updates are made */
    ATTEND_TRAIN_VALIDATED, /**< at the end of an epoch, when there is validation data */
    ATTEND_TRAIN_FINISHED,  /**< the best model is saved */
};

/** Where training stands. */
struct attend_train_report {
    enum attend_train_event event;
    long train_pairs, valid_pairs; /**< usable pairs */
    long skipped_pairs;            /**< training pairs left out: a side was empty or too long */
    int first_skipped;             /**< line number of the first of them */
    int source_vocab, target_vocab;
    size_t parameters;
    size_t memory; /**< bytes the engine holds: weights, gradients, optimiser, the largest batch */
    int threads;
    int epoch, max_epochs; /**< epoch counts from 1 */
    double epoch_done;     /**< share of the epoch's batches, 0 to 1 */
    long update;           /**< updates made so far */
    double loss;           /**< mean over this epoch so far, per target word, as optimised */
    double lr;             /**< learning rate of the last update */
    double
        tokens_per_second; /**< source and target words, </s> not counted, since the last report */
    double seconds;        /**< since the start */
    double eta;        /**< seconds to the last allowed update; early stopping can come sooner */
    double valid_loss; /**< cross-entropy per target word, without smoothing */
    double valid_accuracy; /**< share of sentences that greedy search gets exactly right */
    bool best;             /**< this validation is the best so far, and its model was saved */
    int patience_left;     /**< validations without improvement still allowed */
    int best_epoch;
};

/** Both may be NULL. Called on the thread that called attend_train. */
struct attend_train_hooks {
    void (*report)(void *context, const struct attend_train_report *report);
    bool (*stop)(
        void *context); /**< asked after every update; true ends training, keeping the best model */
    void *context;
};

/** Train with the settings of attend_options_new("train", ...). ATTEND_STOPPED when hooks->stop
 * asked for it. */
ATTEND_API enum attend_status attend_train(const struct attend_options *options,
                                           const struct attend_train_hooks *hooks,
                                           struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
