/* One recurrent layer in one direction over a batch without padding.
 *
 *     frame_t = b + x_t W_input + s_{t-1} U_state      (each share in its own slots, see nn/cell.h)
 *     s_t     = cell(frame_t, s_{t-1})                 s before the first step is 0
 *
 * One batch: input (team), forward (each lane alone), [team meets]; in reverse: backward (each lane
 * alone), end (team). Dims: X input width, H state width, F = slots * H frame width, N rows of all
 * lanes, B sequences of all lanes. */
#ifndef ATTEND_NN_RNN_H
#define ATTEND_NN_RNN_H

#include "nn/cell.h"
#include "nn/linear.h"
#include "nn/steps.h"

struct rnn {
    const struct cell_ops *cell;
    int X, H;
    struct param W_input;     /* (X, input_slots * H) */
    struct param U_state;     /* (H, state_slots * H) */
    struct param bias;        /* (F) */
    struct packed input;      /* W_input, rearranged */
    struct packed state;      /* U_state */
    struct packed state_back; /* U_state transposed; only when training */
};

struct rnn_tape {
    real *frame;    /* (N, F) activations; after backward the gradient of the pre-activations */
    real *previous; /* (N, H) the state that each row started from */
    real *state;    /* (N, H) */
    real *d_state;  /* (N, H) in: what the layers above ask for; backward adds the recurrent part */
    real *d_previous; /* (B, H) work space of backward */
    int N;
};

void rnn_declare(struct rnn *, struct param_set *, const char *path, const struct cell_ops *, int X,
                 int H);
/* Room for the rearranged weights; filled by rnn_pack. */
void rnn_bind(struct rnn *, struct arena *, bool training);
void rnn_pack(struct rnn *, struct compute *, bool training);

void rnn_tape_bind(struct rnn_tape *, struct arena *, const struct rnn *, int N, int B,
                   bool training);
void rnn_input(const struct rnn *, struct rnn_tape *, struct compute *, struct view x);
void rnn_forward(const struct rnn *, struct rnn_tape *, struct gemm_scratch *, const struct steps *,
                 bool reverse);
void rnn_backward(const struct rnn *, struct rnn_tape *, struct gemm_scratch *,
                  const struct steps *, bool reverse);
/* d_x: (N, X), overwritten or added to; every parameter's gradient is added to. */
void rnn_end(const struct rnn *, struct rnn_tape *, struct compute *, struct view x,
             struct view d_x, bool add);

#endif
