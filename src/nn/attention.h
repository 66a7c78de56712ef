/* Attention mechanisms: M queries, each over the annotations of one source sentence.
 *
 *     e_ij = score(query_i, key_j)      a_i = softmax_j(e_i)      context_i = sum_j a_ij value_j
 *
 * Annotations are stored sentence by sentence: sentence b has rows start[b] .. start[b] + length[b]
 * - 1 of every slab (N, ...). There is no padding and no mask; weights past the end of a sentence
 * are set to 0 and never read.
 *
 * A mechanism gets the decoder state both raw (M, H) and projected, query = s W_query + b_query (M,
 * Q). The caller projects it because W_query shares a product with other weights. Keys (N, D) are
 * computed once per batch: h W_key, or the sum of the two directions of h. Values that a mechanism
 * passes from step to step (coverage, the centers of a window, the last weights) are its carry: one row per query,
 * which beam search reorders.
 *
 * To add a mechanism: write nn/<name>.c with its formula and `const struct attention_ops
 * attention_<name>`, and add X(<name>) to ATTENTION_LIST. Its help says so if it takes --heads or
 * --coverage. Help, configuration, files and the tests of every row follow the list; two of them ask
 * for its formula in attention_test.c and for a section in docs/mechanisms.md. Pooling (nn/pool.h)
 * is separate.
 *
 * Dims: M rows, N annotations, S longest source, H state, C annotation, A width of a hidden layer,
 * Q projected query, D key, G heads. */
#ifndef ATTEND_NN_ATTENTION_H
#define ATTEND_NN_ATTENTION_H

#include "nn/param.h"
#include "tensor/view.h"

#include <stdbool.h>

#define ATTENTION_LIST(X)                                                                          \
    X(none)                                                                                        \
    X(additive)                                                                                    \
    X(dot)                                                                                         \
    X(general) X(scaled_dot) X(cosine) X(location) X(local) X(window) X(location_aware) X(monotonic)

struct attention_dims {
    int H, C, A;
    int heads;     /* G; 1 unless the mechanism has `heads` */
    bool coverage; /* only if the mechanism has `coverage` */
    int positions; /* location: longest training source, including </s> */
    int span;      /* local: the half-width of the window, Luong's D */
    int gaussians; /* window: their number */
    double pace;   /* window: positions that it moves in a step at first; 0: 1 */
    int filters;   /* location_aware: their number, K */
    int reach;     /* location_aware: taps of a filter to each side of its center, R */
    int order;     /* monotonic: 1 if the next position depends on the last one, otherwise 0 */
};

/* Where keys come from. */
enum attention_keys {
    ATTENTION_NO_KEYS,
    ATTENTION_PROJECTED_KEYS, /* h W_key */
    ATTENTION_FOLDED_KEYS,    /* forward h + backward h: (N, H); with one direction, h itself */
};

enum { ATTENTION_EXTRAS = 3 };

struct attention {
    const struct attention_ops *ops;
    struct attention_dims dims;
    int Q, D;                             /* widths; 0: not used */
    struct param W_query, b_query, W_key; /* (H, Q), (Q), (C, D); declared if the width is not 0 */
    struct param extra[ATTENTION_EXTRAS]; /* the mechanism's own vectors; rows = 0: not used */
};

/* Given weights that replace a row's own: position at[k] gets weight[k], and the other positions
 * share the rest in proportion to their own weights. The positions are different and inside the
 * sentence. The weights sum to at most 1, and to 1 when they name every position. */
struct attention_focus {
    int count; /* 0: none */
    const int *at;
    const real *weight;
};

