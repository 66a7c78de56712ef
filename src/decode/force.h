/* Runs a model on given pairs instead of searching: the log-probability of a target, and the
 * attention for each of its words. */
#ifndef ATTEND_DECODE_FORCE_H
#define ATTEND_DECODE_FORCE_H

#include "base/threads.h"
#include "model/seq2seq.h"

struct forced {
    int item;
    double log_probability; /* of all words and </s> */
    const double *row_loss; /* (T) minus the log-probability of each word; valid during the call */
    int S, T;               /* words on both sides, including </s> */
    const real *weight;     /* (T, heads S), valid during the call; S = 1 without attention */
    int heads;
    const float *share; /* (T) share of copying, see copy_share; NULL: no copying */
};

struct force_job {
    const struct seq2seq *net;
    const struct sequences *source, *target;
    /* Calls for different pairs may overlap. */
    void (*emit)(void *context, const struct forced *);
    void *context;
    const struct attend_stop *stop; /* asked before each pair; or NULL */
};
/* Runs all pairs, divided among the team. Either side may be empty: its </s> remains. */
enum attend_status force_pairs(struct team *, const struct force_job *, struct attend_error *err);

#endif
