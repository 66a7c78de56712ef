/* The encoder: annotations h_j = [forward_j; backward_j] from L layers over the source's
 * embeddings, or forward_j alone. A layer's input is the annotations of the one below; with
 * residual links, layers from the second on add their input to their output.
 *
 * The result stands sentence by sentence in the decoder's order: the memory that attention reads.
 * Dims: N source rows, E embedding, H state, W = states * H, C annotation, L layers. */
#ifndef ATTEND_MODEL_ENCODER_H
#define ATTEND_MODEL_ENCODER_H

#include "model/batch.h"
#include "model/config.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/rnn.h"

struct encoder {
    struct embedding embedding;
    struct rnn forward[CONFIG_LAYERS], backward[CONFIG_LAYERS];
    int layers, H, C;
    bool both; /* two directions */
    bool residual;
};

struct encoder_tape {
    real *x[CONFIG_LAYERS];   /* (N, E), (N, C) ... a layer's input, after dropout */
    real *d_x[CONFIG_LAYERS]; /* the same */
    real *memory;             /* (N, C) */
    real *d_memory;           /* (N, C) in: the decoder's gradient */
    real *last;               /* (L, B, W) for each sentence the state that has read everything */
    real *d_last;             /* (L, B, W) in */
    struct rnn_tape forward[CONFIG_LAYERS], backward[CONFIG_LAYERS];
    const struct encoder_tables *tables; /* for one thread, without dropout; or NULL */
    real *work;                          /* with tables */
    /* (items) factor of the embeddings of each sentence, by its item: for paths from the zero
     * embedding. NULL, which bind leaves: 1. */
    const real *embedding_scale;
};

/* What source tokens bring into the first layer; see nn/token_table.h. */
struct encoder_tables {
    struct token_table *forward, *backward;
};

/* Dropout of a run. */
struct dropouts {
    struct dropout plain;     /* embeddings, between layers, annotations, readout */
    struct dropout recurrent; /* on the recurrence: one mask a sentence */
    struct dropout words;     /* whole embeddings of either side */
};

void encoder_declare(struct encoder *, struct param_set *, const struct model_config *);
void encoder_bind(struct encoder *, struct arena *, enum packing packing);
void encoder_pack(struct encoder *, struct compute *, bool training);
void encoder_tape_bind(struct encoder_tape *, struct arena *, const struct encoder *,
                       const struct batch *, int team, bool training);
/* By the whole team, one lane for each member. The team has met when they return. */
void encoder_forward(const struct encoder *, struct encoder_tape *, struct compute *,
                     const struct batch *, const struct dropouts *);
/* d_last is looked at only when `copied`. */
void encoder_backward(const struct encoder *, struct encoder_tape *, struct compute *,
                      const struct batch *, const struct dropouts *, bool copied);

#endif
