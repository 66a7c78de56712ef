/* The recurrent encoder: annotations h_j = [forward_j; backward_j] from L layers over the source, or
 * forward_j alone. The first layer reads x_j (model/encoder.h), the others the annotations of the
 * layer below. In a pyramid of N levels (Chan et al. 2016), each of the N layers above the first
 * reads pairs of them and so halves the time:
 *
 *     x_j = [h_{2j}; h_{2j+1}]      of the layer below; zeros if h_{2j+1} is past the end
 *
 * With residual links, every layer adds its input to its output, except the first and those that
 * read pairs, whose input is wider than their output.
 *
 * Dims: N rows of a level, E embedding, H state, W = states * H, C annotation, L layers. */
#ifndef ATTEND_MODEL_ENCODER_RECURRENT_H
#define ATTEND_MODEL_ENCODER_RECURRENT_H

#include "model/config.h"
#include "nn/rnn.h"

struct encoder_recurrent {
    struct rnn forward[CONFIG_LAYERS], backward[CONFIG_LAYERS];
    int layers, pyramid, E, H, C;
    bool both; /* two directions */
    bool residual;
};

struct encoder_recurrent_tape {
    real *x[CONFIG_LAYERS];   /* (N, E), (N, C or 2 C) ... a layer's input, after dropout */
    real *d_x[CONFIG_LAYERS]; /* the same */
    struct rnn_tape forward[CONFIG_LAYERS], backward[CONFIG_LAYERS];
};

#endif
