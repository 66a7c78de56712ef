#include "nn/layer_norm.h"

#include "tensor/simd.h"

#include <math.h>

static const real EPSILON = (real)1e-5;

void layer_norm_declare(struct layer_norm *l, struct param_set *set, const char *path, int groups,
                        int H)
{
    *l = (struct layer_norm){.H = H};
    param_declare(set, &l->gain, path, "gain", 1, groups * H);
    param_start(&l->gain, PARAM_CONSTANT, 1);
}

/* ---- Forward ---- */

/* normal = (x - mean) / sd; returns 1 / sd. Two passes, because a single pass suffers from
 * cancellation. */
SIMD_BODY real normalize(const real *x, real *normal, int H)
{
    real sum = 0, square = 0;
#pragma omp simd reduction(+ : sum)
    for (int h = 0; h < H; h++)
        sum += x[h];
    const real mean = sum / (real)H;
#pragma omp simd reduction(+ : square)
    for (int h = 0; h < H; h++) {
        const real centered = x[h] - mean;
        square += centered * centered;
    }
    const real scale = (real)(1 / sqrt((double)(square / (real)H + EPSILON)));
#pragma omp simd
    for (int h = 0; h < H; h++)
        normal[h] = (x[h] - mean) * scale;
    return scale;
}

SIMD_BODY void forward_body(const struct layer_norm *l, const real *bias, struct view x,
                            struct view normal, struct view scale)
{
    const real *gain = l->gain.value;
    for (int i = 0; i < x.rows; i++) {
        real *y = x.at + i * x.row, *n = normal.at + i * normal.row;
        for (int g = 0; g < scale.cols; g++)
            scale.at[i * scale.row + g] = normalize(y + g * l->H, n + g * l->H, l->H);
#pragma omp simd
        for (int j = 0; j < x.cols; j++)
            y[j] = gain[j] * n[j] + bias[j];
    }
}
SIMD_STATIC(forward,
            (const struct layer_norm *l, const real *bias, struct view x, struct view normal,
             struct view scale),
            (l, bias, x, normal, scale))

void layer_norm_forward(const struct layer_norm *l, const real *bias, struct view x,
                        struct view normal, struct view scale)
{
    forward(l, bias, x, normal, scale);
}

/* ---- Backward ---- */

/* normal = (x - mean) / sd: d is d_normal and becomes d_x, which is d_normal without its components
 * along 1 and along normal. */
SIMD_BODY void normalize_backward(const real *normal, real scale, real *d, int H)
{
    real sum = 0, along = 0;
#pragma omp simd reduction(+ : sum, along)
    for (int h = 0; h < H; h++) {
        sum += d[h];
        along += d[h] * normal[h];
    }
    const real mean = sum / (real)H, slope = along / (real)H;
#pragma omp simd
    for (int h = 0; h < H; h++)
        d[h] = scale * (d[h] - mean - normal[h] * slope);
}

SIMD_BODY void backward_body(const struct layer_norm *l, struct view normal, struct view scale,
                             struct view d, real *d_gain, real *d_bias)
{
    const real *gain = l->gain.value;
    for (int i = 0; i < d.rows; i++) {
        real *d_y = d.at + i * d.row;
        const real *n = normal.at + i * normal.row;
        /* y = gain * normal + bias */
#pragma omp simd
        for (int j = 0; j < d.cols; j++) {
            d_gain[j] += d_y[j] * n[j];
            d_bias[j] += d_y[j];
            d_y[j] *= gain[j];
        }
        for (int g = 0; g < scale.cols; g++)
            normalize_backward(n + g * l->H, scale.at[i * scale.row + g], d_y + g * l->H, l->H);
    }
}
SIMD_STATIC(backward,
            (const struct layer_norm *l, struct view normal, struct view scale, struct view d,
             real *d_gain, real *d_bias),
            (l, normal, scale, d, d_gain, d_bias))

void layer_norm_backward(const struct layer_norm *l, struct view normal, struct view scale,
                         struct view d, real *d_gain, real *d_bias)
{
    backward(l, normal, scale, d, d_gain, d_bias);
}
