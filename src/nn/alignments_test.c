/* The sum over alignments against all of them, one by one, and its gradient. */
#include "nn/alignments.h"

#include "base/rng.h"
#include "nn/gradcheck.h"
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = 5, T = 4, D = ALIGNMENTS_JUMPS, STRIDE = D + 2 };

/* A target of T words over n positions. */
struct sentence {
    int n;
    bool first; /* order */
    real score[T * N], query[T * D], jump[N * STRIDE];
    double loss[T * N], share[T];
    double filtered[T * N], log_probability[T], posterior[T * N];
    real d_score[T * N], d_query[T * D], d_jump[N * STRIDE];
};

static void sentence_init(struct sentence *s, int n, bool first, double scale)
{
    memset(s, 0, sizeof *s);
    s->n = n;
    s->first = first;
    for (uint64_t i = 0; i < T * N; i++) {
        s->score[i] = (real)(scale * (2 * rng_uniform(1, i) - 1));
        s->loss[i] = scale * rng_uniform(2, i);
    }
    for (uint64_t i = 0; i < T * D; i++)
        s->query[i] = (real)(scale * (2 * rng_uniform(3, i) - 1));
    for (uint64_t i = 0; i < N * STRIDE; i++)
        s->jump[i] = (real)(scale * (2 * rng_uniform(4, i) - 1));
    for (int t = 0; t < T; t++)
        s->share[t] = 1;
}

static struct alignments at(struct sentence *s, int t)
{
    return (struct alignments){.n = s->n,
                               .score = s->score + t * N,
                               .query = s->first ? s->query + t * D : NULL,
                               .jump = view_strided(s->jump, s->n, D, STRIDE)};
}

/* ---- In plain loops ---- */

static double plain_score(const struct sentence *s, int t, int i, int j)
{
    const int d = j - i < D ? j - i : D - 1;
    return (double)s->score[t * N + j] +
           (s->first ? (double)s->query[t * D + d] + (double)s->jump[i * STRIDE + d] : 0);
}

static double plain_step(const struct sentence *s, int t, int i, int j)
{
    double sum = 0;
    for (int k = i; k < s->n; k++)
        sum += exp(plain_score(s, t, i, k));
    return exp(plain_score(s, t, i, j)) / sum;
}

/* The sum over the alignments of words t .. steps - 1 that continue from position i. Word `fixed`, if
 * any, looks at position `there`. */
static double plain_sum(const struct sentence *s, int t, int steps, int i, int fixed, int there)
{
    double sum = 0;
    if (t == steps)
        return 1;
    for (int j = i; j < s->n; j++)
        if (t != fixed || j == there)
            sum += plain_step(s, t, i, j) * exp(-s->loss[t * N + j]) *
                   plain_sum(s, t + 1, steps, j, fixed, there);
    return sum;
}

/* ---- Forward and backward ---- */

static double forward(void *context)
{
    struct sentence *s = context;
    double begin[N], work[3 * N], sum = 0;
    alignments_begin(s->n, begin);
    for (int t = 0; t < T; t++) {
        const struct alignments a = at(s, t);
        double *filtered = s->filtered + t * N;
        alignments_prior(&a, t ? filtered - N : begin, filtered, work);
        s->log_probability[t] = alignments_observe(s->n, filtered, s->loss + t * N, filtered);
        sum += s->share[t] * s->log_probability[t];
    }
    return sum;
}

static void backward(struct sentence *s)
{
    double begin[N], work[3 * N], r[N] = {0}, prior[N];
    alignments_begin(s->n, begin);
    for (int t = T - 1; t >= 0; t--) {
        const struct alignments a = at(s, t);
        const struct alignments_gradient g = {1, s->d_score + t * N, s->d_query + t * D,
                                              view_strided(s->d_jump, s->n, D, STRIDE)};
        double *G = s->posterior + t * N;
        for (int j = 0; j < s->n; j++) {
            const double ends = s->share[t] - (t < T - 1 ? s->share[t + 1] : 0);
            G[j] = r[j] + ends * exp(s->filtered[t * N + j]);
            prior[j] = s->filtered[t * N + j] + s->loss[t * N + j] + s->log_probability[t];
        }
        alignments_backward(&a, t ? s->filtered + (t - 1) * N : begin, prior, G, &g, r, work);
    }
}

