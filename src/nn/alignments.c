#include "nn/alignments.h"

#include "base/logarithm.h"

#include <math.h>

void alignments_begin(int n, double *filtered)
{
    for (int j = 0; j < n; j++)
        filtered[j] = j ? -(double)INFINITY : 0;
}

double alignments_observe(int n, const double *prior, const double *loss, double *filtered)
{
    double max = -(double)INFINITY, sum = 0;
    for (int j = 0; j < n; j++) {
        filtered[j] = prior[j] - loss[j];
        max = filtered[j] > max ? filtered[j] : max;
    }
    for (int j = 0; j < n; j++)
        sum += exp(filtered[j] - max);
    const double all = max + log(sum);
    for (int j = 0; j < n; j++)
        filtered[j] -= all;
    return all;
}

/* ---- Zero order: s_ij = e_j, so sums over i <= j and over j >= i are running sums ---- */

/* Z_i = log sum_{j >= i} exp(e_j); A_j = log sum_{i <= j} exp(before_i - Z_i). */
static void running_sums(const struct alignments *a, const double *before, double *Z, double *A)
{
    const int n = a->n;
    for (int i = n - 1; i >= 0; i--)
        Z[i] = i == n - 1 ? (double)a->score[i] : log_add((double)a->score[i], Z[i + 1]);
    for (int j = 0; j < n; j++)
        A[j] = j ? log_add(A[j - 1], before[j] - Z[j]) : before[j] - Z[j];
}

static void prior_zero(const struct alignments *a, const double *before, double *prior, double *Z)
{
    running_sums(a, before, Z, prior);
    for (int j = 0; j < a->n; j++)
        prior[j] += (double)a->score[j];
}

/* xi_ij = G_j exp(before_i - Z_i - A_j). Neither sum can overflow, as A rises and Z falls:
 *
 *     r_i     = exp(before_i - Z_i - A_i) B_i      B_i = G_i + exp(A_i - A_{i+1}) B_{i+1}
 *     d_e_j   = G_j - exp(e_j - Z_j) C_j           C_j = r_j + exp(Z_j - Z_{j-1}) C_{j-1} */
static void backward_zero(const struct alignments *a, const double *before, const double *G,
                          const struct alignments_gradient *g, double *r, double *work)
{
    const int n = a->n;
    double *Z = work, *A = work + n, B = 0, C = 0;
    running_sums(a, before, Z, A);
    for (int i = n - 1; i >= 0; i--) {
        B = G[i] + (i < n - 1 ? exp(A[i] - A[i + 1]) * B : 0);
        r[i] = exp(before[i] - Z[i] - A[i]) * B;
    }
    for (int j = 0; j < n && g; j++) {
        C = r[j] + (j ? exp(Z[j] - Z[j - 1]) * C : 0);
        g->d_score[j] += (real)(g->factor * (G[j] - exp((double)a->score[j] - Z[j]) * C));
    }
}

/* ---- First order: every pair of positions has its own score ---- */

static int jump_of(int i, int j) { return j - i < ALIGNMENTS_JUMPS ? j - i : ALIGNMENTS_JUMPS - 1; }

/* s_ij for j >= i into s, and the logarithm of their sum of exponentials. */
static double scores_from(const struct alignments *a, int i, double *s)
{
    const real *k = a->jump.at + i * a->jump.row;
    double max = -(double)INFINITY, sum = 0;
    for (int j = i; j < a->n; j++) {
        const int d = jump_of(i, j);
        s[j] = (double)a->score[j] + (double)a->query[d] + (double)k[d];
        max = s[j] > max ? s[j] : max;
    }
    for (int j = i; j < a->n; j++)
        sum += exp(s[j] - max);
    return max + log(sum);
}

/* The sum over i needs the largest term of each j first. */
static void prior_first(const struct alignments *a, const double *before, double *prior,
                        double *work)
{
    const int n = a->n;
    double *s = work, *Z = work + n, *sum = work + 2 * n;
    for (int j = 0; j < n; j++) {
        prior[j] = -(double)INFINITY;
        sum[j] = 0;
    }
    for (int i = 0; i < n; i++) {
        Z[i] = scores_from(a, i, s);
        for (int j = i; j < n; j++)
            prior[j] = fmax(prior[j], before[i] + s[j] - Z[i]);
    }
    for (int i = 0; i < n; i++) {
        scores_from(a, i, s);
        for (int j = i; j < n; j++)
            sum[j] += exp(before[i] + s[j] - Z[i] - prior[j]);
    }
    for (int j = 0; j < n; j++)
        prior[j] += log(sum[j]);
}

/* s_ij = e_j + q_d + k_id */
static void score_backward(const struct alignments_gradient *g, int i, int j, double d_s)
{
    const real d = (real)(g->factor * d_s);
    g->d_score[j] += d;
    g->d_query[jump_of(i, j)] += d;
    g->d_jump.at[i * g->d_jump.row + jump_of(i, j)] += d;
}

static void backward_first(const struct alignments *a, const double *before, const double *prior,
                           const double *G, const struct alignments_gradient *g, double *r,
                           double *work)
{
    const int n = a->n;
    double *s = work, *xi = work + n;
    for (int i = 0; i < n; i++) {
        const double Z = scores_from(a, i, s);
        r[i] = 0;
        for (int j = i; j < n; j++) {
            xi[j] = G[j] * exp(before[i] + s[j] - Z - prior[j]);
            r[i] += xi[j];
        }
        for (int j = i; j < n && g; j++)
            score_backward(g, i, j, xi[j] - r[i] * exp(s[j] - Z));
    }
}

/* ---- Either ---- */

void alignments_prior(const struct alignments *a, const double *before, double *prior, double *work)
{
    (a->query ? prior_first : prior_zero)(a, before, prior, work);
}

void alignments_backward(const struct alignments *a, const double *before, const double *prior,
                         const double *G, const struct alignments_gradient *g, double *r,
                         double *work)
{
    if (a->query)
        backward_first(a, before, prior, G, g, r, work);
    else
        backward_zero(a, before, G, g, r, work);
}
