/* Luong's placement (Luong, Pham and Manning 2015): the new state of the top layer asks. The
 * readout sees the context through the attentional vector r; the first layer sees the vector of the
 * step before only with input feeding.
 *
 *     s_t = cell([emb(y_{t-1}); r_{t-1}], s_{t-1})
 *     a_t = attention(s_t, h)          c_t = sum_j a_tj h_j
 *     r_t = tanh(W_c c_t + W_s s_t)
 *     o_t = f(W r_t + b) */
#include "model/placement.h"

static int describe(struct placement_layer *layer, int layers, bool feeding)
{
    placement_stack(layer, 0, layers);
    layer[0].fed = feeding;
    layer[layers] = (struct placement_layer){.kind = LAYER_VECTOR, .context = true, .asks = true};
    return layers + 1;
}

const struct placement_ops placement_luong = {
    .name = "luong",
    .help = "the new state asks, tanh(W [context; state]) goes to the output; takes "
            "--input-feeding",
    .feeds = true,
    .describe = describe,
};
