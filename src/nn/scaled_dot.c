/* Scaled dot attention (Vaswani et al. 2017): e_ij = s_i . k_j / sqrt(H / G), k = forward h +
 * backward h. Each head has its own columns of state and key. No parameters. */
#include "nn/dot_product.h"

#include <math.h>

static real scale(const struct attention_dims *dims)
{
    return (real)(1 / sqrt((double)dims->H / dims->heads));
}

static void forward(const struct attention *l, const struct attention_rows *rows)
{
    dot_product_scores(rows, l->dims.heads, scale(&l->dims));
    dot_product_softmax(rows, l->dims.heads);
}

static void backward(const struct attention *l, const struct attention_rows *rows,
                     const struct attention_gradient *gradient)
{
    dot_product_softmax_backward(rows, gradient, l->dims.heads);
    dot_product_scores_backward(rows, gradient, l->dims.heads, scale(&l->dims));
}

const struct attention_ops attention_scaled_dot = {
    .name = "scaled_dot",
    .help = "s . h / sqrt(width of a head): no parameters; takes --heads",
    .keys = ATTENTION_FOLDED_KEYS,
    .heads = true,
    .key_width = dot_product_key_width,
    .forward = forward,
    .backward = backward,
};
