/* Self-attention (Vaswani et al. 2017): every word of a sentence looks at every word of it. Per
 * sentence of S words and per head g of width d = H / G, which reads its own columns of q, k and v:
 *
 *     A = softmax(q_g k_g^T / sqrt(d))      (S, S), a row for each word that looks
 *     y_g = A v_g
 *
 * Sentence b has rows start[b] .. start[b] + length[b] - 1 of every slab (N, ...), without padding.
 * A is never kept: both directions compute it block by block, a block being at most
 * SELF_ATTENTION_BLOCK words of one sentence that look, in one head. Backward computes it again.
 *
 * A team shares sentences and heads. One member computes all of a sentence's head, so results do
 * not depend on the number of threads. Dims: N rows, B sentences, S the longest, H, G heads. */
#ifndef ATTEND_NN_SELF_ATTENTION_H
#define ATTEND_NN_SELF_ATTENTION_H

#include "nn/dropout.h"
#include "nn/linear.h"

enum { SELF_ATTENTION_BLOCK = 64, SELF_ATTENTION_HEADS = 64 };

struct self_attention {
    int B, heads;
    const int *start, *length;     /* (B) */
    const int *item;               /* (B) the sentence's part of the key of dropout */
    struct view qkv;               /* (N, 3 H): q, k and v side by side */
    const struct dropout *dropout; /* of weights */
    int site;                      /* of head 0; the next has site + DROPOUT_SITES */
};

/* Work space of a team. */
struct self_attention_work {
    int S;
    real *weight, *d_weight; /* (team, block, S) */
};
void self_attention_bind(struct self_attention_work *, struct arena *, int S, int team,
                         bool training);

/* Both by the whole team, which meets before anyone reads the result. y: (N, H). */
void self_attention_forward(const struct self_attention *, const struct self_attention_work *,
                            struct compute *, struct view y);
/* Overwrites d_qkv (N, 3 H). */
void self_attention_backward(const struct self_attention *, const struct self_attention_work *,
                             struct compute *, struct view d_y, struct view d_qkv);

/* The weights of head g in sentence b, without dropout: A (S, S). By one thread. */
void self_attention_weights(const struct self_attention *, struct compute *, int b, int g,
                            struct view A);

#endif
