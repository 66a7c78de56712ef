/* Dot attention (Luong, Pham and Manning 2015): e_ij = s_i . k_j, k = forward h + backward h. Each
 * head has its own columns of state and key. No parameters. */
#include "nn/dot_product.h"

const struct attention_ops attention_dot = {
    .name = "dot",
    .help = "s . h, both directions of h added, no parameters; takes --heads",
    .keys = ATTENTION_FOLDED_KEYS,
    .heads = true,
    .key_width = dot_product_key_width,
    .forward = dot_product_forward,
    .backward = dot_product_backward,
};
