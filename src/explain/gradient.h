/* Gradients of the words' log-probabilities with respect to the source's embeddings x_j.
 *
 *     gradient times input   d log P(y_t | y_<t, x) / d x_j . x_j
 *     integrated gradients   the same gradient's mean over the path a x, a from 0 to 1, times x_j
 *                            (Sundararajan, Taly and Yan 2017), at the midpoints of K parts
 *
 * Summed over j, </s> included, integrated gradients give log P(y_t) less what it is when all
 * embeddings are 0, up to the error of the sum over K points.
 *
 * Every target word needs a backward pass of its own: the batch holds a copy of the pair for each
 * word and each point, whose target ends with that word. */
#ifndef ATTEND_EXPLAIN_GRADIENT_H
#define ATTEND_EXPLAIN_GRADIENT_H

#include "model/seq2seq.h"

/* A model's training form, over the values of a model that runs, which must outlive it. Its
 * gradients are one thread's. */
struct gradient_net {
    struct seq2seq net;
    real *grads; /* of the weights, which nobody asks for */
};
/* ATTEND_USAGE for int8 weights, which can only run. Release it in any case. */
enum attend_status gradient_net_init(struct gradient_net *, const struct seq2seq *runs,
                                     struct attend_error *err);
void gradient_net_release(struct gradient_net *);

struct gradient_job {
    const struct seq2seq *net;  /* in training form */
    const int *source, *target; /* ids, without </s> */
    int source_length, target_length;
    int points;                     /* K of the path; 0: gradient times input */
    const struct attend_stop *stop; /* asked before each batch of copies; or NULL */
};
/* out: (T, S), </s> counted on both sides. */
enum attend_status gradient_run(const struct gradient_job *, double *out, struct attend_error *err);
/* out: (T) log P of each word when the source's embeddings are scaled. */
enum attend_status gradient_scores(const struct gradient_job *, double scale, double *out,
                                   struct attend_error *err);

#endif
