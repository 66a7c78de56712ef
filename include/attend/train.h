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
    ATTEND_TRAIN_NOTE,      /**< something was decided or left out: `note` says it */
    ATTEND_TRAIN_STARTED,   /**< data and model are ready: sizes, memory */
    ATTEND_TRAIN_UPDATED,   /**< every --log-every updates */
    ATTEND_TRAIN_PROGRESS,  /**< a few times a second while updates are made */
    ATTEND_TRAIN_VALIDATED, /**< after each validation */
    ATTEND_TRAIN_AVERAGED,  /**< the average of several models was tried */
    ATTEND_TRAIN_STOPPED,   /**< hooks->stop asked for it; the checkpoint is saved */
    ATTEND_TRAIN_FINISHED,  /**< the best model is saved */
};

/** A sentence of the validation text, what it should become and what it becomes. */
struct attend_train_sample {
    const char *source, *target, *output;
};
enum { ATTEND_TRAIN_SAMPLES = 3 };

/** Where training stands. */
struct attend_train_report {
    enum attend_train_event event;
    const char *note;
    long train_pairs, valid_pairs; /**< usable pairs */
    int source_vocab, target_vocab;
    size_t parameters;
    size_t memory; /**< bytes the engine holds: weights, gradients, optimiser, the largest batch */
    int threads, ranks;
    int epoch, max_epochs; /**< epoch counts from 1 */
    double epoch_done;     /**< share of the epoch's pairs, 0 to 1 */
    long update;           /**< updates made so far */
    long resumed;          /**< the update that this run went on from; 0: a new training */
    double loss;           /**< mean over this epoch so far, per target word, as optimised */
    double update_loss;    /**< of the last update */
    double norm;           /**< of the last update's gradient, before clipping */
    double lr;             /**< learning rate of the last update */
    double
        tokens_per_second; /**< source and target words, </s> not counted, since the last report */
    double seconds;        /**< since the start */
    double eta;         /**< seconds to the last allowed update; early stopping can come sooner */
    double valid_loss;  /**< cross-entropy per target word, without smoothing */
    const char *metric; /**< what decides which model is the best, as --valid-metric names it */
    const char *metric_label, *metric_unit; /**< for people: "BLEU" and "", "accuracy" and "%" */
    double valid_metric;                    /**< its value, 0 to 100, or the loss */
    struct attend_train_sample sample[ATTEND_TRAIN_SAMPLES];
    int samples;
    bool best;         /**< this validation is the best so far, and its model was saved */
    int patience_left; /**< validations without improvement still allowed */
    int best_epoch;
    long best_update;
    const char *reason; /**< why training finished */
};

/** Processes that train one model together. They make the same calls in the same order; numbers are
 * summed over all of them and every process gets the sum. A process that cannot reach the others
 * ends. */
struct attend_comm {
    int rank, size;
    /** Begin to sum floats in place; they may not be touched before `finish`. */
    void (*begin_sum)(void *context, float *values, size_t count);
    /** Wait until all sums that were begun are there. */
    void (*finish)(void *context);
    /** Sum a few numbers, at once. */
    void (*sum)(void *context, double *values, int count);
    void *context;
};

/** Each may be NULL. Called on the thread that called attend_train. */
struct attend_train_hooks {
    void (*report)(void *context, const struct attend_train_report *report);
    bool (*stop)(void *context); /**< asked after every update; true saves a checkpoint and ends */
    void *context;
    const struct attend_comm *comm; /**< only rank 0 reports and writes files */
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
