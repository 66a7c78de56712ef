/* No attention: the encoder-decoder with a fixed context (Sutskever et al. 2014, Cho et al. 2014).
 * The context is the only annotation of a sentence of length 1, so its weight is 1 and nothing is
 * learned. */
#include "nn/attention.h"

#include "tensor/vec.h"

static void forward(const struct attention *l, const struct attention_rows *rows)
{
    (void)l;
    for (int i = 0; i < rows->weight.rows; i++) {
        real *weight = rows->weight.at + i * rows->weight.row;
        vec_zero(weight, (size_t)rows->weight.cols);
        weight[0] = 1;
    }
}

/* The weight is constant, so it has no gradient. */
static void backward(const struct attention *l, const struct attention_rows *rows,
                     const struct attention_gradient *g)
{
    (void)l, (void)rows, (void)g;
}

const struct attention_ops attention_none = {
    .name = "none",
    .help = "one fixed context for every step, no attention",
    .keys = ATTENTION_NO_KEYS,
    .forward = forward,
    .backward = backward,
};
