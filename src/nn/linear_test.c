#include "nn/linear.h"

#include "base/arena.h"
#include "base/rng.h"
#include "nn/gradcheck.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Y = X W + b and its gradients for a given d_Y. Rows of Y and d_Y are followed by GAP unused
 * columns. */
enum { GAP = 3 };
struct fixture {
    int N, K, M; /* X (N, K), W (K, M) */
    bool add;    /* add to Y and d_X */
    real *X, *W, *b, *Y, *d_Y, *d_X, *d_W, *d_b;
    struct packed packed;
    struct arena arena;
};

static real *numbers(uint64_t key, int rows, int cols)
{
    const size_t n = (size_t)rows * (size_t)cols;
    real *x = malloc(n * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(2 * rng_uniform(key, i) - 1);
    return x;
}

static void fixture_init(struct fixture *f, int N, int K, int M, bool add)
{
    struct arena count = {0};
    *f = (struct fixture){.N = N, .K = K, .M = M, .add = add};
    f->X = numbers(1, N, K);
    f->W = numbers(2, K, M);
    f->b = numbers(3, 1, M);
    f->Y = numbers(4, N, M + GAP);
    f->d_Y = numbers(5, N, M + GAP);
    f->d_X = numbers(6, N, K);
    f->d_W = numbers(7, K, M);
    f->d_b = numbers(8, 1, M);
    packed_bind(&f->packed, &count, K, M);
    assert_int_equal(arena_reserve(&f->arena, count.used, NULL), ATTEND_OK);
    packed_bind(&f->packed, &f->arena, K, M);
}

static void fixture_release(struct fixture *f)
{
    real *const all[] = {f->X, f->W, f->b, f->Y, f->d_Y, f->d_X, f->d_W, f->d_b};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    arena_release(&f->arena);
}

static struct compute compute_open(struct worker *w, struct arena *arena)
{
    struct compute c = {.worker = w};
    struct arena count = {0};
    gemm_scratch_bind(&c.gemm, &count);
    (void)arena_reserve(arena, count.used, NULL);
    gemm_scratch_bind(&c.gemm, arena);
    return c;
}

static void run_worker(struct worker *w, void *job)
{
    struct fixture *f = job;
    struct arena arena = {0};
    struct compute c = compute_open(w, &arena);
    const struct view X = view_of(f->X, f->N, f->K), W = view_of(f->W, f->K, f->M);
    const struct view Y = view_strided(f->Y, f->N, f->M, f->M + GAP);
    const struct view d_Y = view_strided(f->d_Y, f->N, f->M, f->M + GAP);
    linear_pack(&c, &f->packed, W, 0, 0);
    if (f->add)
        linear_start(&c, Y, f->b);
    worker_meet(w);
    linear_forward(&c, X, &f->packed, Y, f->add);
    linear_grad_weight(&c, X, d_Y, view_of(f->d_W, f->K, f->M));
    linear_grad_input(&c, d_Y, W, view_of(f->d_X, f->N, f->K), f->add);
    linear_grad_bias(&c, d_Y, f->d_b);
    arena_release(&arena);
}

static void run(struct fixture *f, int threads)
{
    struct team *team;
    assert_int_equal(team_new(&team, threads, NULL), ATTEND_OK);
    team_run(team, run_worker, f);
    team_free(team);
}

/* ---- Against plain loops ---- */

static double plain_y(const struct fixture *f, int i, int m)
{
    double sum = f->add ? (double)f->b[m] : 0;
    for (int k = 0; k < f->K; k++)
        sum += (double)f->X[i * f->K + k] * (double)f->W[k * f->M + m];
    return sum;
}

static double plain_d_w(const struct fixture *f, int k, int m)
{
    double sum = 0;
    for (int i = 0; i < f->N; i++)
        sum += (double)f->X[i * f->K + k] * (double)f->d_Y[i * (f->M + GAP) + m];
    return sum;
}

static double plain_d_x(const struct fixture *f, int i, int k)
{
    double sum = 0;
    for (int m = 0; m < f->M; m++)
        sum += (double)f->d_Y[i * (f->M + GAP) + m] * (double)f->W[k * f->M + m];
    return sum;
}

static double plain_d_b(const struct fixture *f, int m)
{
    double sum = 0;
    for (int i = 0; i < f->N; i++)
        sum += (double)f->d_Y[i * (f->M + GAP) + m];
    return sum;
}

static double before(uint64_t key, size_t at) { return 2 * rng_uniform(key, at) - 1; }

/* Gradients of weights are always added to, Y and d_X only with `add`; gaps must not change. */
static void check_plain(const struct fixture *f)
{
    const double tolerance = sizeof(real) == sizeof(double) ? 1e-13 : 1e-5;
    const int width = f->M + GAP;
    for (int i = 0; i < f->N; i++) {
        for (int m = 0; m < f->M; m++)
            assert_near((double)f->Y[i * width + m], plain_y(f, i, m), tolerance);
        for (int m = f->M; m < width; m++)
            assert_true(f->Y[i * width + m] == (real)before(4, (size_t)(i * width + m)));
        for (int k = 0; k < f->K; k++) {
            const double was = f->add ? before(6, (size_t)(i * f->K + k)) : 0;
            assert_near((double)f->d_X[i * f->K + k], was + plain_d_x(f, i, k), tolerance);
        }
    }
    for (int m = 0; m < f->M; m++) {
        assert_near((double)f->d_b[m], before(8, (size_t)m) + plain_d_b(f, m), tolerance);
        for (int k = 0; k < f->K; k++)
            assert_near((double)f->d_W[k * f->M + m],
                        before(7, (size_t)(k * f->M + m)) + plain_d_w(f, k, m), tolerance);
    }
}

static const int SHAPES[][3] = {{1, 1, 1}, {4, 7, 5}, {3, 5, 37}, {13, 37, 11}, {2, 70, 131}};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

TEST(linear_matches_plain_loops_on_teams_of_one_to_three)
{
    for (int s = 0; s < SHAPE_COUNT; s++)
        for (int threads = 1; threads <= 3; threads++)
            for (int add = 0; add < 2; add++) {
                struct fixture f;
                fixture_init(&f, SHAPES[s][0], SHAPES[s][1], SHAPES[s][2], add);
                run(&f, threads);
                check_plain(&f);
                fixture_release(&f);
            }
}

TEST(linear_does_not_depend_on_the_number_of_threads)
{
    for (int s = 0; s < SHAPE_COUNT; s++)
        for (int threads = 2; threads <= 3; threads++) {
            const int N = SHAPES[s][0], K = SHAPES[s][1], M = SHAPES[s][2];
            struct fixture one, many;
            fixture_init(&one, N, K, M, true);
            fixture_init(&many, N, K, M, true);
            run(&one, 1);
            run(&many, threads);
            assert_memory_equal(one.Y, many.Y, (size_t)(N * (M + GAP)) * sizeof(real));
            assert_memory_equal(one.d_X, many.d_X, (size_t)(N * K) * sizeof(real));
            assert_memory_equal(one.d_W, many.d_W, (size_t)(K * M) * sizeof(real));
            assert_memory_equal(one.d_b, many.d_b, (size_t)M * sizeof(real));
            fixture_release(&one);
            fixture_release(&many);
        }
}

TEST_LEVELS(linear_levels_agree)
{
    struct fixture f[2];
    for (int level = 0; level < 2; level++) {
        fixture_init(&f[level], 13, 37, 11, true);
        simd_cap(level ? high : SIMD_PLAIN);
        run(&f[level], 1);
    }
    simd_cap(SIMD_LEVELS);
    for (int i = 0; i < 13 * (11 + GAP); i++)
        assert_near((double)f[1].Y[i], (double)f[0].Y[i], 1e-5);
    for (int i = 0; i < 11; i++)
        assert_near((double)f[1].d_b[i], (double)f[0].d_b[i], 1e-5);
    fixture_release(&f[0]);
    fixture_release(&f[1]);
}

/* ---- Against finite differences ---- */

static double weighted_sum(void *context)
{
    struct fixture *f = context;
    struct worker alone = worker_alone();
    struct arena arena = {0};
    struct compute c = compute_open(&alone, &arena);
    const struct view Y = view_strided(f->Y, f->N, f->M, f->M + GAP);
    linear_pack(&c, &f->packed, view_of(f->W, f->K, f->M), 0, 0);
    linear_start(&c, Y, f->b);
    linear_forward(&c, view_of(f->X, f->N, f->K), &f->packed, Y, true);
    arena_release(&arena);
    double sum = 0;
    for (int i = 0; i < f->N; i++)
        for (int m = 0; m < f->M; m++)
            sum += (double)Y.at[i * Y.row + m] * (double)f->d_Y[i * Y.row + m];
    return sum;
}

TEST(linear_gradients_match_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    struct fixture f;
    fixture_init(&f, 4, 7, 5, true);
    memset(f.d_X, 0, 4 * 7 * sizeof(real));
    memset(f.d_W, 0, 7 * 5 * sizeof(real));
    memset(f.d_b, 0, 5 * sizeof(real));
    run(&f, 2);
    assert_true(gradcheck(weighted_sum, &f, f.X, f.d_X, 4 * 7).worst <= 1e-6);
    assert_true(gradcheck(weighted_sum, &f, f.W, f.d_W, 7 * 5).worst <= 1e-6);
    assert_true(gradcheck(weighted_sum, &f, f.b, f.d_b, 5).worst <= 1e-6);
    fixture_release(&f);
}

/* ---- Packing side by side ---- */

struct side_by_side {
    struct fixture *f; /* its W is the left part */
    const real *right; /* (K, R) */
    int R;
};

static void pack_both(struct worker *w, void *job)
{
    const struct side_by_side *s = job;
    struct fixture *f = s->f;
    struct arena arena = {0};
    struct compute c = compute_open(w, &arena);
    linear_pack(&c, &f->packed, view_of(f->W, f->K, f->M), 0, 0);
    linear_pack(&c, &f->packed, view_const(s->right, f->K, s->R), 0, f->M);
    worker_meet(w);
    linear_forward(&c, view_of(f->X, f->N, f->K), &f->packed, view_of(f->Y, f->N, f->M + s->R),
                   false);
    arena_release(&arena);
}

TEST(linear_pack_side_by_side_is_two_products)
{
    enum { N = 4, K = 7, M = 20, R = GAP };
    struct fixture f;
    struct arena arena = {0}, count = {0};
    struct team *team;
    fixture_init(&f, N, K, M, false);
    packed_bind(&f.packed, &count, K, M + R);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    packed_bind(&f.packed, &arena, K, M + R);
    real *right = numbers(9, K, R);
    struct side_by_side job = {.f = &f, .right = right, .R = R};
    assert_int_equal(team_new(&team, 3, NULL), ATTEND_OK);
    team_run(team, pack_both, &job);
    team_free(team);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M + R; j++) {
            double want = 0;
            for (int k = 0; k < K; k++)
                want += (double)f.X[i * K + k] *
                        (double)(j < M ? f.W[k * M + j] : right[k * R + j - M]);
            assert_near((double)f.Y[i * (M + R) + j], want, 1e-5);
        }
    free(right);
    arena_release(&arena);
    fixture_release(&f);
}

