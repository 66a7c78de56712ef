/* Internal to the trainer: shared by the loop (trainer.c), the settings of an update
 * (trainer_settings.c) and the selection of models (selection.c). */
#ifndef ATTEND_TRAIN_TRAINER_PARTS_H
#define ATTEND_TRAIN_TRAINER_PARTS_H

#include "train/schedule.h"
#include "train/trainer.h"

struct trainer {
    const struct trainer_job *job;
    const struct attend_comm *comm; /* NULL: there is only this process */
    struct team *team;
    struct updater updater;
    struct schedule schedule;
    struct crew *crew;
    struct feed feed;
    struct plan valid_plan;
    const struct metric_ops *metric; /* NULL: the loss */
    struct progress at;
    struct kept kept;
    struct attend_train_report report;
    /* times in seconds; `reported` is shifted by the time spent validating */
    double started, reported, saved;
    double tokens;     /* tokens since the last report */
    size_t largest;    /* bytes of the largest batch */
    long per_epoch;    /* updates per epoch */
    bool checkpointed; /* this run has saved a checkpoint */
};

static inline bool trainer_is_first_rank(const struct trainer *t)
{
    return !t->comm || t->comm->rank == 0;
}

void trainer_report(struct trainer *, enum attend_train_event);

/* The rates and the random keys of the next update, whose batches have this many target words. */
struct update_settings trainer_settings(const struct trainer *, double words);

/* ---- selection.c ---- */

/* Only the first process writes. */
enum attend_status selection_save_checkpoint(struct trainer *, struct attend_error *err);
/* Remove kept models that the checkpoint no longer names. If that fails during training, it is
 * tried again the next time. */
enum attend_status selection_clean(const struct trainer *, struct attend_error *err);
/* Validate, and save the model if it is the best; without validation data, save the last. */
enum attend_status selection_validate(struct trainer *, struct attend_error *err);
/* Validate the average of the kept models; it becomes the model if it is better. */
enum attend_status selection_average(struct trainer *, struct attend_error *err);

#endif
