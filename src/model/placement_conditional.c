/* The conditional placement (Sennrich et al. 2017): the first layer is two cells with one state.
 * The first cell reads the word; the state that it leaves asks; the second cell reads the context.
 *
 *     s'_t = cell(emb(y_{t-1}), s_{t-1})
 *     a_t = attention(s'_t, h)         c_t = sum_j a_tj h_j
 *     s_t = cell'(c_t, s'_t)
 *     o_t = f(W_s s_t + W_c c_t + W_e emb(y_{t-1}) + b) */
#include "model/placement.h"

static int describe(struct placement_layer *layer, int layers, bool feeding)
{
    (void)feeding;
    placement_stack(layer, 0, 1);
    layer[1] = (struct placement_layer){.kind = LAYER_SECOND, .context = true, .asks = true};
    placement_stack(layer, 2, layers + 1);
    return layers + 1;
}

const struct placement_ops placement_conditional = {
    .name = "conditional",
    .help = "the state asks once it has read the word, the context moves it on",
    .skips = true,
    .describe = describe,
};
