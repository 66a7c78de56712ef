/* Each cell against its formula, and properties of every cell in the table. */
#include "nn/cell.h"

#include "base/rng.h"
#include "nn/gradcheck.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* One step of M rows. H is two float vectors and a remainder. Slabs are wider than what the cell
 * may touch, as in the decoder. */
enum { M = 3, H = 19, SLOTS = 6, STATES = 2, FRAME = SLOTS * H + 5, STATE = STATES * H + 2 };
struct fixture {
    const struct cell_ops *cell;
    real input[M * FRAME], frame[M * FRAME]; /* pre-activations, and the result of forward */
    real previous[M * STATE], state[M * STATE];
    real d_state[M * STATE], d_previous[M * STATE];
};

static void fill_random(real *x, size_t n, uint64_t key, double scale)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(scale * (2 * rng_uniform(key, i) - 1));
}

static void fixture_init(struct fixture *f, const struct cell_ops *cell, double scale)
{
    assert_true(cell->slots <= SLOTS && cell->states <= STATES);
    f->cell = cell;
    fill_random(f->input, M * FRAME, 1, scale);
    fill_random(f->previous, M * STATE, 2, 1);
    fill_random(f->state, M * STATE, 3, 1);
    fill_random(f->d_state, M * STATE, 4, 1);
    fill_random(f->d_previous, M * STATE, 5, 1);
}

static struct view frame_view(struct fixture *f, real *at)
{
    return view_strided(at, M, f->cell->slots * H, FRAME);
}

static struct view state_view(struct fixture *f, real *at)
{
    return view_strided(at, M, f->cell->states * H, STATE);
}

static double forward(void *context)
{
    struct fixture *f = context;
    memcpy(f->frame, f->input, sizeof f->input);
    f->cell->forward(frame_view(f, f->frame), state_view(f, f->previous), state_view(f, f->state));
    double sum = 0;
    for (int i = 0; i < M; i++)
        for (int h = 0; h < f->cell->states * H; h++)
            sum += (double)f->d_state[i * STATE + h] * (double)f->state[i * STATE + h];
    return sum;
}

static void backward(struct fixture *f)
{
    f->cell->backward(frame_view(f, f->frame), state_view(f, f->previous), state_view(f, f->state),
                      state_view(f, f->d_state), state_view(f, f->d_previous));
}

/* ---- The gated recurrent unit ---- */

static const double EXACT = sizeof(real) == sizeof(double) ? 1e-14 : 1e-5;

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

TEST(gru_forward_matches_its_formula)
{
    for (int size = 0; size < 3; size++) {
        struct fixture f;
        fixture_init(&f, &cell_gru, pow(10, size));
        forward(&f);
        for (int i = 0; i < M; i++)
            for (int h = 0; h < H; h++) {
                const real *a = f.input + i * FRAME + h;
                const double r = sigmoid((double)a[H]), z = sigmoid((double)a[2 * H]);
                const double n = tanh((double)a[0] + r * (double)a[3 * H]);
                const double s = (double)f.previous[i * STATE + h];
                assert_near((double)f.state[i * STATE + h], (1 - z) * n + z * s, EXACT);
            }
    }
}

TEST(gru_keeps_its_state_when_the_update_gate_is_closed)
{
    struct fixture f;
    fixture_init(&f, &cell_gru, 1);
    for (int i = 0; i < M; i++)
        for (int h = 0; h < H; h++)
            f.input[i * FRAME + 2 * H + h] = h % 2 ? 60 : -60; /* z = 1, z = 0 */
    forward(&f);
    for (int i = 0; i < M; i++)
        for (int h = 0; h < H; h++) {
            const real kept = f.previous[i * STATE + h], fresh = f.frame[i * FRAME + h];
            assert_near((double)f.state[i * STATE + h], (double)(h % 2 ? kept : fresh), 1e-6);
        }
}

