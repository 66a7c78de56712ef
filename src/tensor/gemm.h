/* Matrix product C = A B or C += A B on one thread, over strided views.
 *
 * Why not a BLAS: every step multiplies a thin slab of rows by the same few weights, so the weights
 * are packed once and reused. Each element is one chain of multiply-adds over K whose order depends
 * only on K, so a row's result depends neither on its neighbors nor on the number of threads. And
 * there is no second thread pool to compete with. docs/performance.md compares the speed with
 * OpenBLAS for each shape.
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
    real *pairs; /* for bf16, or NULL */
    bool bf16;   /* operands are rounded to bf16 (tensor/bf16.h), and packed ones are so already */
    struct assist *assist; /* threads that stand by to share packed products; bind sets NULL */
};
void gemm_scratch_bind(struct gemm_scratch *, struct arena *);
/* Also the memory that bf16 needs; `bf16` can be true only then. */
void gemm_scratch_bind_bf16(struct gemm_scratch *, struct arena *);

void gemm(struct gemm_scratch *, struct view A, struct view B, struct view C, bool add);

/* A right-hand side (K, N), rearranged for the kernel. It may be assembled from parts placed side
 * by side or above each other: weights with the same input then share one product, while each keeps
 * its own tensor. */
struct packed {
    int K, N;
    bool bf16;                /* filled by packed_fill_bf16; set by its caller */
    real *at;                 /* NULL: the weights are int8 */
    struct quant_panels int8; /* see tensor/quant.h */
};
void packed_bind(struct packed *, struct arena *, int K, int N);
/* For int8 weights, whose parts can only be placed side by side. The products below accept both
 * kinds. */
void packed_bind_int8(struct packed *, struct arena *, int K, int N);
/* Copy B to the rows from k0 and the columns from n0. Only columns [from, to) of the packed matrix
 * are written, so that threads can divide the work; from and to are multiples of
 * gemm_column_block() or the end. */
void packed_fill(struct packed *, struct view B, int k0, int n0, int from, int to);
/* The same, rounded to bf16. */
void packed_fill_bf16(struct packed *, struct view B, int k0, int n0, int from, int to);
void packed_fill_int8(struct packed *, struct quant_view B, int n0, int from, int to);
/* Let `to` be these columns of `from`, in this order. It was bound as the same kind with at least as
 * many columns. */
void packed_gather(struct packed *to, const struct packed *from, const int *column, int count);
void gemm_packed(struct gemm_scratch *, struct view A, const struct packed *B, struct view C,
                 bool add);
/* The same for columns [from, to) of B only; C is still the whole result. `from` is a multiple of
 * gemm_column_block(). */
void gemm_packed_columns(struct gemm_scratch *, struct view A, const struct packed *B,
                         struct view C, bool add, int from, int to);
int gemm_column_block(void);

/* The same in two parts, for a caller that reads some columns before it asks for the next. The
 * first part packs A into the scratch memory, where it stays until another product runs. A has at
 * most gemm_left_rows(B) rows; `from` is a multiple of gemm_column_block(). */
int gemm_left_rows(const struct packed *B);
void gemm_left_pack(struct gemm_scratch *, struct view A, const struct packed *B);
void gemm_left_product(struct gemm_scratch *, const struct packed *B, struct view C, bool add,
                       int from, int to);

/* A plain triple loop: the reference for tests. */
void gemm_plain(struct view A, struct view B, struct view C, bool add);

#endif
