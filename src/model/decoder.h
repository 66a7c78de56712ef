/* The decoder: L recurrent layers that attend.
 *
 * Placement bahdanau: the top layer's previous state asks, the context enters the first layer.
 *
 *     a_t = attention(s_{t-1}, h)      c_t = sum_j a_tj h_j
 *     s_t = cell([emb(y_{t-1}); c_t], s_{t-1})
 *     o_t = f(W_s s_t + W_c c_t + W_e emb(y_{t-1}) + b)
 *
 * Placement luong: the new top state asks; r enters the first layer only with input feeding.
 *
 *     s_t = cell([emb(y_{t-1}); r_{t-1}], s_{t-1})
 *     a_t = attention(s_t, h)          r_t = tanh(W_c c_t + W_s s_t)
 *     o_t = f(W r_t + b)
 *
 * Placement conditional (Sennrich et al. 2017): the first layer is two cells with one state. The
 * first reads the word, and what it makes of the state asks; the second reads the context.
 *
 *     s'_t = cell(emb(y_{t-1}), s_{t-1})
 *     a_t = attention(s'_t, h)         s_t = cell'(c_t, s'_t)
 *     o_t = f(W_s s_t + W_c c_t + W_e emb(y_{t-1}) + b)
 *
 * All: P(y_t) = softmax(W o_t + b), f the readout: identity, tanh or maxout; or that mixed with
 * a_t, see nn/copy.h. With residual links, s_t in o_t and r_t, and luong's asking state, is the top
 * layer's output: its state plus its input.
 *
 * What a step computes stands in frames, rows in which each product writes adjoining columns:
 *
 *     layer 0        readout (bahdanau) | cell slots, the input's first |
 *     layers 1 ..                       | cell slots                    |
 *     the top layer                     | cell slots                    | query (bahdanau)
 *     after (luong)  r                                                  | query
 *
 * and in conditional's placement, where layers 0 and 1 are the two cells,
 *
 *     layer 0        the word's share of the readout | cell slots |
 *     layer 1        readout                         | cell slots | query
 *
 * W c_t = sum_j a_tj (W h_j): the annotations are projected once, to [key | values], and the values
 * are pooled straight into the frame. In the direct form contexts are pooled and then projected,
 * step by step: several heads need it, and training takes it where a batch has so many more source
 * than target words that it is cheaper. Everything that does not depend on the recurrence is one
 * product over all rows, before or after the loop; so are all weight gradients.
 *
 * Dims: N source rows, M target rows, B sentences, L layers (one more in conditional's placement),
 * E, H, C, R as everywhere; W = states * H a state row, I = input slots * H, RR readout before f (2
 * R for maxout), Q and D query and key width, P pooled width (RR + I; luong: H), G heads, S longest
 * source. */
#ifndef ATTEND_MODEL_DECODER_H
#define ATTEND_MODEL_DECODER_H

#include "model/batch.h"
#include "model/config.h"
#include "model/encoder.h"
#include "nn/attention.h"
#include "nn/cell.h"
#include "nn/copy.h"
#include "nn/cross_entropy.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/layer_norm.h"
#include "nn/logits.h"

enum { DECODER_LAYERS = CONFIG_LAYERS + 1 };

struct decoder_layer {
    struct param W_input;            /* (X, I); unless only the context is read */
    struct param U_state, bias;      /* (H, state slots * H), (slots * H) */
    struct layer_norm norm;          /* when normalised */
    struct packed input, input_back; /* layers from the second on: inside the loop */
    struct packed state, state_back; /* [U_state | W_query where the frame has a query] */
    real *frame_bias;                /* (frame) */
};

struct decoder {
    const struct cell_ops *cell;
    int layers, E, H, C, R, RR;
    bool luong, conditional; /* else bahdanau */
    bool feeding, residual, normalise;
    bool direct; /* always the direct form */
    enum start start;
    enum readout readout;
    struct embedding own_embedding; /* unless tied to the encoder's */
    const struct embedding *embedding;
    struct param W_start[DECODER_LAYERS], b_start[DECODER_LAYERS]; /* (H or C, H), (H) */
    struct decoder_layer layer[DECODER_LAYERS];
    struct param W_context; /* (C, I) into the cell that reads the context; (C, H) luong: into r */
    struct param W_feed;    /* (H, I) input feeding */
    struct param V_state;   /* (H, H) luong: into r */
    struct attention attention;
    struct param R_state, R_context,
        R_input;            /* (H, RR), (C, RR), (E, RR); luong: R_state only, which reads r */
    struct param b_readout; /* (RR) */
    struct cross_entropy output;
    struct copy copy; /* when used */
    struct packed start_w[DECODER_LAYERS];
    struct packed project;               /* [W_key | values] */
    struct packed key;                   /* direct form: W_key */
    struct packed context, context_back; /* direct form: values */
    struct packed embed;                 /* [R_input | W_input], luong: W_input */
    struct packed feed, feed_back;
    struct packed after, after_back; /* luong: [V_state | W_query] */
    struct packed read;              /* R_state */
    real *after_bias;                /* luong: (H + Q) */
};

/* The source as the decoder sees it. */
struct decoder_memory {
    const int *start, *length; /* (B) rows of each sentence */
    struct view annotation;    /* (N, C); of `none`: (B, C), the fixed contexts */
    struct view projected;     /* (N, D + P), or (N, D) in the direct form */
    int S;                     /* longest */
    struct copy_source copies; /* when words can be copied */
};

/* What a hypothesis takes from step to step, one row: states of all layers, r, the attention's
 * carry. */
