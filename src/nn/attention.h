/* Attention mechanisms: M queries, each looking at the annotations of one source sentence.
 *
 *     e_ij = score(query_i, key_j)      a_i = softmax_j(e_i)      context_i = sum_j a_ij value_j
 *
 * Annotations stand sentence by sentence: sentence b has rows start[b] .. start[b] + length[b] - 1
 * of every slab (N, ...), so that nothing is padded and nothing needs a mask: weights past a
 * sentence's end are set to 0 and never read.
 *
 * A mechanism sees the state that asks, raw (M, H) and projected to query = s W_query + b_query
 * (M, Q), because W_query shares a product with other weights; and keys (N, D) made once per batch:
 * h W_key, or the two directions of h added up. What it carries from step to step (coverage, the
 * centres of a window) is its carry: a row of numbers for each query, which beam search reorders.
 *
 * To add a mechanism: write nn/<name>.c with its formula and `const struct attention_ops
 * attention_<name>`, add a line to ATTENTION_LIST. Help, configuration, files, documents and tests
 * follow the list. Pooling (nn/pool.h) is no part of it.
 *
 * Dims: M rows, N annotations, S longest source, H state, C annotation, A width of a hidden layer,
 * Q projected query, D key, G heads. */
#ifndef ATTEND_NN_ATTENTION_H
#define ATTEND_NN_ATTENTION_H

#include "nn/param.h"
#include "tensor/view.h"

#include <stdbool.h>

#define ATTENTION_LIST(X)                                                                          \
    X(none) X(additive) X(dot) X(general) X(scaled_dot) X(cosine) X(location) X(local) X(window)

struct attention_dims {
    int H, C, A;
    int heads;     /* G; 1 unless the mechanism has `heads` */
    bool coverage; /* only where the mechanism has `coverage` */
    int positions; /* location: longest training source, </s> counted */
    int span;      /* local: the half-width of the window, Luong's D */
    int gaussians; /* window: how many */
};

/* Where keys come from. */
enum attention_keys {
    ATTENTION_NO_KEYS,
    ATTENTION_PROJECTED_KEYS, /* h W_key */
    ATTENTION_FOLDED_KEYS,    /* forward h + backward h: (N, H); h itself in one direction */
};

enum { ATTENTION_EXTRAS = 2 };

struct attention {
    const struct attention_ops *ops;
    struct attention_dims dims;
    int Q, D; /* widths; 0 where there is none */
    struct param W_query, b_query,
        W_key; /* (H, Q), (Q), (C, D); declared where the width is not 0 */
    struct param extra[ATTENTION_EXTRAS]; /* the mechanism's own vectors; rows = 0: not there */
};

/* Weights that somebody asks for in place of a row's own: position at[k] gets weight[k], and the
 * others share what is left in proportion to their own weights. Positions are inside the sentence
 * and differ; the weights sum to at most 1, to 1 when they name every position. */
struct attention_focus {
    int count; /* 0: none */
    const int *at;
    const real *weight;
};

struct attention_rows {
    const int *start, *length; /* (B) */
    const int *sentence; /* (M) whom row i looks at; NULL: row i looks at sentence first + i */
    int first;
    struct view state;     /* (M, H) the state that asks */
    struct view query;     /* (M, Q) */
    struct view key;       /* (N, D) */
    struct view weight;    /* (M, G S): head g's weights are columns g S .. g S + S - 1; out */
    struct view carry_in;  /* (M, carry) from the step before; zeros at the first step */
    struct view carry_out; /* (M, carry) out */
    /* Left empty by who only wants weights: they then cost nothing. */
    struct view score; /* (M, G S) out: e, -infinity where a row may not look; `none` has none */
    const struct attention_focus *focus; /* (B) heeded by every head, and by what is carried on */
};

/* What backward gives. Everything is added to but d_query, which is overwritten. */
struct attention_gradient {
    struct view d_weight;            /* (M, G S) in, used up */
    struct view d_query;             /* (M, Q) */
    struct view d_state;             /* (M, H) what reaches the raw state */
    struct view d_key;               /* (N, D) */
    struct view d_carry_out;         /* (M, carry) in: from the step after; zeros at the last */
    struct view d_carry_in;          /* (M, carry) */
    real *d_extra[ATTENTION_EXTRAS]; /* this thread's share of the gradient of extra[] */
};

struct attention_ops {
    const char *name;
    const char *help; /* one line */
    enum attention_keys keys;
    bool heads, coverage; /* whether --heads and --coverage go with it */
    int (*query_width)(const struct attention_dims *);        /* NULL: Q = 0 */
    int (*key_width)(const struct attention_dims *);          /* NULL: D = 0 */
    int (*carry_width)(const struct attention_dims *, int S); /* NULL: 0 */
    /* Declare extra[] and set how parameters start; W_query, b_query and W_key are declared
     * already, normal with 1 / sqrt(inputs), b_query 0. NULL: nothing to add. */
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
/* Room for one thread's gradient of extra[]: elements in all. */
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

/* For mechanisms: weights [from, to) of a row of S become their softmax, the others 0. */
void attention_softmax(real *weight, int from, int to, int S);
/* For mechanisms: the scores [from, to) that stand in `weight` of head g of row i become weights;
 * leaves the scores and heeds a focus where that is asked for. */
void attention_weigh(const struct attention_rows *, int i, struct attention_head, int from, int to);
/* a = softmax(e) over [from, to): d becomes d_e there, and 0 elsewhere in [0, S). */
void attention_softmax_backward(const real *weight, real *d, int from, int to, int S);

#endif
