/* The decoder: recurrent layers that attend, P(y_t) = softmax(W o_t + b), mixed with the weights
 * a_t where words can be copied (nn/copy.h). If the target is strokes, y_t is a row of numbers and
 * P(y_t) a mixture of Gaussians; model/decoder_strokes.c has these two ends. If the attention is
 * hard, P(y_t) is a sum over the positions that it may look at; model/decoder_hard.c has that end.
 *
 * Which layer asks the attention and which reads the context is the model's placement: model/
 * placement.h describes the layers, model/placement_<name>.c has the formulas of each placement.
 * model/decoder_layers.c runs one step through the layers, forward and backward; model/
 * decoder_train.c does that for a batch, model/decoder_step.c for the hypotheses of a search.
 *
 * The readout is o_t = f(W_s s_t + W_c c_t + W_e emb(y_{t-1}) + b), or f(W r_t + b) with an
 * attentional vector r; f is the identity, tanh or maxout. With residual links, s_t in these
 * formulas, and in that of r, is the output of the top layer: its state plus its input.
 *
 * A step computes in frames: rows in which each product writes adjacent columns. The frame of a
 * layer is
 *
 *     readout | cell slots, the input's first | query
 *
 * with readout columns if the layer reads the word or the context (none with a vector), and query
 * columns if it asks. W_c c_t and the readout's share of the context are adjacent, and so are U s
 * and W_query s. The pre-activation of the readout is computed in the frame that reads the context;
 * if another layer reads the word, its share is added from there.
 *
 * W c_t = sum_j a_tj (W h_j): the annotations are projected once, to [key | values], and the values
 * are pooled straight into the frame. In the direct form, contexts are pooled and then projected at
 * every step. Multiple heads need it, and training uses it for a batch with so many more source
 * than target words that it is cheaper. Everything that does not depend on the recurrence is one
 * product over all rows, before or after the loop; so are all weight gradients.
 *
 * With skip links (Graves 2013), every cell that reads the layer below also reads the word and the
 * context, and the readout also reads what these cells read from below. The input of layer l is then
 * x W_input + emb W_word + c W_context, and the readout's pre-activation adds x R_below for each l.
 *
 * Dims: N source rows, M target rows, B sentences, E, H, C, R as everywhere; W = states * H a state
 * row, I = input slots * H, RR readout before f (2 R for maxout), Q and D query and key width, P
 * pooled width (readout columns and I of the layer that reads the context; a vector has I = H), G
 * heads, S longest source. */
#ifndef ATTEND_MODEL_DECODER_H
#define ATTEND_MODEL_DECODER_H

#include "model/batch.h"
#include "model/config.h"
#include "model/dropouts.h"
#include "model/encoder.h"
#include "model/placement.h"
#include "nn/alignments.h"
#include "nn/attention.h"
#include "nn/cell.h"
#include "nn/copy.h"
#include "nn/cross_entropy.h"
#include "nn/embedding.h"
#include "nn/guide.h"
#include "nn/layer_norm.h"
#include "nn/logits.h"
#include "nn/mixture.h"
#include "nn/projection.h"

enum { DECODER_LAYERS = CONFIG_LAYERS + 1 };

/* A layer of the description, from the first to the last: cells, then the vector if there is one.
 */
struct decoder_layer {
    struct placement_layer plan;
    const struct cell_ops *cell;     /* the model's, or decoder_vector */
    int state_number;                /* index of the kept state that it updates */
    int first_cell, last_cell;       /* the first and last layer that update this state */
    struct decoder_columns {         /* of its frame */
        int readout;                 /* RR or 0: columns 0 .. readout - 1 */
        int slots, input;            /* slots * H and input slots * H, from `readout` on */
        int state, state_from;       /* state slots * H, from `state_from` on */
    } columns;                       /* the query's Q columns, if it asks, are last */
    struct param W_input;            /* (E or H, I) if the word or the layer below is read */
    struct param W_word;             /* (E, I) skip links: the word beside the layer below */
    struct param W_context;          /* (C, I) if the context is read */
    struct param R_below;            /* (H, RR) skip links: the readout reads x */
    struct param U_state, bias;      /* (H, state slots * H), (slots * H); a vector has no bias */
    struct layer_norm norm;          /* of a cell, if the model normalizes */
    struct packed input, input_back; /* if the layer below is read: inside the loop */
    struct packed state, state_back; /* [U_state | W_query if the layer asks] */
    struct packed context, context_back; /* direct form: what multiplies the context */
    struct packed word, read;            /* W_word, R_below */
    int values;                          /* its first column among the values */
    real *frame_bias;                    /* (frame) */
};

