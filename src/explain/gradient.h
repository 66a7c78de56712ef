/* Gradients of the words' log-probabilities with respect to the source embeddings x_j.
 *
 *     gradient times input   d log P(y_t | y_<t, x) / d x_j . x_j
 *     integrated gradients   the mean of this gradient over the path a x, a from 0 to 1, times x_j
 *                            (Sundararajan, Taly and Yan 2017), at the midpoints of K parts
 *
 * Summed over j, including </s>, integrated gradients equal log P(y_t) minus its value for all
 * embeddings 0, up to the error of K points.
 *
 * Every target word needs its own backward pass: the batch holds one copy of the pair for each word
 * and each point, with a target that ends at that word. */
#ifndef ATTEND_EXPLAIN_GRADIENT_H
#define ATTEND_EXPLAIN_GRADIENT_H

#include "model/seq2seq.h"

/* The training form of a model for inference. It shares the model's values, so the model must
 * outlive it. Its gradients belong to one thread. */
struct gradient_net {
    struct seq2seq net;
    real *grads; /* of the weights; not used */
};
/* ATTEND_USAGE for int8 weights, which are only for inference. Release the result even on
 * failure. */
enum attend_status gradient_net_init(struct gradient_net *, const struct seq2seq *runs,
                                     struct attend_error *err);
void gradient_net_release(struct gradient_net *);

struct gradient_job {
    const struct seq2seq *net;  /* in training form */
    const int *source, *target; /* ids, without </s> */
    int source_length, target_length;
    int points;                     /* K points on the path; 0: gradient times input */
    const struct attend_stop *stop; /* asked before each batch of copies; or NULL */
};
/* out: (T, S), including </s> on both sides. */
enum attend_status gradient_run(const struct gradient_job *, double *out, struct attend_error *err);
/* out: (T) log P of each word with the source embeddings multiplied by `scale`. */
enum attend_status gradient_scores(const struct gradient_job *, double scale, double *out,
                                   struct attend_error *err);

#endif