static void check_sum(int n, bool first, double scale)
{
    struct sentence s;
    double sum = 0;
    sentence_init(&s, n, first, scale);
    forward(&s);
    for (int t = 0; t < T; t++) {
        double kept = 0;
        sum += s.log_probability[t];
        assert_near(sum, log(plain_sum(&s, 0, t + 1, 0, -1, 0)), 1e-9);
        for (int j = 0; j < n; j++) {
            const double want =
                plain_sum(&s, 0, t + 1, 0, t, j) / plain_sum(&s, 0, t + 1, 0, -1, 0);
            assert_near(exp(s.filtered[t * N + j]), want, 1e-9);
            kept += want;
        }
        assert_near(kept, 1, 1e-12);
    }
    backward(&s);
    for (int t = 0; t < T; t++)
        for (int j = 0; j < n; j++)
            assert_near(s.posterior[t * N + j],
                        plain_sum(&s, 0, T, 0, t, j) / plain_sum(&s, 0, T, 0, -1, 0), 1e-9);
}

TEST(alignments_sum_is_that_of_all_of_them)
{
    for (int n = 1; n <= N; n++)
        for (int first = 0; first <= 1; first++)
            for (double scale = 0.5; scale < 9; scale *= 4)
                check_sum(n, first, scale);
}

TEST(alignments_of_the_first_order_without_jumps_are_those_of_the_zero_order)
{
    struct sentence zero, first;
    sentence_init(&zero, N, false, 2);
    sentence_init(&first, N, true, 2);
    memset(first.query, 0, sizeof first.query);
    memset(first.jump, 0, sizeof first.jump);
    assert_near(forward(&zero), forward(&first), 1e-12);
    backward(&zero);
    backward(&first);
    for (int i = 0; i < T * N; i++)
        assert_near((double)zero.d_score[i], (double)first.d_score[i], 1e-6);
}

static void check_slab(struct sentence *s, real *x, const real *d, size_t count)
{
    const struct gradcheck_result r = gradcheck(forward, s, x, d, count);
    if (!(r.worst <= 1e-6))
        fail_msg("%zu of %zu: %g, by differences %g", r.at, count, r.analytic, r.numeric);
}

/* Also of single words, whose shares differ, as explanations need it. */
TEST(alignments_backward_matches_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    for (int n = 1; n <= N; n++)
        for (int k = 0; k < 6; k++) {
            struct sentence s;
            sentence_init(&s, n, k % 2, 1);
            for (int t = 0; t < T && k >= 2; t++)
                s.share[t] = k >= 4 ? 0.3 * t - 0.4 : t == T - 1;
            forward(&s);
            backward(&s);
            for (int t = 0; t < T; t++) {
                check_slab(&s, s.score + t * N, s.d_score + t * N, (size_t)n);
                if (s.first)
                    check_slab(&s, s.query + t * D, s.d_query + t * D, D);
            }
            for (int i = 0; i < n && s.first; i++)
                check_slab(&s, s.jump + i * STRIDE, s.d_jump + i * STRIDE, D);
        }
}

/* Positions whose probability no number could hold count again when later words need them. */
TEST(alignments_of_extreme_scores_stay_exact)
{
    for (int first = 0; first <= 1; first++) {
        struct sentence s;
        sentence_init(&s, 2, first, 0);
        s.loss[0 * N + 0] =
            3000; /* the first word wants the second position, the second the first */
        s.loss[1 * N + 1] = 9000;
        s.score[0] = 2000;
        /* Staying at the first position costs 3000 + log 2 for each of words 1, 2 and 3; the first
         * word is at position 0 with probability 1 up to exp(-2000). */
        assert_near(forward(&s), -3000 - log(2), 1e-6);
        backward(&s);
        for (int i = 0; i < T * N; i++)
            assert_true(isfinite(s.d_score[i]));
    }
}