TEST(gru_stays_within_one_however_large_its_input)
{
    struct fixture f;
    fixture_init(&f, &cell_gru, 1e4);
    forward(&f);
    for (int i = 0; i < M; i++)
        for (int h = 0; h < H; h++)
            assert_true(fabs((double)f.state[i * STATE + h]) <= 1);
    backward(&f);
    for (int i = 0; i < M * FRAME; i++)
        assert_true(isfinite(f.frame[i]));
}

/* ---- Long short-term memory ---- */

TEST(lstm_forward_matches_its_formula)
{
    for (int size = 0; size < 3; size++) {
        struct fixture f;
        fixture_init(&f, &cell_lstm, pow(10, size));
        forward(&f);
        for (int i = 0; i < M; i++)
            for (int h = 0; h < H; h++) {
                const real *a = f.input + i * FRAME + h;
                const double in = sigmoid((double)a[0]), forget = sigmoid((double)a[H]);
                const double g = tanh((double)a[2 * H]), out = sigmoid((double)a[3 * H]);
                const double c = forget * (double)f.previous[i * STATE + H + h] + in * g;
                assert_near((double)f.state[i * STATE + H + h], c, EXACT);
                assert_near((double)f.state[i * STATE + h], out * tanh(c), EXACT);
            }
    }
}

TEST(lstm_keeps_its_memory_when_the_forget_gate_is_open_and_the_input_gate_closed)
{
    struct fixture f;
    fixture_init(&f, &cell_lstm, 1);
    for (int i = 0; i < M; i++)
        for (int h = 0; h < H; h++) {
            f.input[i * FRAME + h] = -60;
            f.input[i * FRAME + H + h] = 60;
        }
    forward(&f);
    for (int i = 0; i < M; i++)
        for (int h = H; h < 2 * H; h++)
            assert_near((double)f.state[i * STATE + h], (double)f.previous[i * STATE + h], 1e-6);
}

TEST(lstm_forget_slot_is_what_multiplies_the_memory)
{
    struct fixture f;
    fixture_init(&f, &cell_lstm, 1);
    for (int i = 0; i < M; i++)
        for (int h = 0; h < H; h++) {
            f.input[i * FRAME + cell_lstm.forget_slot * H + h] = -60; /* f = 0 */
            f.previous[i * STATE + H + h] = 1000;
        }
    forward(&f);
    for (int i = 0; i < M; i++)
        for (int h = H; h < 2 * H; h++)
            assert_true(fabs((double)f.state[i * STATE + h]) <= 1.001);
}

/* ---- The plain unit ---- */

TEST(tanh_forward_matches_its_formula)
{
    for (int size = 0; size < 3; size++) {
        struct fixture f;
        fixture_init(&f, &cell_tanh, pow(10, size));
        forward(&f);
        for (int i = 0; i < M; i++)
            for (int h = 0; h < H; h++)
                assert_near((double)f.state[i * STATE + h], tanh((double)f.input[i * FRAME + h]),
                            EXACT);
    }
}

TEST(tanh_gives_its_previous_state_nothing_directly)
{
    struct fixture f, before;
    fixture_init(&f, &cell_tanh, 1);
    before = f;
    forward(&f);
    backward(&f);
    assert_memory_equal(f.d_previous, before.d_previous, sizeof f.d_previous);
}

/* ---- Every cell ---- */

TEST(cell_find_knows_the_table_and_nothing_else)
{
    assert_ptr_equal(cell_find("gru"), &cell_gru);
    assert_ptr_equal(cell_find("lstm"), &cell_lstm);
    assert_ptr_equal(cell_find("tanh"), &cell_tanh);
    for (int i = 0; cells[i]; i++)
        assert_ptr_equal(cell_find(cells[i]->name), cells[i]);
    assert_null(cell_find("GRU"));
    assert_null(cell_find(""));
}

