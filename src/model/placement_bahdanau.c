/* Bahdanau's placement (Bahdanau, Cho and Bengio 2014): the previous state of the top layer asks,
 * and the context enters the first layer. The attention does not wait for the word.
 *
 *     a_t = attention(s_{t-1}, h)      c_t = sum_j a_tj h_j
 *     s_t = cell([emb(y_{t-1}); c_t], s_{t-1})
 *     o_t = f(W_s s_t + W_c c_t + W_e emb(y_{t-1}) + b) */
#include "model/placement.h"

static int describe(struct placement_layer *layer, int layers, bool feeding)
{
    (void)feeding;
    placement_stack(layer, 0, layers);
    layer[0].context = true;
    layer[layers - 1].asks = true;
    return layers;
}

const struct placement_ops placement_bahdanau = {
    .name = "bahdanau",
    .help = "the previous state asks, the context enters the cell",
    .skips = true,
    .describe = describe,
};
