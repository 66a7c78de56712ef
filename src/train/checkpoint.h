/* The state of a run that can be resumed: the current model and everything that later updates
 * depend on. A resumed run ends with the same bytes as one that was never stopped.
 *
 * The file is a model with additional parts. Every command can use it: it is the last model of the
 * run, whereas the model file is the best. The parts are:
 *
 *     training.kept           F64 (1, 2 n) update and value of each model kept for averaging
 *     training.state.0, .1    (1, size)    of the optimizer
 *     training.weights        (1, size)    the weights, when the model holds their average
 *     progress                JSON         struct progress
 *     settings                JSON         what the user asked for
 *     data                    hex digits   checksum of the training and validation pairs */
#ifndef ATTEND_TRAIN_CHECKPOINT_H
#define ATTEND_TRAIN_CHECKPOINT_H

#include "model/model.h"
#include "train/feed.h"
#include "train/keep.h"
#include "train/limits.h"
#include "train/update.h"

/* The progress of a run. */
struct progress {
    int epoch, window, batch; /* position of the next update: struct feed_position */
    int update, step;         /* updates so far; steps of the optimizer */
    double epoch_loss, epoch_words;
    int validated;  /* update of the last validation */
    int best_epoch; /* 0: no validation yet */
    int best_update;
    double best_value, best_loss;
    int worse;     /* validations since the best one */
    int falls;     /* see struct schedule */
    bool finished; /* done, unless a limit is raised */
};

/* Texts that every file of a run records; borrowed. */
struct training_texts {
    const char *settings, *data;
    const char *examples; /* of the model only; NULL: none */
};

struct checkpoint_content {
    const struct updater *updater;
    const struct text_side *source, *target;
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
/* An incomplete or damaged checkpoint is ATTEND_FORMAT. `path` must outlive it. */
enum attend_status checkpoint_load(struct checkpoint **out, const char *path,
                                   struct attend_error *err);
void checkpoint_free(struct checkpoint *);
/* Restore weights and optimizer. The updater must be for the same model and optimizer. */
enum attend_status checkpoint_restore(const struct checkpoint *, struct updater *,
                                      struct attend_error *err);

#endif
