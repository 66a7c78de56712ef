/* The gradients of every mechanism, and properties of single ones. */
#include "attention_fixture.h"

/* ---- Gradients ---- */

static void check_slab(struct fixture *f, real *x, const real *d, int rows, int cols, int stride)
{
    for (int i = 0; i < rows; i++) {
        const struct gradcheck_result r =
            gradcheck(loss, f, x + i * stride, d + i * stride, (size_t)cols);
        if (!(r.worst <= 1e-6))
            fail_msg("%s: row %d of %d, column %zu: %g, by differences %g", f->layer.ops->name, i,
                     rows, r.at, r.analytic, r.numeric);
    }
}

static void check_gradients(struct fixture *f)
{
    const real *d_extra = f->d_extra;
    forward(f);
    backward(f, 0);
    for (int t = 0; t < T; t++) {
        check_slab(f, f->state[t], f->d_state[t], f->rows, H, STATE);
        check_slab(f, f->query[t], f->d_query[t], f->rows, f->layer.Q, QUERY);
    }
    check_slab(f, f->key, f->d_key, N, f->layer.D, KEY);
    check_slab(f, f->carries[0], f->d_carries[0], f->rows, f->carry, CARRY);
    for (int k = 0; k < ATTENTION_EXTRAS; d_extra += f->layer.extra[k++].cols)
        if (f->layer.extra[k].value)
            check_slab(f, f->layer.extra[k].value, d_extra, 1, f->layer.extra[k].cols, A);
}

static void check_backward(const struct attention_ops *ops, int heads, bool coverage)
{
    struct fixture f;
    fixture_init(&f, ops, heads, coverage, 1);
    check_gradients(&f);
    fixture_init(&f, ops, heads, coverage, 1);
    f.sentence = NULL;
    f.first = 1;
    f.rows = B - 1;
    check_gradients(&f);
}

TEST(attention_backward_matches_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    for_each(check_backward);
}

static void assert_slab(const real *got, const real *want, double plus, int rows, int cols,
                        int stride)
{
    for (int i = 0; i < rows * stride; i++)
        if (i % stride < cols)
            assert_near((double)got[i], plus + (double)want[i],
                        sizeof(real) == sizeof(double) ? 1e-12 : 1e-5);
        else
            assert_true(isnan(got[i])); /* columns outside the slab */
}

static void check_adding(const struct attention_ops *ops, int heads, bool coverage)
{
    struct fixture f, zero;
    fixture_init(&f, ops, heads, coverage, 1);
    fixture_init(&zero, ops, heads, coverage, 1);
    forward(&f);
    backward(&f, 2);
    forward(&zero);
    backward(&zero, 0);
    for (int t = 0; t < T; t++) {
        assert_slab(f.d_state[t], zero.d_state[t], 2, M, H, STATE);
        assert_slab(f.d_query[t], zero.d_query[t], 0, M, f.layer.Q, QUERY);
        assert_slab(f.d_carries[t], zero.d_carries[t], 0, M, f.carry, CARRY);
    }
    assert_slab(f.d_key, zero.d_key, 2, N, f.layer.D, KEY);
    assert_slab(f.d_extra, zero.d_extra, 2, 1, EXTRA, EXTRA);
}
TEST(attention_backward_overwrites_queries_and_adds_to_all_else) { for_each(check_adding); }

static void check_level(const struct attention_ops *ops, int heads, bool coverage, int high)
{
    struct fixture f[2];
    for (int level = 0; level < 2; level++) {
        fixture_init(&f[level], ops, heads, coverage, 1);
        simd_cap(level ? high : SIMD_PLAIN);
        forward(&f[level]);
        backward(&f[level], 0);
    }
    simd_cap(SIMD_LEVELS);
    for (int t = 0; t < T; t++) {
        assert_slab(f[1].weight[t], f[0].weight[t], 0, M, heads * S, WEIGHT);
        assert_slab(f[1].d_state[t], f[0].d_state[t], 0, M, H, STATE);
        assert_slab(f[1].d_query[t], f[0].d_query[t], 0, M, f->layer.Q, QUERY);
        assert_slab(f[1].d_carries[t], f[0].d_carries[t], 0, M, f->carry, CARRY);
    }
    assert_slab(f[1].d_key, f[0].d_key, 0, N, f->layer.D, KEY);
    assert_slab(f[1].d_extra, f[0].d_extra, 0, 1, EXTRA, EXTRA);
}

static void check_levels(const struct attention_ops *ops, int heads, bool coverage)
{
    for (int high = SIMD_PLAIN + 1; high <= (int)simd_level_available(); high++)
        check_level(ops, heads, coverage, high);
}
TEST(attention_levels_agree) { for_each(check_levels); }

/* ---- Single mechanisms ---- */

TEST(additive_coverage_is_the_sum_of_the_weights_before)
{
    struct fixture f;
    fixture_init(&f, &attention_additive, 1, true, 1);
    fill_random(f.carries[0], M, S, CARRY, 1, 0);
    forward(&f);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < S; j++) {
            double sum = 0;
            for (int t = 0; t < T; t++)
                sum += (double)f.weight[t][i * WEIGHT + j];
            assert_near((double)f.carries[T][i * CARRY + j], sum, 1e-6);
        }
}

