/* A training that can be gone on with: the model as it is now, and everything that what follows
 * depends on. Going on from a checkpoint gives the bytes that going on without it would have given.
 *
 * The file is a model (any command can use it: it is the last one, where the model beside it is the
 * best) with these parts more:
 *
 *     training.kept           F64 (1, 2 n) update and value of each model kept for averaging
 *     training.state.0, .1    (1, size)    of the optimiser
 *     training.weights        (1, size)    the weights, when the model holds their average
 *     progress                JSON         struct progress
 *     settings                JSON         what the user asked for
 *     data                    hex digits   checksum of the training and validation pairs */
#ifndef ATTEND_TRAIN_CHECKPOINT_H
#define ATTEND_TRAIN_CHECKPOINT_H

#include "model/model.h"
#include "train/feed.h"
#include "train/keep.h"
#include "train/settings.h"
#include "train/update.h"

/* Where training stands. */
struct progress {
    int epoch, window, batch; /* of the next update: struct feed_position */
    int update, step;         /* made so far; of the optimiser */
    double epoch_loss, epoch_words;
    int validated;  /* the update of the last validation */
    int best_epoch; /* 0: no validation yet */
    int best_update;
    double best_value, best_loss;
    int worse;     /* validations since the best */
    int falls;     /* of the schedule */
    bool finished; /* nothing is left but with other limits */
};

/* What every file of a training records; borrowed. */
struct training_texts {
    const char *settings, *data;
};

struct checkpoint_content {
    const struct updater *updater;
    const struct model_side *source, *target;
    const struct progress *progress;
    const struct kept *kept;
    const struct training_texts *texts;
};
enum attend_status checkpoint_save(const char *path, const struct checkpoint_content *,
                                   struct attend_error *err);

struct checkpoint {
    struct model *model;
    struct file *file;
    struct progress progress;
    struct kept kept;
    struct training_texts texts;
};
/* A file that is no whole checkpoint is refused with ATTEND_FORMAT. `path` must outlive it. */
enum attend_status checkpoint_load(struct checkpoint **out, const char *path,
                                   struct attend_error *err);
void checkpoint_free(struct checkpoint *);
/* Weights and optimiser as they were; the updater was made for the same model and optimiser. */
enum attend_status checkpoint_restore(const struct checkpoint *, struct updater *,
                                      struct attend_error *err);

#endif
