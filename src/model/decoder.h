/* The decoder in Bahdanau's placement: the previous state asks, the context enters the cell.
 *
 *     s_0     = tanh(W_start h_1^backward + b)
 *     a_t     = additive(s_{t-1}, h)                        c_t = sum_j a_tj h_j
 *     s_t     = cell([emb(y_{t-1}); c_t], s_{t-1})
 *     o_t     = tanh(W_s s_t + W_c c_t + W_e emb(y_{t-1}) + b)      P(y_t) = softmax(W o_t + b)
 *
 * Everything a step computes stands in one row, its frame, in an order that lets each product write
 * adjoining columns:
 *
 *     [ readout R | cell slots, input's first | query A ]
 *       embedding and pooled values: readout and input slots; the previous state: state slots and
 * query
 *
 * Contexts are never formed: W c_t = sum_j a_tj (W h_j), so the annotations are projected once, to
 * [ key A | readout R | input slots ], and the projections are pooled. Embeddings' share, keys and
 * values, readout, logits and all weight gradients are single products over all rows; only [U |
 * W_query] and its transpose stay inside the loop. Dims: N source rows, M target rows, B sentences,
 * F frame, P = R + input slots * H pooled width. */
#ifndef ATTEND_MODEL_DECODER_H
#define ATTEND_MODEL_DECODER_H

#include "model/batch.h"
#include "model/config.h"
#include "nn/additive.h"
#include "nn/cell.h"
#include "nn/cross_entropy.h"
#include "nn/dropout.h"
#include "nn/embedding.h"

struct decoder {
    const struct cell_ops *cell;
    int E, H, A, R, C;
    struct embedding embedding;
    struct param W_start, b_start; /* (H, H), (H) */
    struct param W_input, W_context, U_state,
        bias; /* (E, in H), (C, in H), (H, state H), (slots H) */
    struct additive attention;
    struct param R_state, R_context, R_input, b_readout; /* (H, R), (C, R), (E, R), (R) */
    struct cross_entropy output;
    /* Rearranged weights: filled by decoder_pack. */
    struct packed start;      /* W_start */
    struct packed project;    /* [W_key | R_context | W_context] */
    struct packed embed;      /* [R_input | W_input] */
    struct packed state;      /* [U_state | W_query] */
    struct packed state_back; /* its transpose; only when training */
    struct packed readout;    /* R_state */
    real *frame_bias;         /* (F) */
};

/* The source as the decoder sees it. */
struct decoder_memory {
    const int *start, *length; /* (B) rows of each sentence */
    struct view annotation;    /* (N, C) */
    struct view projected;     /* (N, A + P) */
};

struct decoder_tape {
    real *emb, *d_emb;             /* (M, E) */
    real *frame;                   /* (M, F) */
    real *previous, *state;        /* (M, H) */
    real *d_state;                 /* (M, H) */
    real *weight;                  /* (M, S) the attention */
    real *first, *start, *d_start; /* (B, H) */
    real *d_first;                 /* (B, H) */
    real *projected, *d_projected; /* (N, A + P) */
    real *d_weight, *d_query;      /* (B, S), (B, A) work space */
    real *d_v;                     /* (team, A) */
    real *d_o;                     /* (M, R) */
    struct cross_entropy_tape output;
};

void decoder_declare(struct decoder *, struct param_set *, const struct model_config *);
void decoder_bind(struct decoder *, struct arena *, bool training);
void decoder_pack(struct decoder *, struct compute *, bool training);

/* ---- Teacher forcing, by the whole team; the team has met when a function returns ---- */

void decoder_tape_bind(struct decoder_tape *, struct arena *, const struct decoder *,
                       const struct batch *, int team, bool training);
void decoder_forward(const struct decoder *, struct decoder_tape *, struct compute *,
                     const struct batch *, const real *memory, const struct dropout *);
struct decoder_loss {
    double smoothing, scale; /* see nn/cross_entropy.h */
    bool gradient;
};
double decoder_loss(const struct decoder *, struct decoder_tape *, struct compute *,
                    const struct batch *, const struct decoder_loss *);
/* d_memory (N, C) is overwritten. */
void decoder_backward(const struct decoder *, struct decoder_tape *, struct compute *,
                      const struct batch *, const real *memory, real *d_memory,
                      const struct dropout *);

/* ---- Step by step, by one thread: what search uses ---- */

int decoder_frame_width(const struct decoder *);
int decoder_projected_width(const struct decoder *);
/* memory->projected and the start states (B, H) from memory->annotation; first: (B, H) work space.
 */
void decoder_begin(const struct decoder *, struct compute *, const struct decoder_memory *, int B,
                   real *first, real *start);

/* One step of `rows` hypotheses. */
struct decoder_step {
    int rows;
    const int *sentence;  /* (rows) whose translation */
    const int *token;     /* (rows) y_{t-1} */
    struct view previous; /* (rows, H) */
    struct view state;    /* (rows, H) out */
    struct view weight;   /* (rows, S) out */
    struct view logits;   /* (rows, V) out */
    real *emb, *frame;    /* (rows, E), (rows, F) work space */
};
void decoder_step(const struct decoder *, struct compute *, const struct decoder_memory *,
                  const struct decoder_step *);

#endif
