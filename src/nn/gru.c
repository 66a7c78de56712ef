/* Gated recurrent unit (Cho et al. 2014). The reset gate is applied after the product, so that one
 * product serves all gates:
 *
 *     r = sigmoid(W_r x + U_r s + b_r)     z = sigmoid(W_z x + U_z s + b_z)
 *     u = U_n s + c_n                      n = tanh(W_n x + b_n + r u)
 *     s' = (1 - z) n + z s
 *
 * Frame: [ n | r | z | u ]. The input's columns n r z are adjacent, and so are the state's columns
 * r z u; the same holds for their gradients. */
#include "nn/cell.h"
#include "tensor/vec.h"

/* Pointers to the slots of row i. */
#define SLOTS(frame, i, H)                                                                         \
    real *const n_ = (frame).at + (i) * (frame).row, *const r_ = n_ + (H), *const z_ = r_ + (H),   \
                *const u_ = z_ + (H)

SIMD_BODY void forward_body(struct view frame, struct view previous, struct view state)
{
    const int H = state.cols;
    for (int i = 0; i < state.rows; i++) {
        SLOTS(frame, i, H);
        const real *s = previous.at + i * previous.row;
        real *out = state.at + i * state.row;
#pragma omp simd
        for (int h = 0; h < H; h++) {
            const real r = fast_sigmoid(r_[h]), z = fast_sigmoid(z_[h]);
            const real n = fast_tanh(n_[h] + r * u_[h]);
            out[h] = n + z * (s[h] - n);
            n_[h] = n;
            r_[h] = r;
            z_[h] = z;
        }
    }
}
SIMD_STATIC(forward, (struct view frame, struct view previous, struct view state),
            (frame, previous, state))

SIMD_BODY void backward_rows_body(struct view frame, struct view previous, struct view d_state,
                                  struct view d_previous)
{
    const int H = d_state.cols;
    for (int i = 0; i < d_state.rows; i++) {
        SLOTS(frame, i, H);
        const real *s = previous.at + i * previous.row, *d = d_state.at + i * d_state.row;
        real *d_s = d_previous.at + i * d_previous.row;
#pragma omp simd
        for (int h = 0; h < H; h++) {
            const real n = n_[h], r = r_[h], z = z_[h], u = u_[h];
            /* s' = n + z (s - n) */
            const real d_n = d[h] * (1 - z), d_z = d[h] * (s[h] - n);
            d_s[h] += d[h] * z;
            /* n = tanh(a + r u), r and z = sigmoid */
            const real d_a = d_n * (1 - n * n);
            n_[h] = d_a;
            r_[h] = d_a * u * r * (1 - r);
            z_[h] = d_z * z * (1 - z);
            u_[h] = d_a * r;
        }
    }
}
SIMD_STATIC(backward_rows,
            (struct view frame, struct view previous, struct view d_state, struct view d_previous),
            (frame, previous, d_state, d_previous))

static void backward(struct view frame, struct view previous, struct view state,
                     struct view d_state, struct view d_previous)
{
    (void)state;
    backward_rows(frame, previous, d_state, d_previous);
}

const struct cell_ops cell_gru = {
    .name = "gru",
    .help = "gated recurrent unit (Cho et al. 2014), reset gate after the product",
    .slots = 4,
    .slot_name = {"candidate", "reset", "update"},
    .input_slots = 3,
    .state_from = 1,
    .state_slots = 3,
    .states = 1,
    .forget_slot = -1,
    .forward = forward,
    .backward = backward,
};
