#include "nn/pool.h"

#include "tensor/vec.h"

/* Columns that are worked on at a time: a block of every value of a sentence stays in the
 * first-level cache. */
enum { BLOCK = 64 };

SIMD_BODY void add_scaled(real *restrict y, real a, const real *restrict x, int n)
{
#pragma omp simd
    for (int p = 0; p < n; p++)
        y[p] += a * x[p];
}

SIMD_BODY void pool_forward_body(const struct attention_rows *rows, struct view value,
                                 struct view out)
{
    for (int i = 0; i < out.rows; i++) {
        const int b = attention_sentence(rows, i);
        const real *weight = rows->weight.at + i * rows->weight.row;
        const real *first = value.at + rows->start[b] * value.row;
        for (int p = 0; p < out.cols; p += BLOCK) {
            const int n = out.cols - p < BLOCK ? out.cols - p : BLOCK;
            for (int j = 0; j < rows->length[b]; j++)
                add_scaled(out.at + i * out.row + p, weight[j], first + j * value.row + p, n);
        }
    }
}
SIMD_FUNCTION(pool_forward, (const struct attention_rows *rows, struct view value, struct view out),
              (rows, value, out))

SIMD_BODY void pool_backward_body(const struct attention_rows *rows, struct view value,
                                  struct view d_out, struct view d_weight)
{
    for (int i = 0; i < d_out.rows; i++) {
        const int b = attention_sentence(rows, i);
        const real *d = d_out.at + i * d_out.row;
        for (int j = 0; j < rows->length[b]; j++) {
            const real *v = value.at + (rows->start[b] + j) * value.row;
            real sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int p = 0; p < d_out.cols; p++)
                sum += d[p] * v[p];
            d_weight.at[i * d_weight.row + j] = sum;
        }
    }
}
SIMD_FUNCTION(pool_backward,
              (const struct attention_rows *rows, struct view value, struct view d_out,
               struct view d_weight),
              (rows, value, d_out, d_weight))

/* One sentence: number `b` of its lane, columns [p, p + n). */
SIMD_BODY void value_gradient(const struct steps *steps, int b, struct view weight,
                              struct view d_out, real *d_value, int j, int p, int n)
{
    for (int t = 0; t < steps->count && steps->active[t] > b; t++) {
        const ptrdiff_t row = steps->start[t] + b;
        add_scaled(d_value, weight.at[row * weight.row + j], d_out.at + row * d_out.row + p, n);
    }
}

SIMD_BODY void pool_end_body(const struct attention_rows *rows, const struct steps *steps,
                             struct view weight, struct view d_out, struct view d_value)
{
    const int sentences = steps->count ? steps->active[0] : 0;
    for (int b = 0; b < sentences; b++)
        for (int p = 0; p < d_value.cols; p += BLOCK) {
            const int n = d_value.cols - p < BLOCK ? d_value.cols - p : BLOCK;
            for (int j = 0; j < rows->length[steps->first + b]; j++) {
                real *d = d_value.at + (rows->start[steps->first + b] + j) * d_value.row + p;
                for (int k = 0; k < n; k++)
                    d[k] = 0;
                value_gradient(steps, b, weight, d_out, d, j, p, n);
            }
        }
}
SIMD_FUNCTION(pool_end,
              (const struct attention_rows *rows, const struct steps *steps, struct view weight,
               struct view d_out, struct view d_value),
              (rows, steps, weight, d_out, d_value))