struct attention_rows {
    const int *start, *length; /* (B) */
    const int *sentence;       /* (M) the sentence of row i; NULL: it is first + i */
    int first;
    struct view state;     /* (M, H) the state that is the query */
    struct view query;     /* (M, Q) */
    struct view key;       /* (N, D) */
    struct view weight;    /* (M, G S): head g's weights are columns g S .. g S + S - 1; out */
    struct view carry_in;  /* (M, carry) from the previous step; zeros at the first step */
    struct view carry_out; /* (M, carry) out */
    /* Optional; left empty, they cost nothing. */
    struct view score; /* (M, G S) out: e, -infinity at positions outside a row's reach; `none` has
                        * no scores */
    const struct attention_focus *focus; /* (B) applies to every head, and to the carry */
};

/* What backward computes. It adds to everything except d_query, which it overwrites. */
struct attention_gradient {
    struct view d_weight;    /* (M, G S) in, overwritten */
    struct view d_score;     /* (M, S) in, of a mechanism that is `hard` or empty: what comes
                                      * to e other than through the weights */
    struct view d_query;     /* (M, Q) */
    struct view d_state;     /* (M, H) gradient of the raw state */
    struct view d_key;       /* (N, D) */
    struct view d_carry_out; /* (M, carry) in: from the next step; zeros at the last */
    struct view d_carry_in;  /* (M, carry) */
    real *d_extra[ATTENTION_EXTRAS]; /* this thread's share of the gradient of extra[] */
};

struct attention_ops {
    const char *name;
    const char *help;  /* one line */
    const char *alias; /* other names for it, with commas between; or NULL */
    enum attention_keys keys;
    bool heads, coverage; /* whether --heads and --coverage apply */
    /* Each word looks at one position. The decoder then has an output for every position and sums
     * over the alignments (nn/alignments.h), to which weights are only a prior. */
    bool hard;
    int (*query_width)(const struct attention_dims *);        /* NULL: Q = 0 */
    int (*key_width)(const struct attention_dims *);          /* NULL: D = 0 */
    int (*carry_width)(const struct attention_dims *, int S); /* NULL: 0 */
    /* Declares extra[] and sets initial values. W_query, b_query and W_key are declared before, the
     * matrices normal with 1 / sqrt(inputs), b_query 0. NULL: nothing to add. */
    void (*declare)(struct attention *, struct param_set *, const char *path);
    void (*forward)(const struct attention *, const struct attention_rows *);
    void (*backward)(const struct attention *, const struct attention_rows *,
                     const struct attention_gradient *);
};

#define ATTENTION_DECLARE(name) extern const struct attention_ops attention_##name;
ATTENTION_LIST(ATTENTION_DECLARE)
#undef ATTENTION_DECLARE

extern const struct attention_ops *const attentions[]; /* ended by NULL */
const struct attention_ops *attention_find(const char *name);

void attention_declare(struct attention *, struct param_set *, const char *path,
                       const struct attention_ops *, const struct attention_dims *);
int attention_carry_width(const struct attention *, int S);
/* The number of elements of one thread's gradient of extra[]. */
int attention_extra_size(const struct attention *);

/* Head `number` of `count`. */
struct attention_head {
    int number, count;
};
static const struct attention_head ATTENTION_ONE_HEAD = {0, 1};

static inline int attention_sentence(const struct attention_rows *rows, int i)
{
    return rows->sentence ? rows->sentence[i] : rows->first + i;
}

/* For mechanisms: replace scores [from, to) of a row of S by their softmax, and all others by 0. */
void attention_softmax(real *weight, int from, int to, int S);
/* For mechanisms: turn scores [from, to), stored in `weight` of head g of row i, into weights. Also
 * keeps the scores and applies the focus if rows has them. */
void attention_weigh(const struct attention_rows *, int i, struct attention_head, int from, int to);
/* Weights as a focus has them, for a sentence of `length` positions. */
void attention_apply_focus(const struct attention_focus *, real *weight, int length);
/* a = softmax(e) over [from, to): turns d_a into d_e there, and sets 0 elsewhere in [0, S). */
void attention_softmax_backward(const real *weight, real *d, int from, int to, int S);

#endif
