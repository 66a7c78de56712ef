#include "nn/linear.h"

#include "base/io.h"
#include "tensor/simd.h"

#include <stdbool.h>
#include <string.h>

static void share_columns(const struct compute *c, int cols, int *from, int *to)
{
    worker_share(c->worker, cols, gemm_column_block(), from, to);
}

void linear_bind(struct packed *packed, struct arena *arena, int K, int N, enum packing packing)
{
    if (packing == PACKING_INT8 && K > 1) /* the same rule as param_shrinks */
        packed_bind_int8(packed, arena, K, N);
    else
        packed_bind(packed, arena, K, N);
}

void linear_pack(struct compute *c, struct packed *packed, struct view B, int k0, int n0)
{
    int from, to;
    share_columns(c, packed->N, &from, &to);
    if (c->worker->index == 0)
        packed->bf16 = c->gemm.bf16;
    (c->gemm.bf16 ? packed_fill_bf16 : packed_fill)(packed, B, k0, n0, from, to);
}

/* The matrix that a parameter is multiplied as. */
static struct view matrix_of(const struct param *W)
{
    return W->table ? view_transposed(param_view(W)) : param_view(W);
}

static void pack_int8(struct compute *c, struct packed *packed, const struct param *W, int n0)
{
    int from, to;
    share_columns(c, packed->N, &from, &to);
    packed_fill_int8(packed, param_int8(W), n0, from, to);
}

/* Whether this member takes the next part. All members come to all parts in the same order, so the
 * number of parts taken is never below that of parts passed. */
static bool take(struct compute *c)
{
    int next = c->passed++;
    return atomic_compare_exchange_strong(c->taken, &next, next + 1);
}

static const void *values_of(const struct param *W)
{
    return W->int8 ? (const void *)W->int8 : W->value;
}

static size_t bytes_of(const struct param *W)
{
    return (size_t)W->rows * (size_t)W->cols * (W->int8 ? 1 : sizeof(real));
}

/* Whoever takes the last part gives the memory of the weights back; if another member still reads
 * them, they come from the file again. */
static void pack_in_turn(struct compute *c, struct packed *packed, const struct param *W, int n0)
{
    enum { PART = 1024 }; /* columns */
    for (int from = 0; from < packed->N; from += PART) {
        const int to = from + PART < packed->N ? from + PART : packed->N;
        if (!take(c))
            continue;
        if (W->int8)
            packed_fill_int8(packed, param_int8(W), n0, from, to);
        else
            packed_fill(packed, matrix_of(W), 0, n0, from, to);
        if (c->spent && to == packed->N)
            io_map_spent(c->spent, values_of(W), bytes_of(W));
    }
}

void linear_pack_weights(struct compute *c, struct packed *packed, const struct param *W, int n0)
{
    if (c->taken)
        pack_in_turn(c, packed, W, n0);
    else if (W->int8)
        pack_int8(c, packed, W, n0);
    else
        linear_pack(c, packed, matrix_of(W), 0, n0);
}

void linear_forward(struct compute *c, struct view X, const struct packed *W, struct view Y,
                    bool add)
{
    int from, to;
    share_columns(c, W->N, &from, &to);
    gemm_packed_columns(&c->gemm, X, W, Y, add, from, to);
}

void linear_grad_weight(struct compute *c, struct view X, struct view d_Y, struct view d_W)
{
    int from, to;
    share_columns(c, d_W.cols, &from, &to);
    gemm(&c->gemm, view_transposed(X), view_cols(d_Y, from, to - from),
         view_cols(d_W, from, to - from), true);
}

void linear_grad_input(struct compute *c, struct view d_Y, struct view W, struct view d_X, bool add)
{
    int from, to;
    share_columns(c, d_X.cols, &from, &to);
    gemm(&c->gemm, d_Y, view_transposed(view_rows(W, from, to - from)),
         view_cols(d_X, from, to - from), add);
}

SIMD_BODY void column_sums_body(struct view Y, int from, int to, real *sum)
{
    for (int i = 0; i < Y.rows; i++)
        for (int j = from; j < to; j++)
            sum[j] += Y.at[i * Y.row + j];
}
SIMD_STATIC(column_sums, (struct view Y, int from, int to, real *sum), (Y, from, to, sum))

void linear_grad_bias(struct compute *c, struct view d_Y, real *d_b)
{
    int from, to;
    share_columns(c, d_Y.cols, &from, &to);
    column_sums(d_Y, from, to, d_b);
}

void linear_start(struct compute *c, struct view Y, const real *b)
{
    int from, to;
    worker_share(c->worker, Y.rows, 1, &from, &to);
    for (int i = from; i < to; i++)
        memcpy(Y.at + i * Y.row, b, (size_t)Y.cols * sizeof *b);
}
