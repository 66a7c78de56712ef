/* The training loop: updates and validations, saving the best model and a checkpoint. */
#ifndef ATTEND_TRAIN_TRAINER_H
#define ATTEND_TRAIN_TRAINER_H

#include "attend/train.h"
#include "train/checkpoint.h"
#include "train/feed.h"
#include "train/validate.h"

struct trainer_job {
    const struct attend_train_options *options;
    struct seq2seq *net; /* parameters are bound, with gradients, and initialized */
    real *values, *grads;
    const struct store *train;
    struct pair_source resampling;  /* gives each epoch's pairs, if they are not always `train` */
    const struct valid_text *valid; /* or NULL: the last model is kept */
    const struct text_side *source, *target;
    const char *model;               /* path of the best model */
    const char *checkpoint;          /* path of the checkpoint */
    struct training_texts texts;     /* recorded in the files */
    const struct checkpoint *resume; /* to resume from; or NULL */
    const struct attend_train_hooks *hooks;
};
struct trainer;

/* Everything up to the first update. The job and what it points to must outlive the trainer. */
enum attend_status trainer_new(struct trainer **out, const struct trainer_job *,
                               struct attend_error *err);
/* Make the next update and what is due after it, or end an epoch. *ended: the run is complete, and
 * nothing was done. */
enum attend_status trainer_advance(struct trainer *, bool *ended, struct attend_error *err);
/* Updates made, those of earlier runs included. */
long trainer_updates(const struct trainer *);
/* The learning rate from now on, before the schedule's factor. */
void trainer_set_lr(struct trainer *, double lr);
/* Save the current weights as a model, whatever the validations say. */
enum attend_status trainer_save(struct trainer *, const char *path, struct attend_error *err);
void trainer_free(struct trainer *);

/* Why a run with this progress ends under these settings; NULL: it continues. */
const char *trainer_reason_to_end(const struct attend_train_options *, const struct progress *);

#endif
