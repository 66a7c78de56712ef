#include "nn/pool.h"

#include "tensor/vec.h"

/* Columns per block: one block of all values of a sentence stays in the first-level cache. */
enum { BLOCK = 64 };

SIMD_BODY int least(int a, int b) { return a < b ? a : b; }

SIMD_BODY void add_scaled(real *restrict y, real a, const real *restrict x, int n)
{
#pragma omp simd
    for (int p = 0; p < n; p++)
        y[p] += a * x[p];
}

/* ---- Forward ---- */

/* The positions between the first and the last weight that is not 0. */
struct reach {
    int from, to;
};

SIMD_BODY bool all_zero(const real *x, int n)
{
    int other = 0;
#pragma omp simd reduction(| : other)
    for (int j = 0; j < n; j++)
        other |= x[j] != 0;
    return !other;
}

SIMD_BODY struct reach reach_of(const real *weight, int length)
{
    struct reach r = {0, length};
    while (r.to - r.from >= BLOCK && all_zero(weight + r.from, BLOCK))
        r.from += BLOCK;
    while (r.to - r.from >= BLOCK && all_zero(weight + r.to - BLOCK, BLOCK))
        r.to -= BLOCK;
    while (r.from < r.to && weight[r.from] == 0)
        r.from++;
    while (r.from < r.to && weight[r.to - 1] == 0)
        r.to--;
    return r;
}

/* out (n) += sum_j weight_j value_j, over `length` rows of value. */
SIMD_BODY void pool_part(const real *weight, int length, const real *value, ptrdiff_t value_row,
                         real *out, int n)
{
    const struct reach r = reach_of(weight, length);
    for (int p = 0; p < n; p += BLOCK)
        for (int j = r.from; j < r.to; j++)
            add_scaled(out + p, weight[j], value + j * value_row + p, least(n - p, BLOCK));
}

SIMD_BODY void pool_forward_body(const struct attention_rows *rows, int heads, struct view value,
                                 struct view out)
{
    const int n = out.cols / heads, S = rows->weight.cols / heads;
    for (int i = 0; i < out.rows; i++) {
        const int b = attention_sentence(rows, i);
        for (int g = 0; g < heads; g++)
            pool_part(rows->weight.at + i * rows->weight.row + g * S, rows->length[b],
                      value.at + rows->start[b] * value.row + g * n, value.row,
                      out.at + i * out.row + g * n, n);
    }
}
SIMD_FUNCTION(pool_forward,
              (const struct attention_rows *rows, int heads, struct view value, struct view out),
              (rows, heads, value, out))

/* ---- Backward ---- */

/* d_weight_j = d_out . value_j within the reach, 0 outside */
SIMD_BODY void pool_part_backward(const real *weight, const real *d_out, int n, int length,
                                  const real *value, ptrdiff_t value_row, real *d_weight)
{
    const struct reach r = reach_of(weight, length);
    for (int j = 0; j < r.from; j++)
        d_weight[j] = 0;
    for (int j = r.to; j < length; j++)
        d_weight[j] = 0;
    for (int j = r.from; j < r.to; j++) {
        const real *v = value + j * value_row;
        real sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int p = 0; p < n; p++)
            sum += d_out[p] * v[p];
        d_weight[j] = sum;
    }
}

SIMD_BODY void pool_backward_body(const struct attention_rows *rows, int heads, struct view value,
                                  struct view d_out, struct view d_weight)
{
    const int n = d_out.cols / heads, S = d_weight.cols / heads;
    for (int i = 0; i < d_out.rows; i++) {
        const int b = attention_sentence(rows, i);
        for (int g = 0; g < heads; g++)
            pool_part_backward(rows->weight.at + i * rows->weight.row + g * S,
                               d_out.at + i * d_out.row + g * n, n, rows->length[b],
                               value.at + rows->start[b] * value.row + g * n, value.row,
                               d_weight.at + i * d_weight.row + g * S);
    }
}
SIMD_FUNCTION(pool_backward,
              (const struct attention_rows *rows, int heads, struct view value, struct view d_out,
               struct view d_weight),
              (rows, heads, value, d_out, d_weight))

/* d_value (n) = sum_t a_t d_out_t for sentence `b` of its lane. The weights are the first column of
 * `weight`; d_out has the first n columns. */
SIMD_BODY void value_gradient(const struct steps *steps, int b, struct view weight,
                              struct view d_out, real *d_value, int n)
{
    for (int p = 0; p < n; p++)
        d_value[p] = 0;
    for (int t = 0; t < steps->count && steps->active[t] > b; t++) {
        const ptrdiff_t row = steps->start[t] + b;
        const real a = weight.at[row * weight.row];
        if (a != 0)
            add_scaled(d_value, a, d_out.at + row * d_out.row, n);
    }
}

/* For one sentence and head: d_value (length, n). */
SIMD_BODY void pool_end_part(const struct steps *steps, int b, struct view weight,
                             struct view d_out, struct view d_value)
{
    for (int p = 0; p < d_value.cols; p += BLOCK)
        for (int j = 0; j < d_value.rows; j++)
            value_gradient(steps, b, view_cols(weight, j, 1), view_cols(d_out, p, BLOCK),
                           d_value.at + j * d_value.row + p, least(d_value.cols - p, BLOCK));
}

SIMD_BODY void pool_end_body(const struct attention_rows *rows, const struct steps *steps,
                             int heads, struct view weight, struct view d_out, struct view d_value)
{
    const int sentences = steps->count ? steps->active[0] : 0;
    const int n = d_value.cols / heads, S = weight.cols / heads;
    for (int b = 0; b < sentences; b++) {
        const int start = rows->start[steps->first + b], length = rows->length[steps->first + b];
        for (int g = 0; g < heads; g++)
            pool_end_part(steps, b, view_cols(weight, g * S, S), view_cols(d_out, g * n, n),
                          view_cols(view_rows(d_value, start, length), g * n, n));
    }
}
SIMD_FUNCTION(pool_end,
              (const struct attention_rows *rows, const struct steps *steps, int heads,
               struct view weight, struct view d_out, struct view d_value),
              (rows, steps, heads, weight, d_out, d_value))