/* ---- Packing in turn ---- */

struct turns {
    struct param W[2]; /* side by side */
    struct packed packed;
    atomic_int taken;
};

static void pack_in_turn(struct worker *w, void *job)
{
    struct turns *t = job;
    struct compute c = {.worker = w, .taken = &t->taken};
    worker_meet(w);
    linear_pack_weights(&c, &t->packed, &t->W[0], 0);
    linear_pack_weights(&c, &t->packed, &t->W[1], t->W[0].cols);
}

/* Several parts, of which the last is not full, and a border of weights within a panel. */
TEST(linear_weights_packed_in_turn_are_those_packed_alone)
{
    enum { K = 7, LEFT = 1500, RIGHT = 1037 };
    struct arena count = {0}, arena = {0};
    struct packed want;
    struct turns t = {.W = {{.rows = K, .cols = LEFT, .value = numbers(1, K, LEFT)},
                            {.rows = K, .cols = RIGHT, .value = numbers(2, K, RIGHT)}}};
    for (int i = 0; i < 2; i++) {
        packed_bind(&t.packed, i ? &arena : &count, K, LEFT + RIGHT);
        packed_bind(&want, i ? &arena : &count, K, LEFT + RIGHT);
        if (i == 0)
            assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    }
    packed_fill(&want, param_view(&t.W[0]), 0, 0, 0, LEFT + RIGHT);
    packed_fill(&want, param_view(&t.W[1]), 0, LEFT, 0, LEFT + RIGHT);
    const size_t bytes = (size_t)((char *)want.at - (char *)t.packed.at);
    struct team *team;
    assert_int_equal(team_new(&team, 2, NULL), ATTEND_OK);
    for (int i = 0; i < 20; i++) {
        memset(t.packed.at, 0x55, bytes);
        atomic_store(&t.taken, 0);
        team_run(team, pack_in_turn, &t);
        assert_memory_equal(t.packed.at, want.at, bytes);
        assert_int_equal(atomic_load(&t.taken), 2 * 3);
    }
    team_free(team);
    free(t.W[0].value);
    free(t.W[1].value);
    arena_release(&arena);
}
