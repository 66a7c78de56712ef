/* The encoder: h_j = [forward_j; backward_j], a recurrent layer in each direction over the source's
 * embeddings.
 *
 * Its result, the annotations, stands sentence by sentence in the decoder's order: the memory that
 * attention reads. Dims: N source rows, E embedding, H state, C = 2 H annotation. */
#ifndef ATTEND_MODEL_ENCODER_H
#define ATTEND_MODEL_ENCODER_H

#include "model/batch.h"
#include "model/config.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/rnn.h"

struct encoder {
    struct embedding embedding;
    struct rnn forward, backward;
};

struct encoder_tape {
    real *x;        /* (N, E) embeddings after dropout */
    real *d_x;      /* (N, E) */
    real *memory;   /* (N, C) */
    real *d_memory; /* (N, C) in: the decoder's gradient */
    struct rnn_tape forward, backward;
};

void encoder_declare(struct encoder *, struct param_set *, const struct model_config *);
void encoder_bind(struct encoder *, struct arena *, bool training);
void encoder_pack(struct encoder *, struct compute *, bool training);
void encoder_tape_bind(struct encoder_tape *, struct arena *, const struct encoder *,
                       const struct batch *, bool training);
/* By the whole team, one lane for each member. The team has met when they return. */
void encoder_forward(const struct encoder *, struct encoder_tape *, struct compute *,
                     const struct batch *, const struct dropout *);
void encoder_backward(const struct encoder *, struct encoder_tape *, struct compute *,
                      const struct batch *, const struct dropout *);

#endif
