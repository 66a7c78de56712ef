/* The output layer and its loss: logits = o W + b, p = softmax(logits), and
 *
 *     loss = sum over rows of (1 - eps) (-log p_y) + eps / V sum_k (-log p_k)
 *
 * (label smoothing as PyTorch defines it). Logits exist only for CHUNK rows at a time, so memory
 * does not grow with the number of target words. Their gradient overwrites them:
 *
 *     d_logit_k = scale (p_k - (1 - eps) [k = y] - eps / V)
 *
 * The team divides the columns of the vocabulary. Each member computes its own columns of the
 * logits, of their gradient and of W's gradient; for each row the members exchange a maximum and
 * two sums. Dims: N rows, R readout width, V vocabulary. */
#ifndef ATTEND_NN_CROSS_ENTROPY_H
#define ATTEND_NN_CROSS_ENTROPY_H

#include "nn/linear.h"

struct copy_tape;

struct cross_entropy {
    int R, V;
    const struct param *tied; /* (V, R), whose transpose is W; NULL: W is a parameter of its own */
    struct param W;           /* (R, V) */
    struct param b;           /* (V) */
    struct packed forward;    /* W, packed */
    struct packed backward;   /* W transposed, packed; only for training */
};

struct cross_entropy_tape {
    real *logits;          /* (CHUNK, V) */
    struct row_sums *sums; /* (team, CHUNK) */
};

struct cross_entropy_job {
    struct view o;                /* (N, R) */
    const int *target;            /* (N) */
    double smoothing;             /* eps */
    double scale;                 /* factor of the gradient: 1 / number of target words */
    const double *weight;         /* (N) another factor, of the gradient of each row; NULL: 1 */
    struct view d_o;              /* (N, R), overwritten; at = NULL: only the loss is computed */
    int *choice;                  /* (N) receives the likeliest word of each row, unless NULL */
    double *row_loss;             /* (N) receives the loss of each row, unless NULL */
    const struct copy_tape *copy; /* unless NULL, the loss is that of the mixture in nn/copy.h */
};

/* tied: see struct cross_entropy. */
void cross_entropy_declare(struct cross_entropy *, struct param_set *, const char *path, int R,
                           int V, const struct param *tied);
void cross_entropy_bind(struct cross_entropy *, struct arena *, enum packing packing);
void cross_entropy_pack(struct cross_entropy *, struct compute *, bool training);
void cross_entropy_tape_bind(struct cross_entropy_tape *, struct arena *,
                             const struct cross_entropy *, int N, int team);
/* Called by the whole team; every member gets the same sum of losses (not scaled). */
double cross_entropy_run(const struct cross_entropy *, struct cross_entropy_tape *,
                         struct compute *, const struct cross_entropy_job *);

#endif
