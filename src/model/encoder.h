/* The encoder: annotations h_j = [forward_j; backward_j] from L layers over the source, or forward_j
 * alone. The first layer reads embeddings of tokens or, for a source of frames f_j,
 *
 *     x_j = f_j W + b      no nonlinearity: the cell that reads x_j has its own
 *
 * The input of a layer is the annotations of the layer below. In a pyramid of N levels (Chan et al.
 * 2016), each of the N layers above the first reads pairs of them and so halves the time:
 *
 *     x_j = [h_{2j}; h_{2j+1}]      of the layer below; zeros if h_{2j+1} is past the end
 *
 * With residual links, every layer adds its input to its output, except the first and those that
 * read pairs, whose input is wider than their output.
 *
 * The result is the memory that attention reads, sentence by sentence in the decoder's order. Dims:
 * N rows of a level, E embedding, H state, W = states * H, C annotation, L layers. */
#ifndef ATTEND_MODEL_ENCODER_H
#define ATTEND_MODEL_ENCODER_H

#include "model/batch.h"
#include "model/config.h"
#include "model/dropouts.h"
#include "nn/embedding.h"
#include "nn/projection.h"
#include "nn/rnn.h"

struct encoder {
    int width;                  /* numbers in a frame; 0: the source is tokens */
    struct embedding embedding; /* of tokens, or */
    struct projection frames;   /* of frames */
    struct rnn forward[CONFIG_LAYERS], backward[CONFIG_LAYERS];
    int layers, pyramid, E, H, C;
    bool both; /* two directions */
    bool residual;
};

struct encoder_tape {
    real *x[CONFIG_LAYERS];   /* (N, E), (N, C or 2 C) ... a layer's input, after dropout */
    real *d_x[CONFIG_LAYERS]; /* the same */
    real *memory;             /* (N, C) */
    real *d_memory;           /* (N, C) input of backward, from the decoder */
    real *last;               /* (L, B, W) for each sentence, the state that has read all words */
    real *d_last;             /* (L, B, W) input of backward */
    struct rnn_tape forward[CONFIG_LAYERS], backward[CONFIG_LAYERS];
    const struct encoder_tables *tables; /* for one thread, without dropout; or NULL */
    real *work;                          /* workspace, only with tables */
    /* (items) factor for the embeddings of each sentence, by item, for integrated gradients, which
     * start at zero embeddings. bind sets NULL, which means 1. */
    const real *embedding_scale;
};

/* The products of source tokens in the first layer; see nn/token_table.h. */
struct encoder_tables {
    struct token_table *forward, *backward;
};

void encoder_declare(struct encoder *, struct param_set *, const struct attend_network_options *);
void encoder_bind(struct encoder *, struct arena *, enum packing packing);
void encoder_pack(struct encoder *, struct compute *, bool training);
void encoder_tape_bind(struct encoder_tape *, struct arena *, const struct encoder *,
                       const struct batch *, int team, bool training);
/* By the whole team, one lane per member. Both end with a barrier. */
void encoder_forward(const struct encoder *, struct encoder_tape *, struct compute *,
                     const struct batch *, const struct dropouts *);
/* d_last is read only if `copied`. */
void encoder_backward(const struct encoder *, struct encoder_tape *, struct compute *,
                      const struct batch *, const struct dropouts *, bool copied);

#endif
