/* The output layer for inference: logits = o W + b. It also computes the log sum exp of each row,
 * and the maximum of each block of LOGITS_BLOCK logits, with which a search for the best skips most
 * blocks. Both are computed while a block is still in the cache. */
#ifndef ATTEND_NN_LOGITS_H
#define ATTEND_NN_LOGITS_H

#include "nn/cross_entropy.h"

enum { LOGITS_BLOCK = 256 };
static inline int logits_blocks(int V) { return (V + LOGITS_BLOCK - 1) / LOGITS_BLOCK; }

struct logits {
    struct view at;   /* (M, V) */
    struct view most; /* (M, blocks) upper bound of the logits of each block */
    struct view sum;  /* (M, blocks) sum of exp(logit - most) */
    real *norm;       /* (M) log P(k) = logit_k - norm */
};

void logits_bind(struct logits *, struct arena *, int M, int V);
/* Runs on one thread. */
void logits_forward(const struct cross_entropy *, struct compute *, struct view o,
                    const struct logits *);
/* Update `most`, `sum` and `norm` of a row whose logits have changed. */
void logits_measure(const struct logits *, int row);

#endif
