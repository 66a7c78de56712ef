/* A layer of a transformer's encoder, with the norm before each part (Xiong et al. 2020):
 *
 *     x += dropout(self(norm(x)) W_out + b_out)                  nn/self_attention.h
 *     x += dropout(dropout(f(norm(x) W_up + b_up)) W_down + b_down)
 *
 * f is an activation. self reads [q | k | v] = norm(x) W_qkv + b_qkv and drops weights, too.
 *
 * x is one slab that the layers change in place; backward does the same to d_x. Rows are sentence
 * by sentence. In every function the large products are shared by columns, the attention by
 * sentences and heads, and everything else by rows, always the same rows for a member, so the next
 * layer need not wait. Dims: N rows, H, F width between the products. */
#ifndef ATTEND_NN_TRANSFORMER_H
#define ATTEND_NN_TRANSFORMER_H

#include "nn/activation.h"
#include "nn/row_norm.h"
#include "nn/self_attention.h"

struct transformer {
    int H, F, heads;
    const struct activation_ops *activation;
    struct row_norm norm_self, norm_ff;
    struct param W_qkv, b_qkv;   /* (H, 3 H), (3 H) */
    struct param W_out, b_out;   /* (H, H), (H) */
    struct param W_up, b_up;     /* (H, F), (F) */
    struct param W_down, b_down; /* (F, H), (H) */
    struct packed qkv, out, up, down;
};

/* What a layer keeps for backward. */
struct transformer_tape {
    struct row_norm_tape norm_self, norm_ff;
    real *qkv, *mixed, *up; /* (N, 3 H), (N, H), (N, F) */
};

/* What all layers share, one after another. */
struct transformer_work {
    struct self_attention_work attention;
    real *y, *hidden;             /* (N, H), (N, F) */
    real *d_y, *d_qkv, *d_hidden; /* (N, H), (N, 3 H), (N, H or F) only in training */
};

/* The rows of a batch. */
struct transformer_rows {
    int N, B, S;                   /* S: the longest sentence */
    const int *start, *length;     /* (B) */
    const int *item;               /* (B) key of dropout */
    const int *place;              /* (N, 2) item and position of each row, key of dropout */
    const struct dropout *dropout; /* of weights, hidden numbers and what is added to x */
    int layer;                     /* part of the key of dropout */
};

void transformer_declare(struct transformer *, struct param_set *, const char *path, int H, int F,
                         int heads, const struct activation_ops *);
void transformer_bind(struct transformer *, struct arena *, enum packing);
void transformer_pack(struct transformer *, struct compute *);
void transformer_tape_bind(struct transformer_tape *, struct arena *, const struct transformer *,
                           int N, int team, bool training);
void transformer_work_bind(struct transformer_work *, struct arena *, const struct transformer *,
                           int N, int S, int team, bool training);

/* x: (N, H), input and result. A member only needs its own rows to be there. */
void transformer_forward(const struct transformer *, const struct transformer_tape *,
                         const struct transformer_work *, struct compute *,
                         const struct transformer_rows *, struct view x);
/* d_x: (N, H), gradient of the result, replaced by that of the input. Ends with a barrier. */
void transformer_backward(const struct transformer *, const struct transformer_tape *,
                          const struct transformer_work *, struct compute *,
                          const struct transformer_rows *, struct view d_x);

/* What self-attention reads, of a layer that has run forward. */
struct self_attention transformer_attention(const struct transformer *,
                                            const struct transformer_tape *,
                                            const struct transformer_rows *);

#endif
