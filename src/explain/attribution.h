/* How much each source word mattered to each word of a given target, by several measures.
 *
 *     attention       a_tj, averaged over heads
 *     leave-one-out   log P(y_t) minus log P(y_t) without source word j (or with <unk> in its
 * place) gradient        gradient times input       see explain/gradient.h integrated integrated
 * gradients
 *
 * S and T include </s>. The source's </s> cannot be left out: its leave-one-out value is NAN, and
 * it is excluded from ranks. */
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
    const struct seq2seq *trains; /* its training form, private to the thread; NULL: no gradients */
    const int *source, *target;   /* ids, without </s> */
    int source_length, target_length;
    bool mask;                      /* replace words by <unk> instead of removing them */
    int ig_steps;                   /* points on the path */
    const struct attend_stop *stop; /* or NULL */
};

struct attribution {
    int S, T;
    double *value[ATTRIBUTION_KINDS]; /* (T, S); NULL: not available for this model */
    double *score;                    /* (T) log P of each word */
    double *size;                     /* (S) scratch of attribution_ranks */
    double incompleteness;            /* of integrated gradients: the largest error of a sum */
    double *block;                    /* the memory of all arrays */
};

/* Release the result even on failure. */
enum attend_status attribution_run(struct attribution *, const struct attribution_job *,
                                   struct attend_error *err);
void attribution_release(struct attribution *);

/* Kendall's and Spearman's correlation (metric/rank.h) of attention with the absolute values of
 * another measure, over the source words of target word t; NAN where there is nothing to rank. */
struct attribution_ranks {
    double kendall, spearman;
};
struct attribution_ranks attribution_ranks(const struct attribution *, enum attribution_kind,
                                           int t);
/* The source word with the largest value of a measure. */
int attribution_top(const struct attribution *, enum attribution_kind, int t);

/* Append the source without the words in `gone` to the variants. */
void attribution_reduce(const struct attribution_job *, const bool *gone, struct sequences *out);

#endif
