/* Cosine attention (Graves, Wayne and Danihelka 2014), with k = forward h + backward h and one
 * sharpness g per head:
 *
 *     e_ij = g (s_i . k_j) / (|s_i| |k_j|)      |x| = sqrt(x . x + 1e-12)
 *
 * A cosine lies in [-1, 1], so g limits how sharp the weights can be. It starts at 8. */
#include "nn/dot_product.h"

#include "tensor/vec.h"

static void declare(struct attention *l, struct param_set *set, const char *path)
{
    param_declare(set, &l->extra[0], path, "g", 1, l->dims.heads);
    param_start(&l->extra[0], PARAM_CONSTANT, 8);
}

SIMD_BODY real norm(const real *x, int n)
{
    const real square = dot_product(x, x, n) + (real)1e-12;
    return (real)sqrt((double)square);
}

/* State, keys and length for one head of one row. */
struct place {
    const real *state, *key;
    ptrdiff_t key_row;
    int length, n;
};

SIMD_BODY struct place place_of(const struct attention_rows *rows, int i, int g, int heads)
{
    const int b = attention_sentence(rows, i), n = rows->key.cols / heads;
    return (struct place){.state = rows->state.at + i * rows->state.row + g * n,
                          .key = rows->key.at + rows->start[b] * rows->key.row + g * n,
                          .key_row = rows->key.row,
                          .length = rows->length[b],
                          .n = n};
}

/* ---- Forward ---- */

/* Turn s . k into e. */
SIMD_BODY void sharpen(struct place p, real sharpness, real *e)
{
    const real by = sharpness / norm(p.state, p.n);
    for (int j = 0; j < p.length; j++)
        e[j] *= by / norm(p.key + j * p.key_row, p.n);
}

SIMD_BODY void normalize_body(const struct attention *l, const struct attention_rows *rows)
{
    const int heads = l->dims.heads, S = rows->weight.cols / heads;
    for (int i = 0; i < rows->weight.rows; i++)
        for (int g = 0; g < heads; g++)
            sharpen(place_of(rows, i, g, heads), l->extra[0].value[g],
                    rows->weight.at + i * rows->weight.row + g * S);
}
SIMD_STATIC(normalize, (const struct attention *l, const struct attention_rows *rows), (l, rows))

static void forward(const struct attention *l, const struct attention_rows *rows)
{
    dot_product_scores(rows, l->dims.heads, 1);
    normalize(l, rows);
    dot_product_softmax(rows, l->dims.heads);
}

/* ---- Backward ---- */

SIMD_BODY void subtract_scaled(real *y, real by, const real *x, int n)
{
#pragma omp simd
    for (int h = 0; h < n; h++)
        y[h] -= by * x[h];
}

/* The gradient through the norms: turns d_e into d(s . k), with d_s -= d_e e / |s|^2 s and d_k -=
 * d_e e / |k|^2 k. Returns d_g. */
SIMD_BODY real sharpen_backward(struct place p, real sharpness, real *d_e, real *d_state,
                                real *d_key, ptrdiff_t d_key_row)
{
    const real state_norm = norm(p.state, p.n);
    real d_sharpness = 0, along = 0;
    for (int j = 0; j < p.length; j++) {
        const real *key = p.key + j * p.key_row;
        const real key_norm = norm(key, p.n), by = 1 / (state_norm * key_norm);
        const real d_cosine = d_e[j] * dot_product(p.state, key, p.n) * by;
        d_sharpness += d_cosine;
        along += sharpness * d_cosine;
        subtract_scaled(d_key + j * d_key_row, sharpness * d_cosine / (key_norm * key_norm), key,
                        p.n);
        d_e[j] *= sharpness * by;
    }
    subtract_scaled(d_state, along / (state_norm * state_norm), p.state, p.n);
    return d_sharpness;
}

SIMD_BODY void normalize_backward_body(const struct attention *l, const struct attention_rows *rows,
                                       const struct attention_gradient *gradient)
{
    const struct view d_weight = gradient->d_weight, d_state = gradient->d_state,
                      d_key = gradient->d_key;
    const int heads = l->dims.heads, S = rows->weight.cols / heads;
    for (int i = 0; i < rows->weight.rows; i++) {
        const int first = rows->start[attention_sentence(rows, i)];
        for (int g = 0; g < heads; g++) {
            const struct place p = place_of(rows, i, g, heads);
            gradient->d_extra[0][g] +=
                sharpen_backward(p, l->extra[0].value[g], d_weight.at + i * d_weight.row + g * S,
                                 d_state.at + i * d_state.row + g * p.n,
                                 d_key.at + first * d_key.row + g * p.n, d_key.row);
        }
    }
}
SIMD_STATIC(normalize_backward,
            (const struct attention *l, const struct attention_rows *rows,
             const struct attention_gradient *gradient),
            (l, rows, gradient))

static void backward(const struct attention *l, const struct attention_rows *rows,
                     const struct attention_gradient *gradient)
{
    dot_product_softmax_backward(rows, gradient, l->dims.heads);
    normalize_backward(l, rows, gradient);
    dot_product_scores_backward(rows, gradient, l->dims.heads, 1);
}

const struct attention_ops attention_cosine = {
    .name = "cosine",
    .help = "g cos(s, h), both directions of h added, g learned; takes --heads",
    .keys = ATTENTION_FOLDED_KEYS,
    .heads = true,
    .key_width = dot_product_key_width,
    .declare = declare,
    .forward = forward,
    .backward = backward,
};
