/* Inside the trainer: what the loop (trainer.c) and the keeping of models (selection.c) share. */
#ifndef ATTEND_TRAIN_TRAINER_PARTS_H
#define ATTEND_TRAIN_TRAINER_PARTS_H

#include "train/schedule.h"
#include "train/trainer.h"

struct trainer {
    const struct trainer_job *job;
    const struct attend_comm *comm; /* NULL: this process is alone */
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
    double started, reported, saved; /* seconds on the clock; reported moves on while judging */
    double tokens;                   /* since the last report */
    size_t largest;                  /* batch, in bytes */
    long per_epoch;                  /* updates */
    bool checkpointed;               /* there is a checkpoint of this training */
};

static inline bool trainer_is_first_rank(const struct trainer *t)
{
    return !t->comm || t->comm->rank == 0;
}

void trainer_report(struct trainer *, enum attend_train_event);

/* ---- selection.c ---- */

/* Only the first process writes. */
enum attend_status selection_save_checkpoint(struct trainer *, struct attend_error *err);
/* Remove kept models that the checkpoint no longer names. What cannot be removed while training
 * goes on is tried again the next time. */
enum attend_status selection_clean(const struct trainer *, struct attend_error *err);
/* Validate, and save the model if it is the best; without validation data the last is. */
enum attend_status selection_judge(struct trainer *, struct attend_error *err);
/* Try the average of the kept models; it becomes the model if it is better. */
enum attend_status selection_average(struct trainer *, struct attend_error *err);

#endif
