/* Additive attention (Bahdanau, Cho and Bengio 2014): e_ij = v . tanh(query_i + key_j), query =
 * W_query s + b, key = W_key h.
 *
 * The queries arrive projected, because W_query shares a product with the cell's U, and so do the
 * keys, made once per batch. tanh(query + key) is computed again in backward: storing it would take
 * (T, S, B, A). */
#ifndef ATTEND_NN_ADDITIVE_H
#define ATTEND_NN_ADDITIVE_H

#include "nn/attention.h"
#include "nn/param.h"

struct additive {
    struct param W_query; /* (H, A) */
    struct param b_query; /* (A) */
    struct param W_key;   /* (C, A) */
    struct param v;       /* (A) */
};

/* H query state, C annotation, A attention width. */
void additive_declare(struct additive *, struct param_set *, const char *path, int H, int C, int A);
/* weight = softmax of the scores. key: (N, A). */
void additive_forward(const struct additive *, const struct attention_rows *, struct view key);
/* d_weight (M, S) comes in and is used up; d_query (M, A) is overwritten; d_key (N, A) and d_v (A)
 * are added to. */
void additive_backward(const struct additive *, const struct attention_rows *, struct view key,
                       struct view d_weight, struct view d_query, struct view d_key, real *d_v);

#endif
