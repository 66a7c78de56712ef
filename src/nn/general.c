/* General attention (Luong, Pham and Manning 2015): e_ij = s_i . key_j, key = h W_key. Each head
 * has its own columns of state and key. */
#include "nn/dot_product.h"

const struct attention_ops attention_general = {
    .name = "general",
    .help = "s . W h: Luong's bilinear score; takes --heads",
    .keys = ATTENTION_PROJECTED_KEYS,
    .heads = true,
    .key_width = dot_product_key_width,
    .forward = dot_product_forward,
    .backward = dot_product_backward,
};