TEST(cell_slots_fit_their_frame)
{
    for (int i = 0; cells[i]; i++) {
        const struct cell_ops *c = cells[i];
        assert_true(c->input_slots >= 1 && c->input_slots <= c->slots);
        assert_true(c->state_from >= 0 && c->state_slots >= 1);
        assert_true(c->state_from + c->state_slots <= c->slots);
        assert_true(c->states >= 1 && c->forget_slot >= -1 && c->forget_slot < c->slots);
        assert_true(c->help[0] != '\0');
    }
}

static void check_gradient(const struct cell_ops *cell)
{
    struct fixture f;
    fixture_init(&f, cell, 1);
    memset(f.d_previous, 0, sizeof f.d_previous);
    forward(&f);
    backward(&f);
    real d_input[M * FRAME], d_previous[M * STATE];
    memcpy(d_input, f.frame, sizeof d_input);
    memcpy(d_previous, f.d_previous, sizeof d_previous);
    for (int i = 0; i < M; i++) {
        const size_t frame = (size_t)(i * FRAME), state = (size_t)(i * STATE);
        assert_true(
            gradcheck(forward, &f, f.input + frame, d_input + frame, (size_t)cell->slots * H)
                .worst <= 1e-6);
        assert_true(
            gradcheck(forward, &f, f.previous + state, d_previous + state, (size_t)cell->states * H)
                .worst <= 1e-6);
    }
}

TEST(cell_backward_matches_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    for (int i = 0; cells[i]; i++)
        check_gradient(cells[i]);
}

TEST(cell_backward_adds_to_d_previous)
{
    for (int i = 0; cells[i]; i++) {
        struct fixture zero, some;
        fixture_init(&zero, cells[i], 1);
        fixture_init(&some, cells[i], 1);
        memset(zero.d_previous, 0, sizeof zero.d_previous);
        forward(&zero);
        forward(&some);
        backward(&zero);
        backward(&some);
        for (int at = 0; at < M * STATE; at++) {
            const double before = 2 * rng_uniform(5, (uint64_t)at) - 1;
            assert_near((double)some.d_previous[at], before + (double)zero.d_previous[at], 1e-6);
        }
    }
}

TEST(cell_touches_nothing_past_its_columns)
{
    for (int c = 0; cells[c]; c++) {
        struct fixture f, before;
        fixture_init(&f, cells[c], 1);
        before = f;
        forward(&f);
        real state_after[M * STATE];
        memcpy(state_after, f.state, sizeof state_after);
        backward(&f);
        assert_memory_equal(f.state, state_after, sizeof state_after);
        for (int i = 0; i < M; i++) {
            const int frame = i * FRAME + cells[c]->slots * H,
                      row = i * STATE + cells[c]->states * H;
            const size_t rest = (size_t)(STATE - cells[c]->states * H) * sizeof(real);
            assert_memory_equal(f.frame + frame, before.input + frame,
                                (size_t)(FRAME - cells[c]->slots * H) * sizeof(real));
            assert_memory_equal(f.state + row, before.state + row, rest);
            assert_memory_equal(f.d_previous + row, before.d_previous + row, rest);
        }
        assert_memory_equal(f.previous, before.previous, sizeof f.previous);
        assert_memory_equal(f.d_state, before.d_state, sizeof f.d_state);
    }
}

static void assert_close(const real *got, const real *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_near((double)got[i], (double)want[i], EXACT);
}

TEST_LEVELS(cell_levels_agree)
{
    for (int i = 0; cells[i]; i++) {
        struct fixture f[2];
        for (int level = 0; level < 2; level++) {
            fixture_init(&f[level], cells[i], 3);
            simd_cap(level ? high : SIMD_PLAIN);
            forward(&f[level]);
            backward(&f[level]);
        }
        simd_cap(SIMD_LEVELS);
        assert_close(f[1].state, f[0].state, M * STATE);
        assert_close(f[1].frame, f[0].frame, M * FRAME);
        assert_close(f[1].d_previous, f[0].d_previous, M * STATE);
    }
}
