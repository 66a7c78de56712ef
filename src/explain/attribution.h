/* How much each source word mattered to each word of a given target, by several measures.
 *
 *     attention       a_tj, heads averaged
 *     leave-one-out   log P(y_t) less what it is without source word j (or with <unk> for it)
 *     gradient        gradient times input       see explain/gradient.h
 *     integrated      integrated gradients
 *
 * S and T count </s>. The source's </s> cannot be left out: its leave-one-out is NAN, and it takes
 * no part in ranks. */
#ifndef ATTEND_EXPLAIN_ATTRIBUTION_H
#define ATTEND_EXPLAIN_ATTRIBUTION_H

#include "model/seq2seq.h"

enum attribution_kind {
    ATTRIBUTION_ATTENTION,
    ATTRIBUTION_LEAVE_ONE_OUT,
    ATTRIBUTION_GRADIENT,
    ATTRIBUTION_INTEGRATED,
    ATTRIBUTION_KINDS
};

struct attribution_job {
    const struct seq2seq *net;
    const struct seq2seq *trains; /* its training form, one thread's own; NULL: no gradients */
    const int *source, *target;   /* ids, without </s> */
    int source_length, target_length;
    bool mask;                      /* <unk> instead of nothing */
    int ig_steps;                   /* points of the path */
    const struct attend_stop *stop; /* or NULL */
};

struct attribution {
    int S, T;
    double *value[ATTRIBUTION_KINDS]; /* (T, S); NULL: the model has it not */
    double *score;                    /* (T) log P of each word */
    double *size;                     /* (S) for attribution_ranks to work in */
    double incompleteness;            /* of the integrated gradients: the largest error of a sum */
    double *block;                    /* all of it */
};

/* Release it in any case. */
enum attend_status attribution_run(struct attribution *, const struct attribution_job *,
                                   struct attend_error *err);
void attribution_release(struct attribution *);

/* Kendall's and Spearman's correlation (metric/rank.h) of attention with the size of another
 * kind's values, over the source words of target word t; NAN where there is nothing to order. */
struct attribution_ranks {
    double kendall, spearman;
};
struct attribution_ranks attribution_ranks(const struct attribution *, enum attribution_kind,
                                           int t);
/* The source word with the largest value of a kind. */
int attribution_top(const struct attribution *, enum attribution_kind, int t);

/* Source variants: the words of the sentence but for those that are gone. */
void attribution_reduce(const struct attribution_job *, const bool *gone, struct sequences *out);

#endif
