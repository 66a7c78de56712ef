/* The training loop: epochs of planned batches, validation after each, the best model kept. */
#ifndef ATTEND_TRAIN_TRAINER_H
#define ATTEND_TRAIN_TRAINER_H

#include "attend/train.h"
#include "base/option.h"
#include "model/model.h"
#include "text/corpus.h"

struct train_options {
    int batch_tokens, batch_sentences;
    double dropout, recurrent_dropout, label_smoothing;
    char *optimizer;
    double lr; /* 0: the optimiser's own */
    double clip, weight_decay, momentum;
    char *schedule; /* NULL: constant */
    int warmup;     /* updates; 0: the schedule's own */
    double decay;
    int decay_from; /* epoch */
    int max_epochs, max_updates;
    int patience;
    int seed;
    int threads;
};
extern const struct option_row train_rows[];

struct trainer_job {
    const struct train_options *options;
    struct seq2seq *net; /* parameters bound, with gradients, and started */
    real *values, *grads;
    const struct corpus *train;
    const struct corpus *valid; /* or NULL: then the last epoch's model is kept */
    const struct model_side *source, *target;
    const char *model; /* where the best model goes */
    const struct attend_train_hooks *hooks;
};
enum attend_status trainer_run(const struct trainer_job *, struct attend_error *err);

#endif