int decoder_record_width(const struct decoder *, int S);
/* Columns of weights: G S. For `none`, S = 1. */
int decoder_weight_width(const struct decoder *, int S);
int decoder_projected_width(const struct decoder *, bool direct);
/* S of the memory for a batch whose longest source is S. */
int decoder_memory_span(const struct decoder *, int S);

struct decoder_tape {
    bool direct;       /* the form that this batch takes */
    real *emb, *d_emb; /* (M, E) */
    struct decoder_layer_tape {
        real *frame;            /* (M, frame) */
        real *x, *d_x;          /* (M, H) input, from the second layer on */
        real *previous, *state; /* (M, W) */
        real *masked;           /* (M, H) previous s under recurrent dropout */
        real *d_state;          /* (M, W) */
        real *start, *d_start;  /* (B, W) */
        real *normal, *scale;   /* (M, slots * H), (M, slots) of the layer norm */
    } layer[DECODER_LAYERS];
    real *top, *d_top;                /* (M, H) output of the top layer */
    real *after, *fed, *d_r;          /* (M, H + Q), (M, H), (M, H) luong */
    real *pre, *o, *d_o;              /* (M, RR) luong, (M, R), (M, R) */
    real *context, *d_context;        /* (M, C) direct form */
    real *weight;                     /* (M, G S) the attention */
    real *carry, *d_carry, *no_carry; /* (M, carry), (M, carry), (B, carry) zeros */
    real *d_no_carry;                 /* (B, carry) what nobody asks for */
    real *fixed, *d_fixed;            /* (B, C) `none` */
    int *span_start, *span_length;    /* (B) `none` */
    real *projected, *d_projected;    /* (N, D + P) */
    real *d_value;                    /* (N, C) direct form */
    real *first[DECODER_LAYERS];      /* (B, H or C) what start states are made from */
    real *d_first;
    real *d_weight, *d_query, *d_mask; /* (B, G S), (B, Q), (B, H) work space */
    real *d_share;                     /* (team, shares) gradients that threads add up apart */
    struct cross_entropy_tape output;
    struct copy_tape copy;
};

void decoder_declare(struct decoder *, struct param_set *, const struct model_config *,
                     const struct embedding *source);
void decoder_bind(struct decoder *, struct arena *, enum packing packing);
void decoder_pack(struct decoder *, struct compute *, bool training);

/* ---- Teacher forcing, by the whole team; the team has met when a function returns ---- */

void decoder_tape_bind(struct decoder_tape *, struct arena *, const struct decoder *,
                       const struct batch *, int team, bool training);
/* `encoded` has run forward. */
void decoder_forward(const struct decoder *, struct decoder_tape *, struct compute *,
                     const struct batch *, const struct encoder_tape *encoded,
                     const struct dropouts *);
struct decoder_loss {
    double smoothing, scale; /* see nn/cross_entropy.h */
    bool gradient;
    bool choose;      /* leave the likeliest word of each row in the batch's target_choice */
    double *row_loss; /* (target_rows) gets the loss of each row, unless NULL */
};
double decoder_loss(const struct decoder *, struct decoder_tape *, struct compute *,
                    const struct batch *, const struct decoder_loss *);
/* Overwrites the encoder tape's d_memory, and d_last when start states are copied. */
void decoder_backward(const struct decoder *, struct decoder_tape *, struct compute *,
                      const struct batch *, struct encoder_tape *encoded, const struct dropouts *);

/* ---- Step by step, by one thread: what search uses ---- */

/* What the memory of a batch is made in. */
struct decoder_begin {
    real *fixed, *first;           /* (B, C), (B, C) work space */
    int *span_start, *span_length; /* (B) */
    real *projected;               /* (N, projected width) */
    struct copy_source copies;     /* when words can be copied */
};
void decoder_begin_bind(struct decoder_begin *, struct arena *, const struct decoder *,
                        const struct batch *);
/* Fills in the memory and the records (B, record) of the start. */
void decoder_begin(const struct decoder *, struct compute *, const struct decoder_begin *,
                   const struct batch *, const struct encoder_tape *encoded,
                   struct decoder_memory *memory, struct view record);

/* One step of `rows` hypotheses. Those that part continue one state. */
struct decoder_step {
    int rows, states;
    const int *state;                    /* (rows) the state that each continues */
    const int *token;                    /* (rows) y_{t-1} */
    const int *sentence;                 /* (rows) whose translation */
    const int *state_sentence;           /* (states) the same */
    struct view previous, next;          /* (states, record) in, (rows, record) out */
    struct view weight;                  /* (rows, G S) out */
    struct logits logits;                /* (rows) out */
    struct token_table *tokens;          /* see nn/token_table.h; or NULL */
    real *work;                          /* decoder_step_work numbers */
    real *gate;                          /* (rows) out, of copying; or NULL */
    const struct attention_focus *focus; /* (sentences) weights asked for; or NULL */
    const struct decoder_seen *seen;     /* or NULL; then each row has a state of its own */
};
/* What a step can show beside its results; out, a view with at = NULL is not wanted. */
struct decoder_seen {
    struct view score; /* (rows, G S) see nn/attention.h */
    struct view state; /* (rows, H) that asks */
    struct view query; /* (rows, Q) */
};
/* For at most `rows` hypotheses of sources up to S, as decoder_memory has it. */
size_t decoder_step_work(const struct decoder *, int rows, int S);
void decoder_step(const struct decoder *, struct compute *, const struct decoder_memory *,
                  const struct decoder_step *);

#endif
