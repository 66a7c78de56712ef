/* The plain recurrent unit (Elman 1990): s' = tanh(W x + U s + b). One slot. */
#include "nn/cell.h"
#include "tensor/vec.h"

SIMD_BODY void forward_rows_body(struct view frame, struct view state)
{
    for (int i = 0; i < state.rows; i++) {
        real *a = frame.at + i * frame.row, *out = state.at + i * state.row;
#pragma omp simd
        for (int h = 0; h < state.cols; h++) {
            const real s = fast_tanh(a[h]);
            a[h] = s;
            out[h] = s;
        }
    }
}
SIMD_STATIC(forward_rows, (struct view frame, struct view state), (frame, state))

static void forward(struct view frame, struct view previous, struct view state)
{
    (void)previous;
    forward_rows(frame, state);
}

SIMD_BODY void backward_rows_body(struct view frame, struct view d_state)
{
    for (int i = 0; i < d_state.rows; i++) {
        real *a = frame.at + i * frame.row;
        const real *d = d_state.at + i * d_state.row;
#pragma omp simd
        for (int h = 0; h < d_state.cols; h++)
            a[h] = d[h] * (1 - a[h] * a[h]);
    }
}
SIMD_STATIC(backward_rows, (struct view frame, struct view d_state), (frame, d_state))

/* The gradient reaches the previous state only through U. */
static void backward(struct view frame, struct view previous, struct view state,
                     struct view d_state, struct view d_previous)
{
    (void)previous, (void)state, (void)d_previous;
    backward_rows(frame, d_state);
}

const struct cell_ops cell_tanh = {
    .name = "tanh",
    .help = "plain recurrent unit without gates (Elman 1990)",
    .slots = 1,
    .input_slots = 1,
    .state_from = 0,
    .state_slots = 1,
    .states = 1,
    .forget_slot = -1,
    .forward = forward,
    .backward = backward,
};
