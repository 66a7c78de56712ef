#include "nn/dropout.h"

#include "nn/gradcheck.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = 4096 };
static const struct dropout THIRD = {.rate = 0.3, .key = 99};

struct place {
    int site, sentence, position;
};
static const struct place HERE = {DROPOUT_TARGET, 5, 8};

static void ones(real *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = 1;
}

/* The mask: 1 / (1 - rate) or 0 for each element. */
static void mask_at(const struct dropout *d, struct place p, real *mask, int n)
{
    ones(mask, n);
    dropout_row(d, p.site, p.sentence, p.position, mask, n);
}

TEST(dropout_drops_at_its_rate_and_keeps_the_mean)
{
    static const double rates[] = {0.01, 0.1, 0.3, 0.5, 0.9};
    enum { ROWS = 64, ALL = ROWS * N };
    for (int r = 0; r < 5; r++) {
        const struct dropout d = {.rate = rates[r], .key = 1};
        long dropped = 0;
        double sum = 0;
        for (int row = 0; row < ROWS; row++) {
            real mask[N];
            mask_at(&d, (struct place){DROPOUT_SOURCE, row / 8, row % 8}, mask, N);
            for (int i = 0; i < N; i++) {
                dropped += mask[i] == 0;
                sum += (double)mask[i];
            }
        }
        const double sigma = sqrt(rates[r] * (1 - rates[r]) / ALL);
        assert_near((double)dropped / ALL, rates[r], 3 * sigma);
        assert_near(sum / ALL, 1, 3 * sigma / (1 - rates[r]) + 1e-6);
    }
}

/* Every column is dropped at the same rate. */
TEST(dropout_drops_every_column_at_its_rate)
{
    enum { ROWS = 4000, COLS = 37 };
    int dropped[COLS] = {0};
    for (int row = 0; row < ROWS; row++) {
        real mask[COLS];
        mask_at(&THIRD, (struct place){DROPOUT_SOURCE, row / 50, row % 50}, mask, COLS);
        for (int i = 0; i < COLS; i++)
            dropped[i] += mask[i] == 0;
    }
    for (int i = 0; i < COLS; i++) /* 4 sigma, because there are 37 columns */
        assert_near(dropped[i], 0.3 * ROWS, 4 * sqrt(0.3 * 0.7 * ROWS) / (0.3 * ROWS));
}

TEST(dropout_scales_what_stays)
{
    real x[N], mask[N];
    mask_at(&THIRD, HERE, mask, N);
    for (int i = 0; i < N; i++)
        x[i] = (real)(i + 1);
    dropout_row(&THIRD, HERE.site, HERE.sentence, HERE.position, x, N);
    for (int i = 0; i < N; i++) {
        assert_true(mask[i] == 0 || fabs((double)mask[i] - 1 / 0.7) < 1e-6);
        assert_true(x[i] == mask[i] * (real)(i + 1));
    }
}

TEST(dropout_of_rate_zero_changes_nothing)
{
    const struct dropout none = {.rate = 0, .key = 1};
    real x[3] = {1, -2, 3};
    dropout_row(&none, HERE.site, 1, 1, x, 3);
    assert_true(x[0] == 1 && x[1] == -2 && x[2] == 3);
}

TEST(dropout_drops_nan_and_infinity_to_zero)
{
    real x[N], mask[N];
    mask_at(&THIRD, HERE, mask, N);
    for (int i = 0; i < N; i++)
        x[i] = (real)(i % 2 ? NAN : INFINITY);
    dropout_row(&THIRD, HERE.site, HERE.sentence, HERE.position, x, N);
    for (int i = 0; i < N; i++)
        assert_true(mask[i] == 0 ? x[i] == 0 : !isfinite(x[i]));
}

/* ---- The key ---- */

/* Two independent masks of this rate agree in 1 - 2 r (1 - r) of the elements; within 4 sigma. */
static void assert_independent(const real *a, const real *b)
{
    const double agree = 1 - 2 * 0.3 * 0.7, sigma = sqrt(agree * (1 - agree) * N);
    int same = 0;
    for (int i = 0; i < N; i++)
        same += (a[i] == 0) == (b[i] == 0);
    assert_true(fabs(same - agree * N) <= 4 * sigma);
}

TEST(dropout_same_key_and_place_draw_the_same_mask)
{
    real a[N], b[N];
    mask_at(&THIRD, HERE, a, N);
    mask_at(&THIRD, HERE, b, N);
    assert_memory_equal(a, b, sizeof a);
    mask_at(&THIRD, HERE, b, 37); /* a shorter row is a prefix of a longer one */
    assert_memory_equal(a, b, 37 * sizeof *a);
}

