/* Placements: where the attention sits among the layers of the decoder.
 *
 * A placement is a description of the decoder, layer by layer from the first to the last. The
 * decoder declares, packs, runs, differentiates and searches by walking the description; nothing
 * else knows which placement a model has. See model/decoder_layers.c for what a walk computes.
 *
 * To add a placement:
 *   1. write model/placement_<name>.c: its formula, and a `const struct placement_ops
 *      placement_<name>` whose `describe` fills in the layers. Its help says so if it takes
 *      --input-feeding;
 *   2. add X(<name>) to PLACEMENT_LIST.
 * Help, configuration, files, gradient checks and tests of search follow the list. placement_test.c
 * fails if a description breaks the rules below. A layer that no field here can describe needs a
 * new field, and model/decoder_layers.c has to support it. */
#ifndef ATTEND_MODEL_PLACEMENT_H
#define ATTEND_MODEL_PLACEMENT_H

#include <stdbool.h>

#define PLACEMENT_LIST(X) X(bahdanau) X(luong) X(conditional)

/* The kind of a layer decides which state it keeps. */
enum placement_kind {
    LAYER_CELL, /* a cell with its own state, which it keeps from step to step */
    /* a second cell of the layer below, of the same kind: it continues the state that the cell
     * below has just computed, and its result is kept for the next step */
    LAYER_SECOND,
    LAYER_VECTOR, /* the attentional vector r = tanh(W_c c + W_s s), s the output of the layer
                   * below. Only the last layer can be one. The readout then reads r alone; r is
                   * kept for the next step if a layer is fed it */
};

/* One layer. Rules: only the first layer reads the word. Exactly one layer asks and one reads the
 * context. If the state that asks is computed within the step (second cell, vector), only that
 * layer or a later one can read the context. */
struct placement_layer {
    enum placement_kind kind;
    bool word;    /* reads emb(y_{t-1}) */
    bool below;   /* reads the output of the layer below */
    bool fed;     /* reads r_{t-1}; the first layer only */
    bool context; /* reads c_t */
    bool asks;    /* the state that it continues queries the attention; for a vector, s does */
};

struct placement_ops {
    const char *name;
    const char *help; /* one line */
    bool feeds;       /* supports `input_feeding` */
    bool skips;       /* supports `skip`: the context is there before the upper layers */
    /* Fill in the layers of a decoder with `layers` recurrent layers. Returns their number, at most
     * layers + 1. */
    int (*describe)(struct placement_layer *, int layers, bool feeding);
};

#define PLACEMENT_DECLARE(name) extern const struct placement_ops placement_##name;
PLACEMENT_LIST(PLACEMENT_DECLARE)
#undef PLACEMENT_DECLARE

extern const struct placement_ops *const placements[]; /* ended by NULL */
/* NULL when there is no such placement. */
const struct placement_ops *placement_find(const char *name);

/* For `describe`: plain cells at [from, to), each reading the layer below; layer 0 reads the
 * word. */
void placement_stack(struct placement_layer *, int from, int to);

#endif
