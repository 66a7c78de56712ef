/* The transformer encoder (Vaswani et al. 2017, with the norm before each part): L layers in which
 * every word of a source looks at all of them (nn/transformer.h),
 *
 *     z_j = r (x_j W + b) + p_j        r = sqrt(E) for tokens, whose embeddings are short; 1 for frames
 *     z   = layer_L(... layer_1(z))
 *     h_j = norm(z_j)
 *
 * W and b are there only if E differs from H. p_j tells the place j, which nothing else does: with
 * sinusoidal positions
 *
 *     p_j[2 i] = sin(j / 10000^(2 i / H))      p_j[2 i + 1] = cos(j / 10000^(2 i / H))
 *
 * or else a learned vector for each of the first P places, the last of which stands for all beyond.
 *
 * Rows of z are sentence by sentence in the order of the memory. Dims: N rows, E, H = C, L layers,
 * F width inside a layer, S longest source. */
#ifndef ATTEND_MODEL_ENCODER_TRANSFORMER_H
#define ATTEND_MODEL_ENCODER_TRANSFORMER_H

#include "model/config.h"
#include "nn/embedding.h"
#include "nn/projection.h"
#include "nn/transformer.h"

struct encoder_transformer {
    int layers, E, H;
    real scale;                 /* r */
    bool projects;              /* E differs from H */
    struct projection input;    /* W, b */
    bool learned;               /* positions */
    struct embedding positions; /* (P, H) */
    struct transformer layer[CONFIG_LAYERS];
    struct row_norm norm;
};

struct encoder_transformer_tape {
    real *z, *d_z; /* (N, H) */
    real *read;    /* (N, H) x W + b in the order of x, only if E differs from H */
    real *wave;    /* (S, H) sinusoids; only for these */
    int *place;    /* (N, 2) item and position of each row, key of dropout */
    int *position; /* (N) row of the learned positions */
    struct transformer_tape layer[CONFIG_LAYERS]; /* without training, all are the same */
    struct transformer_work work;
    struct row_norm_tape norm;
};

struct encoder;
struct encoder_tape;
struct batch;
struct dropouts;

/* What self-attention reads in layer l, after forward on a tape for training. */
struct self_attention encoder_self_attention(const struct encoder *, const struct encoder_tape *,
                                             const struct batch *, int l, const struct dropouts *);

#endif