struct decoder {
    const struct cell_ops *cell;
    int layers, states;  /* layers of the description; number of kept states */
    int top;             /* the last layer that is a cell */
    int asking, reading; /* the layer that asks, and the one that reads the context */
    bool asks_first;     /* a kept state asks, so attention need not wait for the word */
    bool vector;         /* the last layer is a vector */
    int E, H, C, R, RR;
    bool feeding, residual, normalize, skip;
    bool direct; /* always the direct form */
    bool writes; /* the target is strokes: stroke and pen instead of embedding and output */
    bool hard;   /* the attention is: every position has an output */
    enum start start;
    enum readout readout;
    struct embedding own_embedding; /* unless it is tied to the encoder's */
    const struct embedding *embedding;
    struct projection stroke;                                      /* (3, E) */
    struct param W_start[DECODER_LAYERS], b_start[DECODER_LAYERS]; /* (H or C, H), (H) */
    struct decoder_layer layer[DECODER_LAYERS];
    struct param W_feed; /* (H, I) input feeding */
    struct attention attention;
    struct param R_state;            /* (H, RR) reads the top output, or the vector */
    struct param R_context, R_input; /* (C, RR), (E, RR); not with a vector */
    struct param b_readout;          /* (RR) */
    struct cross_entropy output;
    struct mixture pen;
    struct copy copy; /* if the model copies words */
    struct packed start_w[DECODER_LAYERS];
    struct packed project; /* [W_key | values] */
    struct packed key;     /* direct form: W_key */
    struct packed embed;   /* [R_input | W_input]; with a vector, W_input */
    struct packed feed, feed_back;
    struct packed read; /* R_state */
};

/* The source as the decoder sees it. */
struct decoder_memory {
    const int *start, *length; /* (B) rows of each sentence */
    struct view annotation;    /* (N, C); of `none`: (B, C), the fixed contexts */
    struct view projected;     /* (N, D + P), or (N, D) in the direct form */
    int S;                     /* longest */
    struct copy_source copies; /* if the model copies words */
};

/* The record that a hypothesis takes from step to step, in one row: states of all layers, r, the
 * attention's carry; of hard attention also (S, V) the logarithm of P(a_t = j, y_t = k | y_<t), of
 * which the next step reads the column of the word that was chosen. */
int decoder_record_width(const struct decoder *, int S);
/* Columns of weights: G S. For `none`, S = 1. */
int decoder_weight_width(const struct decoder *, int S);
int decoder_projected_width(const struct decoder *, bool direct);
/* S of the memory for a batch whose longest source is S. */
int decoder_memory_span(const struct decoder *, int S);

/* Hard attention: what forward and the loss leave for backward, and workspace. A pair is a row of
 * the target at one source position; the pairs of a row are adjacent, and rows come in order. X is
 * the width of what the output reads at a position: H with a vector, otherwise RR. */
struct hard_tape {
    real *score, *soft;                  /* (M, S) e and its softmax */
    real *base;                          /* (M, H) with a vector: W_s s, then its gradient, then
                                          * that of the mean context */
    real *d_score, *d_query;             /* (M, S), (M, Q) */
    real *d_value, *d_jump;              /* (N, X), (N, Q) */
    struct dropout drop;                 /* of the readout, from forward */
    int *sentence;                       /* (M) */
    int *from;                           /* (M + 1) the first pair of each row */
    double *loss, *filtered, *posterior; /* (pairs) see nn/alignments.h */
    double *log_probability;             /* (M) of the words */
    double *work;                        /* (team, .) */
    int pairs;                           /* Z: this many are computed together */
    int *target, *place;                 /* (Z), (Z, 2) */
    real *r, *d_r;                       /* (Z, H), (Z, H) with a vector */
    real *pre, *o, *d_o;                 /* (Z, RR), (Z, R), (Z, R) */
};

struct decoder_tape {
    bool direct;       /* the form that is used for this batch */
    real *emb, *d_emb; /* (M, E) */
    struct decoder_layer_tape {
        real *frame;            /* (M, frame) */
        real *x, *d_x;          /* (M, H) output of the layer below, where it is read */
        real *previous, *state; /* (M, W); a vector's state is r (M, H) */
        real *masked;           /* (M, H) previous s under recurrent dropout */
        real *d_state;          /* (M, W); a vector's (M, H) */
        real *start, *d_start;  /* (B, W) */
        real *normal, *scale;   /* (M, slots * H), (M, slots) of the layer norm */
    } layer[DECODER_LAYERS];
    real *top, *d_top;                /* (M, H) output of the top layer */
    real *fed;                        /* (M, H) input feeding: r of the step before */
    real *pre, *o, *d_o;              /* (M, RR) with a vector, (M, R), (M, R) */
    real *context, *d_context;        /* (M, C) direct form */
    real *weight;                     /* (M, G S) the attention; if hard, its posterior */
    real *carry, *d_carry, *no_carry; /* (M, carry), (M, carry), (B, carry) zeros */
    real *d_no_carry;                 /* (B, carry) written but never read */
    real *fixed, *d_fixed;            /* (B, C) `none` */
    int *span_start, *span_length;    /* (B) `none` */
    real *projected, *d_projected;    /* (N, D + P) */
    real *d_value;                    /* (N, C) direct form */
    real *first[DECODER_LAYERS];      /* (B, H or C) input of the start states */
    real *d_first;
    real *d_weight, *d_query, *d_mask; /* (B, G S), (B, Q), (B, H) workspace */
    real *d_weight_part;               /* (B, G S) of one of several readers; skip links */
    real *d_share;                     /* (team, shares) sums private to each thread */
    double guide;                      /* factor of the gradient of the guide's loss */
    struct cross_entropy_tape output;
    struct mixture_tape pen;
    struct copy_tape copy;
    struct hard_tape hard;
};

