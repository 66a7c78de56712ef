/* Internal to the decoder: training's slabs as views, shared by forward and backward. */
#ifndef ATTEND_MODEL_DECODER_TRAIN_H
#define ATTEND_MODEL_DECODER_TRAIN_H

#include "model/decoder_parts.h"

struct slabs {
    struct view emb, frame[DECODER_LAYERS], top, fed, pre, o, context, weight, carry, memory,
        projected;
    struct view read;                    /* (M, H) input of R_state: top output or vector */
    const int *span_start, *span_length; /* (B) */
};
struct slabs decoder_slabs(const struct decoder *, const struct decoder_tape *,
                           const struct batch *, const struct encoder_tape *);
struct step_rows decoder_rows_of_step(const struct decoder *, const struct decoder_tape *,
                                      const struct batch *, const struct slabs *,
                                      const struct dropouts *, int lane, int step);
/* (M, W) the states that layer l continued; a vector: (M, H) the top outputs. */
struct view decoder_previous(const struct decoder *, const struct decoder_tape *, int M, int l);
/* Dropout of the target's embeddings, or of their gradient: this member's rows of x (M, E). */
void decoder_drop_input(const struct compute *, struct view x, const struct batch *,
                        const struct dropouts *);

/* Write the sentence number of each row of a lane. */
void decoder_number_rows(const struct steps *lane, int *sentence);
/* The tape of hard attention, and its loss, which leaves the gradients of scores, values and of what
 * the output reads from the state. */
void decoder_hard_bind(struct decoder_tape *, struct arena *, const struct decoder *,
                       const struct batch *, int team, bool training);
void decoder_hard_forward(struct decoder_tape *, const struct batch *, const struct compute *,
                          const struct dropouts *);
double decoder_hard_loss(const struct decoder *, struct decoder_tape *, struct compute *,
                         const struct batch *, const struct decoder_loss *);
/* Add what the loss has left to the gradients of keys and values, after those of the loop; for a
 * lane. */
struct back;
void decoder_hard_backward(const struct back *);
/* The loss of a decoder that writes strokes. */
double decoder_strokes_loss(const struct decoder *, struct decoder_tape *, struct compute *,
                            const struct batch *, const struct decoder_loss *);

/* Rows of the memory: annotations, or one row per sentence. */
static inline int decoder_memory_rows(const struct decoder *d, const struct batch *b)
{
    return is_fixed(d) ? b->B : b->memory_rows;
}

/* The width of the gradients that each thread sums privately: the attention's vectors, then gain
 * and bias of each layer's norm. */
static inline int decoder_share_width(const struct decoder *d)
{
    return attention_extra_size(&d->attention) +
           (d->normalize ? 2 * (d->top + 1) * d->cell->slots * d->H : 0);
}

/* ---- Backward ---- */

/* Shared by all stages. */
struct back {
    const struct decoder *d;
    struct decoder_tape *t;
    struct compute *c;
    const struct batch *b;
    const struct dropouts *drop;
    struct slabs s;
    struct view d_projected;
    int lane;
};

/* One step of a lane. */
void decoder_layers_backward(const struct back *, int step);
/* Overwrites the readout's pre with its gradient. */
void decoder_readout_backward(const struct back *);
/* The same for rows whose o was divided by `keep`. */
void decoder_readout_gradient(const struct decoder *, struct view pre, struct view o,
                              struct view d_o, real keep);
/* After the loop, by the whole team: the gradient of every weight, then the encoder tape's d_memory
 * and, if start states are copied, d_last. */
void decoder_weight_gradients(const struct back *);
void decoder_memory_gradients(const struct back *, struct encoder_tape *);

#endif
