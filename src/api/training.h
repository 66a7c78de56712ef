/* A run of training, between its first and its last update. */
#ifndef ATTEND_API_TRAINING_H
#define ATTEND_API_TRAINING_H

#include "attend/train.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "corpus/dataset.h"
#include "settings/train_settings.h"
#include "train/trainer.h"

struct train_log;

struct attend_training {
    struct train_settings options;
    struct attend_train_hooks hooks;
    struct strbuf settings;   /* the options as JSON */
    struct strbuf examples;   /* lines that the model file shows; may be empty */
    char *checkpoint;         /* path */
    struct io_lock lock;      /* of the model, so that two runs cannot overwrite each other */
    struct checkpoint *found; /* the checkpoint to resume from, or NULL */
    struct model *parent;     /* the model of `init_from`, or NULL */
    struct dataset data;
    struct seq2seq net;
    real *values, *grads;
    int *copies;                         /* text_side_copies, when words can be copied */
    struct train_log *log;               /* or NULL */
    struct strbuf case_note;             /* why `case` auto chose as it did */
    struct attend_train_hooks own_hooks; /* write the log, then call `hooks` */
    struct trainer_job job;
    struct trainer *trainer; /* NULL: there was nothing left to do */
};

/* training_net.c: declare the network for the data, and give its weights their first values. */
enum attend_status training_make_net(struct attend_training *, struct attend_error *err);

#endif
