/* One recurrent layer in one direction over a batch without padding.
 *
 *     frame_t = b + x_t W_input + s_{t-1} U_state      (each part in its own slots, see nn/cell.h)
 *     s_t     = cell(frame_t, s_{t-1})                 s before the first step is 0
 *
 * With `normalize`, layer normalization (gain and b) is applied to each slot of x_t W_input +
 * s_{t-1} U_state before the cell. With a mask, U_state multiplies s_{t-1} * mask; the mask is the
 * same at every step of a sentence, and the cell still reads s_{t-1} itself.
 *
 * Order of calls for a batch: input (team), [team meets], forward (each lane alone), [team meets];
 * then backward (each lane alone), [team meets], end (team). Dims: X input width, H state width, W
 * = states * H state row, F = slots * H frame width, N rows of all lanes, B sequences of all
 * lanes. */
#ifndef ATTEND_NN_RNN_H
#define ATTEND_NN_RNN_H

#include "nn/cell.h"
#include "nn/dropout.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/token_table.h"
#include "nn/steps.h"

struct rnn {
    const struct cell_ops *cell;
    int X, H;
    bool normalize;
    struct param W_input;     /* (X, input_slots * H) */
    struct param U_state;     /* (H, state_slots * H) */
    struct param bias;        /* (F); the columns of the forget slot start at 1 */
    struct layer_norm norm;   /* only with normalize */
    struct packed input;      /* W_input, packed */
    struct packed state;      /* U_state, packed */
    struct packed state_back; /* U_state transposed, packed; only for training */
};

struct rnn_tape {
    real *frame;      /* (N, F) activations; after backward, the gradient of the pre-activations */
    real *previous;   /* (N, W) the state before each row */
    real *state;      /* (N, W) */
    real *normal;     /* (N, F) and */
    real *scale;      /* (N, slots): kept by layer_norm; only with normalize */
    real *d_state;    /* (N, W) in: the gradient from the layers above, 0 in unread parts; backward
                       * adds the recurrent part */
    real *masked;     /* (N, H) the state that U_state multiplied, if there was a mask */
    real *d_previous; /* (B, W) scratch of backward */
    real *d_masked;   /* (B, H) scratch of backward with a mask */
    real *d_gain, *d_bias; /* (team, F) one row per thread; only with normalize */
    int N, team;
    bool used_mask; /* in the last forward */
};

/* Dropout of the state on its way into U_state (Gal and Ghahramani 2016). */
struct rnn_mask {
    const struct dropout *dropout;
    int site;
    const int *place; /* (N, 2) sentence and position of each row */
};

void rnn_declare(struct rnn *, struct param_set *, const char *path, const struct cell_ops *, int X,
                 int H, bool normalize);
/* Bind the packed weights, which rnn_pack fills. */
void rnn_bind(struct rnn *, struct arena *, enum packing packing);
void rnn_pack(struct rnn *, struct compute *, bool training);

/* Without `training` there is nothing for backward, and no mask. team: the largest number of
 * threads. */
void rnn_tape_bind(struct rnn_tape *, struct arena *, const struct rnn *, int N, int B, int team,
                   bool training);
void rnn_input(const struct rnn *, struct rnn_tape *, struct compute *, struct view x);
/* The same for embeddings of tokens, on one thread; see tokens_work(rnn_tokens(...), N). */
struct tokens rnn_tokens(const struct rnn *, const struct embedding *, struct token_table *);
void rnn_input_tokens(const struct rnn *, struct rnn_tape *, struct compute *,
                      const struct tokens *, const int *token, real *work);
/* mask: NULL, or rate 0 for none; the same for all lanes, in forward and backward. Every member of
 * the team calls forward, even if its lane is empty. */
void rnn_forward(const struct rnn *, struct rnn_tape *, struct compute *, const struct steps *,
                 bool reverse, const struct rnn_mask *mask);
void rnn_backward(const struct rnn *, struct rnn_tape *, struct compute *, const struct steps *,
                  bool reverse, const struct rnn_mask *mask);
/* d_x: (N, X), overwritten or added to; the gradients of all parameters are added to. */
void rnn_end(const struct rnn *, struct rnn_tape *, struct compute *, struct view x,
             struct view d_x, bool add);

#endif
