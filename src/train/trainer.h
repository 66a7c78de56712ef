/* The training loop: updates, validations, the best model and a checkpoint kept on the way. */
#ifndef ATTEND_TRAIN_TRAINER_H
#define ATTEND_TRAIN_TRAINER_H

#include "attend/train.h"
#include "train/checkpoint.h"
#include "train/feed.h"
#include "train/validate.h"

struct trainer_job {
    const struct train_options *options;
    struct seq2seq *net; /* parameters bound, with gradients, and started */
    real *values, *grads;
    const struct store *train;
    struct feed_source draws;       /* of each epoch's pairs, when they are not always `train` */
    const struct valid_text *valid; /* or NULL: then the last model is kept */
    const struct model_side *source, *target;
    const char *model;               /* where the best model goes */
    const char *checkpoint;          /* where the checkpoint goes */
    struct training_texts texts;     /* for the files */
    const struct checkpoint *resume; /* what to go on from, or NULL */
    const struct attend_train_hooks *hooks;
};
enum attend_status trainer_run(const struct trainer_job *, struct attend_error *err);

/* Why a training that has come this far ends under these settings; NULL: it goes on. */
const char *trainer_reason_to_end(const struct train_options *, const struct progress *);

#endif