void decoder_declare(struct decoder *, struct param_set *, const struct attend_network_options *,
                     const struct embedding *source);
void decoder_bind(struct decoder *, struct arena *, enum packing packing);
void decoder_pack(struct decoder *, struct compute *, bool training);

/* ---- Teacher forcing, by the whole team; each function ends with a barrier ---- */

void decoder_tape_bind(struct decoder_tape *, struct arena *, const struct decoder *,
                       const struct batch *, int team, bool training);
/* `encoded` must have run forward. */
void decoder_forward(const struct decoder *, struct decoder_tape *, struct compute *,
                     const struct batch *, const struct encoder_tape *encoded,
                     const struct dropouts *);
struct decoder_loss {
    double smoothing, scale; /* see nn/cross_entropy.h; strokes ignore smoothing and choose */
    bool gradient;
    bool choose;         /* write the likeliest word of each row to the batch's target_choice */
    double *row_loss;    /* (target_rows) out: the loss of each row; or NULL */
    double guide;        /* weight of the loss of the attention against the batch's links */
    const double *share; /* (target_rows) of hard attention: factor of each row's loss in the sum;
                          * NULL: 1 */
};
double decoder_loss(const struct decoder *, struct decoder_tape *, struct compute *,
                    const struct batch *, const struct decoder_loss *);
/* Whether `choose` has an effect. */
static inline bool decoder_chooses(const struct decoder *d) { return !d->writes && !d->hard; }
/* Overwrites the encoder tape's d_memory, and d_last when start states are copied. */
void decoder_backward(const struct decoder *, struct decoder_tape *, struct compute *,
                      const struct batch *, struct encoder_tape *encoded, const struct dropouts *);

/* ---- Step by step, by one thread, for search ---- */

/* Buffers for the memory of a batch. */
struct decoder_begin {
    real *fixed, *first;           /* (B, C), (B, C) workspace */
    int *span_start, *span_length; /* (B) */
    real *projected;               /* (N, projected width) */
    struct copy_source copies;     /* if the model copies words */
};
void decoder_begin_bind(struct decoder_begin *, struct arena *, const struct decoder *,
                        const struct batch *);
/* Fill in the memory and the start records (B, record). */
void decoder_begin(const struct decoder *, struct compute *, const struct decoder_begin *,
                   const struct batch *, const struct encoder_tape *encoded,
                   struct decoder_memory *memory, struct view record);

/* One step of `rows` hypotheses; several can continue one state. */
struct decoder_step {
    int rows, states;
    const int *state;                    /* (rows) the state that each continues */
    const int *token;                    /* (rows) y_{t-1} */
    const int *sentence;                 /* (rows) the sentence of each */
    const int *state_sentence;           /* (states) the sentence of each */
    struct view previous, next;          /* (states, record) in, (rows, record) out */
    struct view weight;                  /* (rows, G S) out */
    struct logits logits;                /* (rows) out */
    const struct logits_words *words;    /* the words of each sentence; NULL: all */
    struct view stroke, pen;             /* (rows, 3) in and (rows, Y) out, see nn/mixture.h; they
                                          * replace token and logits if the decoder writes */
    struct token_table *tokens;          /* see nn/token_table.h; or NULL */
    real *work;                          /* decoder_step_work numbers */
    real *gate;                          /* (rows) out, of copying; or NULL */
    const struct attention_focus *focus; /* (sentences) given weights; or NULL */
    const struct decoder_seen *seen;     /* or NULL; then each row has a state of its own */
};
/* Optional results of a step, out; a view with at = NULL is not wanted. */
struct decoder_seen {
    struct view score; /* (rows, G S) see nn/attention.h */
    struct view state; /* (rows, H) the state that asks */
    struct view query; /* (rows, Q) */
    struct view gates; /* (rows, slots * H) the slots of the top cell (nn/cell.h) */
};
/* The workspace for at most `rows` hypotheses of sources up to S, the span of the memory. */
size_t decoder_step_work(const struct decoder *, int rows, int S);
void decoder_step(const struct decoder *, struct compute *, const struct decoder_memory *,
                  const struct decoder_step *);
/* Turn the weights of a row (G S) that a step has left into those that are known once the word is:
 * for hard attention, P(a_t | y_<=t) instead of P(a_t | y_<t). Others stay as they are. `next` is the
 * row's record. */
void decoder_see_word(const struct decoder *, const struct decoder_memory *, int sentence,
                      const real *next, int word, real *weight);

#endif
