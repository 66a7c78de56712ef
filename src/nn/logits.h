/* The output layer where a model runs: logits = o W + b, of each row the logarithm of the sum of
 * their exponentials, and of each LOGITS_BLOCK of them the largest, by which a search for the best
 * passes over most blocks. Both are taken while a block is still in the cache. */
#ifndef ATTEND_NN_LOGITS_H
#define ATTEND_NN_LOGITS_H

#include "nn/cross_entropy.h"

enum { LOGITS_BLOCK = 256 };
static inline int logits_blocks(int V) { return (V + LOGITS_BLOCK - 1) / LOGITS_BLOCK; }

struct logits {
    struct view at;   /* (M, V) */
    struct view most; /* (M, blocks) no logit of the block is larger */
    struct view sum;  /* (M, blocks) sum of exp(logit - most) */
    real *norm;       /* (M) log P(k) = logit_k - norm */
};

void logits_bind(struct logits *, struct arena *, int M, int V);
/* By one thread. */
void logits_forward(const struct cross_entropy *, struct compute *, struct view o,
                    const struct logits *);
/* `most` and `norm` of a row whose logits have changed. */
void logits_measure(const struct logits *, int row);

#endif
