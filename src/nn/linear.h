/* y = x W + b over many rows, divided among a team: the products outside the recurrences.
 *
 * Every member of the team makes the same call and computes its own columns. The caller lets the
 * team meet before anyone reads the result. The inner dimension is never split, so results do not
 * depend on the number of threads. */
#ifndef ATTEND_NN_LINEAR_H
#define ATTEND_NN_LINEAR_H

#include "base/threads.h"
#include "nn/param.h"
#include "tensor/gemm.h"

#include <stdatomic.h>

struct io_map;

/* The context in which one member of a team computes. */
struct compute {
    struct worker *worker;
    struct gemm_scratch gemm;
    /* NULL: to pack weights, the members divide the columns of each. Otherwise they take parts of
     * them in turn, so that one may begin later. */
    atomic_int *taken;          /* parts that a member has taken */
    int passed;                 /* parts that this member has seen taken, or has taken */
    const struct io_map *spent; /* the file of weights that are read only to be packed; or NULL */
};

/* The purpose of packed weights. */
enum packing {
    PACKING_RUN,
    PACKING_TRAIN, /* also packs the transpose */
    PACKING_INT8,  /* inference with int8 parameters */
};
/* Bind the packed right-hand side of a forward product. */
void linear_bind(struct packed *, struct arena *, int K, int N, enum packing);
/* Pack W, or the transpose of a table, from column n0. */
void linear_pack_weights(struct compute *, struct packed *, const struct param *W, int n0);
/* Pack part B of a right-hand side at row k0, column n0 (see packed_fill). */
void linear_pack(struct compute *, struct packed *, struct view B, int k0, int n0);
/* Y (+)= X W. */
void linear_forward(struct compute *, struct view X, const struct packed *W, struct view Y,
                    bool add);
/* d_W += X^T d_Y. */
void linear_grad_weight(struct compute *, struct view X, struct view d_Y, struct view d_W);
/* d_X (+)= d_Y W^T. */
void linear_grad_input(struct compute *, struct view d_Y, struct view W, struct view d_X, bool add);
/* d_b += column sums of d_Y. */
void linear_grad_bias(struct compute *, struct view d_Y, real *d_b);
/* Set every row of Y to b; the team divides the rows. */
void linear_start(struct compute *, struct view Y, const real *b);

#endif
