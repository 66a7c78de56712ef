/* Long short-term memory with a forget gate (Hochreiter and Schmidhuber 1997, Gers et al. 2000):
 *
 *     i = sigmoid(W_i x + U_i s + b_i)     f = sigmoid(W_f x + U_f s + b_f)
 *     g = tanh(W_g x + U_g s + b_g)        o = sigmoid(W_o x + U_o s + b_o)
 *     c' = f c + i g                       s' = o tanh(c')
 *
 * Frame: [ i | f | g | o ]. State: [ s | c ]. Backward computes tanh(c') again. */
#include "nn/cell.h"
#include "tensor/vec.h"

/* Pointers to the slots of row i. */
#define SLOTS(frame, i, H)                                                                         \
    real *const i_ = (frame).at + (i) * (frame).row, *const f_ = i_ + (H), *const g_ = f_ + (H),   \
                *const o_ = g_ + (H)

SIMD_BODY void forward_body(struct view frame, struct view previous, struct view state)
{
    const int H = state.cols / 2;
    for (int row = 0; row < state.rows; row++) {
        SLOTS(frame, row, H);
        const real *c = previous.at + row * previous.row + H;
        real *out = state.at + row * state.row, *c_out = out + H;
#pragma omp simd
        for (int h = 0; h < H; h++) {
            const real i = fast_sigmoid(i_[h]), f = fast_sigmoid(f_[h]), o = fast_sigmoid(o_[h]);
            const real g = fast_tanh(g_[h]), memory = f * c[h] + i * g;
            c_out[h] = memory;
            out[h] = o * fast_tanh(memory);
            i_[h] = i;
            f_[h] = f;
            g_[h] = g;
            o_[h] = o;
        }
    }
}
SIMD_STATIC(forward, (struct view frame, struct view previous, struct view state),
            (frame, previous, state))

SIMD_BODY void backward_body(struct view frame, struct view previous, struct view state,
                             struct view d_state, struct view d_previous)
{
    const int H = state.cols / 2;
    for (int row = 0; row < state.rows; row++) {
        SLOTS(frame, row, H);
        const real *c = previous.at + row * previous.row + H;
        const real *c_out = state.at + row * state.row + H;
        const real *d = d_state.at + row * d_state.row, *d_c_out = d + H;
        real *d_c = d_previous.at + row * d_previous.row + H;
#pragma omp simd
        for (int h = 0; h < H; h++) {
            const real i = i_[h], f = f_[h], g = g_[h], o = o_[h], shown = fast_tanh(c_out[h]);
            /* s' = o tanh(c') */
            const real d_o = d[h] * shown;
            const real d_memory = d_c_out[h] + d[h] * o * (1 - shown * shown);
            /* c' = f c + i g */
            const real d_i = d_memory * g, d_f = d_memory * c[h], d_g = d_memory * i;
            d_c[h] += d_memory * f;
            /* i, f, o = sigmoid, g = tanh */
            i_[h] = d_i * i * (1 - i);
            f_[h] = d_f * f * (1 - f);
            g_[h] = d_g * (1 - g * g);
            o_[h] = d_o * o * (1 - o);
        }
    }
}
SIMD_STATIC(backward,
            (struct view frame, struct view previous, struct view state, struct view d_state,
             struct view d_previous),
            (frame, previous, state, d_state, d_previous))

const struct cell_ops cell_lstm = {
    .name = "lstm",
    .help = "long short-term memory with a forget gate (Gers et al. 2000)",
    .slots = 4,
    .slot_name = {"input", "forget", "candidate", "output"},
    .input_slots = 4,
    .state_from = 0,
    .state_slots = 4,
    .states = 2,
    .forget_slot = 1,
    .forward = forward,
    .backward = backward,
};
