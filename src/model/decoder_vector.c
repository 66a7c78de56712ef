/* The attentional vector as a cell without memory (Luong et al. 2015): r = tanh(frame), where the
 * frame holds W_c c + W_s s. It has one slot. It is not in the table of cells because a user cannot
 * choose it. nn/tanh.c computes the same in SIMD code, which rounds differently: using it would
 * change the last digits of every model with this placement. */
#include "model/decoder_parts.h"

#include "tensor/vec.h"

#include <string.h>

static void forward(struct view frame, struct view previous, struct view state)
{
    (void)previous;
    for (int i = 0; i < state.rows; i++) {
        real *a = frame.at + i * frame.row;
        vec_tanh(a, (size_t)state.cols);
        memcpy(state.at + i * state.row, a, (size_t)state.cols * sizeof(real));
    }
}

/* r = tanh(frame). The gradient reaches s through W_s. */
static void backward(struct view frame, struct view previous, struct view state,
                     struct view d_state, struct view d_previous)
{
    (void)previous, (void)state, (void)d_previous;
    for (int i = 0; i < d_state.rows; i++) {
        real *a = frame.at + i * frame.row;
        const real *d = d_state.at + i * d_state.row;
        for (int h = 0; h < d_state.cols; h++)
            a[h] = d[h] * (1 - a[h] * a[h]);
    }
}

const struct cell_ops decoder_vector = {
    .name = "vector",
    .slots = 1,
    .input_slots = 1,
    .state_from = 0,
    .state_slots = 1,
    .states = 1,
    .forget_slot = -1,
    .forward = forward,
    .backward = backward,
};