TEST(cosine_of_a_zero_state_is_even_and_has_a_gradient)
{
    struct fixture f;
    fixture_init(&f, &attention_cosine, 1, false, 1);
    fill_random(f.state[0], M, H, STATE, 1, 0);
    forward(&f);
    backward(&f, 0);
    for (int j = 0; j < 5; j++)
        assert_near((double)f.weight[0][j], 0.2, 1e-6);
    for (int i = 0; i < M * STATE; i++)
        assert_true(isfinite(f.d_state[0][i]) == (i % STATE < H));
    for (int i = 0; i < N * KEY; i++)
        assert_true(isfinite(f.d_key[i]) == (i % KEY < H));
}

TEST(location_gives_nothing_past_its_positions)
{
    struct fixture f;
    fixture_init(&f, &attention_location, 1, false, 1);
    forward(&f);
    assert_true(f.weight[0][POSITIONS - 1] > 0); /* row 0 has 5 positions, one more than the layer
                                                  * knows */
    assert_true(f.weight[0][POSITIONS] == 0);
}

TEST(local_looks_no_further_than_its_span)
{
    struct fixture f;
    fixture_init(&f, &attention_local, 1, false, 1);
    for (int a = 0; a < A; a++) { /* the center of row 0 moves to the end of its 5 words */
        f.layer.extra[0].value[a] = 2;
        f.query[0][a] = 5;
    }
    forward(&f);
    for (int j = 0; j < 5; j++)
        assert_true((f.weight[0][j] > 0) == (j >= 4 - SPAN));
}

TEST(local_reads_no_key_past_its_span)
{
    struct fixture f;
    fixture_init(&f, &attention_local, 1, false, 1);
    for (int a = 0; a < A; a++) { /* the centers of all rows move to the end */
        f.layer.extra[0].value[a] = 2;
        for (int i = 0; i < T * M; i++)
            f.query[i / M][i % M * QUERY + a] = 5;
    }
    for (int j = 0; j < 4 - SPAN; j++) /* sentence 2 has 5 words */
        f.key[j * KEY] = (real)NAN;
    forward(&f);
    backward(&f, 0);
    for (int h = 0; h < H; h++)
        assert_true(isfinite(f.d_state[0][h]));
}

TEST(window_centers_only_move_forward)
{
    struct fixture f;
    for (double scale = 1; scale < 3000; scale *= 10) {
        fixture_init(&f, &attention_window, 1, false, scale);
        forward(&f);
        backward(&f, 0);
        for (int t = 0; t < T; t++)
            for (int i = 0; i < M; i++) {
                for (int k = i * CARRY; k < i * CARRY + K; k++)
                    assert_true(f.carries[t + 1][k] >= f.carries[t][k]);
                for (int q = i * QUERY; q < i * QUERY + 3 * K; q++)
                    assert_true(isfinite(f.d_query[t][q]));
                assert_true(isfinite(f.weight[t][i * WEIGHT]));
            }
    }
}

TEST(window_starts_at_the_first_word_and_moves_one_each_step)
{
    struct fixture f;
    fixture_init(&f, &attention_window, 1, false, 0);
    fill_random(f.carries[0], M, K, CARRY, 1, 0);
    forward(&f);
    for (int t = 0; t < T; t++) {
        assert_near((double)f.carries[t + 1][0], t + 1, 1e-6);
        for (int j = 0; j < 5; j++) /* row 0 */
            assert_true(f.weight[t][j] <= f.weight[t][t]);
    }
    assert_near((double)(f.weight[1][2] / f.weight[1][1]), exp(-0.5), 1e-6);
}

TEST(location_aware_passes_its_weights_on)
{
    struct fixture f;
    fixture_init(&f, &attention_location_aware, 1, false, 1);
    forward(&f);
    for (int t = 0; t < T; t++)
        for (int i = 0; i < M; i++)
            assert_memory_equal(f.carries[t + 1] + i * CARRY, f.weight[t] + i * WEIGHT,
                                S * sizeof(real));
}

/* A filter with one tap, on the position before, makes the weights move forward. */
TEST(location_aware_can_learn_to_move_forward)
{
    struct fixture f;
    fixture_init(&f, &attention_location_aware, 1, false, 0);
    fill_random(f.carries[0], M, S, CARRY, 1, 0);
    f.carries[0][0] = 1; /* row 0, of 5 positions, begins at the first */
    memset(f.layer.extra[1].value, 0, FILTERS * (2 * REACH + 1) * sizeof(real));
    f.layer.extra[1].value[REACH - 1] = 10;
    for (int a = 0; a < A; a++) {
        f.layer.extra[0].value[a] = 3;
        f.layer.extra[2].value[a] = 1;
    }
    forward(&f);
    for (int t = 0; t < T; t++)
        assert_true(f.weight[t][t + 1] > (real)0.99);
}
