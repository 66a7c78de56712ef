/* How a model is trained: the settings and their rows. */
#ifndef ATTEND_TRAIN_SETTINGS_H
#define ATTEND_TRAIN_SETTINGS_H

#include "base/option.h"

struct train_options {
    int batch_tokens, batch_sentences, accumulate;
    int window; /* thousands of words */
    double dropout, word_dropout, recurrent_dropout, label_smoothing;
    double sampling;
    int sampling_warmup; /* updates */
    char *optimizer;
    double lr; /* 0: the optimiser's own */
    double clip, weight_decay, momentum, ema;
    char *schedule; /* NULL: constant */
    int warmup;     /* updates; 0: the schedule's own */
    double decay;
    int decay_from; /* epoch */
    int max_epochs, max_updates;
    int valid_every;    /* updates; 0: every epoch */
    char *valid_metric; /* NULL: auto */
    int patience;       /* validations */
    int average;        /* models; 0: none are averaged */
    char *average_of;   /* NULL: best */
    int save_every;     /* updates; 0: SAVE_SECONDS */
    int log_every;      /* updates */
    int seed;
    int threads;
};
extern const struct option_row train_rows[];

enum { TRAIN_MAX_ACCUMULATE = 64, TRAIN_MAX_AVERAGE = 16 };

#endif
