/* Matrix product C = A B or C += A B on one thread, over strided views.
 *
 * Why not a BLAS: this model multiplies the same few weights by a thin slab of rows at every step,
 * so they are packed once and reused; every element is one chain of multiply-adds over K in an
 * order that depends on K alone, so a row's result depends neither on its neighbours nor on the
 * number of threads; and there is no second thread pool to fight. docs/performance.md compares the
 * speed with OpenBLAS by shape.
 *
 * C must have unit column stride and must not overlap A or B. */
#ifndef ATTEND_TENSOR_GEMM_H
#define ATTEND_TENSOR_GEMM_H

#include "tensor/quant.h"
#include "tensor/view.h"

#include <stdbool.h>

struct arena;
struct assist;

/* Work space of one thread. */
struct gemm_scratch {
    real *a, *b;
    struct assist *assist; /* threads that stand by to share packed products; bind leaves NULL */
};
void gemm_scratch_bind(struct gemm_scratch *, struct arena *);

void gemm(struct gemm_scratch *, struct view A, struct view B, struct view C, bool add);

/* A right-hand side (K, N) rearranged for the kernel. Parts may be placed side by side or above
 * each other, so that weights which share an input share one product while each keeps its own
 * tensor. */
struct packed {
    int K, N;
    real *at;                 /* NULL: in int8 */
    struct quant_panels int8; /* see tensor/quant.h */
};
void packed_bind(struct packed *, struct arena *, int K, int N);
/* For int8 weights, which only stand side by side: products take them without another word. */
void packed_bind_int8(struct packed *, struct arena *, int K, int N);
/* Copy B to rows from k0, columns from n0. Only columns [from, to) of the packed matrix are
 * written, so that threads can share the work; from and to are multiples of gemm_column_block() or
 * the end. */
void packed_fill(struct packed *, struct view B, int k0, int n0, int from, int to);
void packed_fill_int8(struct packed *, struct quant_view B, int n0, int from, int to);
void gemm_packed(struct gemm_scratch *, struct view A, const struct packed *B, struct view C,
                 bool add);
/* The same for columns [from, to) of B only; C is still the whole result. `from` is a multiple of
 * the block. */
void gemm_packed_columns(struct gemm_scratch *, struct view A, const struct packed *B,
                         struct view C, bool add, int from, int to);
int gemm_column_block(void);

/* The same in two parts, for a caller who looks at some columns before he asks for the next: A is
 * rearranged into the work space, which keeps it until another product needs it. A has at most
 * gemm_left_rows(B) rows; `from` is a multiple of the block. */
int gemm_left_rows(const struct packed *B);
void gemm_left_pack(struct gemm_scratch *, struct view A, const struct packed *B);
void gemm_left_product(struct gemm_scratch *, const struct packed *B, struct view C, bool add,
                       int from, int to);

/* Plain triple loop, the reference of the tests. */
void gemm_plain(struct view A, struct view B, struct view C, bool add);

#endif