TEST(dropout_another_place_draws_an_independent_mask)
{
    static const struct place others[] = {
        {DROPOUT_TARGET, 6, 8},     {DROPOUT_TARGET, 5, 9},  {DROPOUT_TARGET, 8, 5},
        {DROPOUT_SOURCE, 5, 8},     {DROPOUT_READOUT, 5, 8}, {DROPOUT_ANNOTATION, 5, 8},
        {DROPOUT_TARGET, 0, 0},     {DROPOUT_SOURCE, 6, 8},  {DROPOUT_TARGET, 5 + 65536, 8},
        {DROPOUT_TARGET, 5, 65544},
    };
    enum { COUNT = sizeof others / sizeof *others };
    static real masks[COUNT + 1][N];
    mask_at(&THIRD, HERE, masks[COUNT], N);
    for (int i = 0; i < COUNT; i++)
        mask_at(&THIRD, others[i], masks[i], N);
    for (int i = 0; i <= COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_independent(masks[i], masks[j]);
}

TEST(dropout_another_key_draws_an_independent_mask)
{
    real a[N], b[N];
    mask_at(&THIRD, HERE, a, N);
    for (uint64_t key = 0; key < 64; key++) {
        const struct dropout other = {.rate = 0.3, .key = THIRD.key ^ (uint64_t)1 << key};
        mask_at(&other, HERE, b, N);
        assert_independent(a, b);
    }
}

/* A mask shifted by any small distance is an independent mask: elements do not repeat. */
TEST(dropout_neighbors_in_a_row_are_independent)
{
    static real mask[N + 64];
    mask_at(&THIRD, HERE, mask, N + 64);
    for (int by = 1; by <= 64; by++)
        assert_independent(mask, mask + by);
}

/* ---- Rows, gradient, levels ---- */

TEST(dropout_rows_are_their_rows_one_by_one)
{
    enum { ROWS = 6, COLS = 7, STRIDE = 9 };
    real x[ROWS * STRIDE], want[ROWS * STRIDE];
    const int place[2 * ROWS] = {0, 0, 3, 1, 2, 2, 7, 3, 1, 4, 0, 5};
    ones(x, ROWS * STRIDE);
    ones(want, ROWS * STRIDE);
    for (int i = 1; i < 4; i++)
        dropout_row(&THIRD, DROPOUT_READOUT, place[2 * i], place[2 * i + 1], want + i * STRIDE,
                    COLS);
    dropout_rows(&THIRD, DROPOUT_READOUT, view_strided(x, ROWS, COLS, STRIDE), place, 1, 4);
    assert_memory_equal(x, want, sizeof x);
}

TEST(dropout_sentences_are_one_mask_at_every_position)
{
    enum { ROWS = 3, STRIDE = N + 3 };
    static real slab[(ROWS + 1) * STRIDE], row[N];
    real *const x = slab + STRIDE;
    const int place[2 * (ROWS + 1)] = {9, 9, 5, 0, 6, 1, 5, 7};
    ones(slab, (ROWS + 1) * STRIDE);
    dropout_sentences(&THIRD, DROPOUT_TARGET, view_strided(slab, ROWS + 1, N, STRIDE), place, 1,
                      ROWS + 1);
    assert_memory_equal(x, x + 2 * STRIDE, N * sizeof(real));
    assert_independent(x, x + STRIDE);
    for (int i = 0; i < STRIDE; i++)
        assert_true(slab[i] == 1);
    for (int i = 0; i < ROWS; i++)
        for (int j = N; j < STRIDE; j++)
            assert_true(x[i * STRIDE + j] == 1);
    for (int position = 0; position < 20; position++) {
        mask_at(&THIRD, (struct place){DROPOUT_TARGET, 5, position}, row, N);
        assert_independent(x, row);
    }
}

TEST(dropout_sentences_differ_by_site_and_layer)
{
    static real mask[2 * DROPOUT_SITES][N];
    const int place[2] = {5, 0};
    for (int site = 0; site < 2 * DROPOUT_SITES; site++) {
        ones(mask[site], N);
        dropout_sentences(&THIRD, site, view_of(mask[site], 1, N), place, 0, 1);
        for (int other = 0; other < site; other++)
            assert_independent(mask[site], mask[other]);
    }
}

/* The number of rows of a sentence that dropout_words sets to 0; the others must not change. */
static int words_dropped(const struct dropout *d, int site, int sentence, bool *dropped, int rows)
{
    enum { COLS = 5, STRIDE = 6 };
    static real x[N * STRIDE];
    static int place[2 * N];
    int count = 0;
    ones(x, rows * STRIDE);
    for (int i = 0; i < rows; i++) {
        place[2 * i] = sentence;
        place[2 * i + 1] = i;
    }
    dropout_words(d, site, view_strided(x, rows, COLS, STRIDE), place, 1, rows);
    assert_true(x[0] == 1); /* before the first row of the call */
    for (int i = 0; i < rows; i++) {
        dropped[i] = x[i * STRIDE] == 0;
        for (int j = 0; j < STRIDE; j++)
            assert_true(x[i * STRIDE + j] == (dropped[i] && j < COLS ? 0 : 1));
        count += dropped[i];
    }
    return count;
}

TEST(dropout_words_drops_whole_rows_at_its_rate_and_scales_nothing)
{
    static const double rates[] = {0, 0.1, 0.3, 0.95};
    static bool dropped[N];
    for (int r = 0; r < 4; r++) {
        const struct dropout d = {.rate = rates[r], .key = 1};
        const double got = words_dropped(&d, DROPOUT_SOURCE, 2, dropped, N);
        assert_true(fabs(got - rates[r] * N) <= 4 * sqrt(rates[r] * (1 - rates[r]) * N));
    }
}

/* Dropped words and the first element of each row's mask agree no more than by chance. */
TEST(dropout_words_are_independent_of_places_sites_and_masks)
{
    enum { SAMPLES = 5 };
    static bool dropped[SAMPLES][N];
    words_dropped(&THIRD, DROPOUT_SOURCE, 5, dropped[0], N);
    words_dropped(&THIRD, DROPOUT_SOURCE, 6, dropped[1], N);
    words_dropped(&THIRD, DROPOUT_TARGET, 5, dropped[2], N);
    for (int i = 0; i < N; i++) {
        real mask;
        mask_at(&THIRD, (struct place){DROPOUT_SOURCE, 5, i}, &mask, 1);
        dropped[3][i] = mask == 0;
        dropped[4][i] = i > 1 && dropped[0][i - 1];
    }
    const double agree = 1 - 2 * 0.3 * 0.7, sigma = sqrt(agree * (1 - agree) * N);
    for (int a = 0; a < SAMPLES; a++)
        for (int b = 0; b < a; b++) {
            int same = 0;
            for (int i = 0; i < N; i++)
                same += dropped[a][i] == dropped[b][i];
            assert_true(fabs(same - agree * N) <= 4 * sigma);
        }
    static bool again[N];
    words_dropped(&THIRD, DROPOUT_SOURCE, 5, again, N);
    assert_memory_equal(again, dropped[0], sizeof again);
}

/* loss = sum_i weight_i dropout(x)_i; backward is the same call on the weights. */
static const int PLACE[] = {4, 0, 4, 1};
static const real WEIGHT[] = {1, -2, (real)0.5, 3, (real)-0.25, 2, -1, 4, (real)0.75, 1};

static double weighted_sum(void *context)
{
    real y[10];
    double sum = 0;
    memcpy(y, context, sizeof y);
    dropout_rows(&THIRD, DROPOUT_SOURCE, view_of(y, 2, 5), PLACE, 0, 2);
    for (int i = 0; i < 10; i++)
        sum += (double)WEIGHT[i] * (double)y[i];
    return sum;
}

TEST(dropout_backward_matches_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    real x[10] = {1, 2, 3, 4, 5, -1, -2, -3, -4, -5}, d[10];
    memcpy(d, WEIGHT, sizeof d);
    dropout_rows(&THIRD, DROPOUT_SOURCE, view_of(d, 2, 5), PLACE, 0, 2);
    int dropped = 0;
    for (int i = 0; i < 10; i++)
        dropped += d[i] == 0;
    assert_true(dropped > 0 && dropped < 10);
    assert_true(gradcheck(weighted_sum, x, x, d, 10).worst <= 1e-6);
}

TEST_LEVELS(dropout_is_exactly_the_same_at_every_level)
{
    for (int n = 1; n < 70; n++) {
        real x[2][70];
        for (int level = 0; level < 2; level++) {
            for (int i = 0; i < n; i++)
                x[level][i] = (real)(0.1 * i - 3);
            simd_cap(level ? high : SIMD_PLAIN);
            dropout_row(&THIRD, HERE.site, HERE.sentence, HERE.position, x[level], n);
        }
        simd_cap(SIMD_LEVELS);
        assert_memory_equal(x[0], x[1], (size_t)n * sizeof(real));
    }
}
