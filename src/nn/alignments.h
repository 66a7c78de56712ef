/* The sum over all alignments of a target with its source that only move forward (Wu and Cotterell
 * 2019). Word t looks at position a_t of n, with a_t >= a_{t-1} and a_0 = 0. Its probability given
 * the last position is a softmax over the positions that are left,
 *
 *     p(a_t = j | a_{t-1} = i) = exp(s_ij) / sum_{k >= i} exp(s_ik)
 *     s_ij = e_tj                                               zero order
 *     s_ij = e_tj + q_t[d] + k_i[d],  d = min(j - i, J - 1)     first order
 *
 * where q_t (J) scores the lengths of jumps and k_i (J) those from annotation i. One step of the
 * forward algorithm, in logarithms:
 *
 *     prior_t(j)    = log sum_{i <= j} exp(filtered_{t-1}(i)) p(j | i)       log P(a_t = j | y_<t)
 *     filtered_t(j) = prior_t(j) - loss_tj - log P(y_t | y_<t)               log P(a_t = j | y_<=t)
 *     P(y_t | y_<t) = sum_j exp(prior_t(j) - loss_tj)
 *
 * with loss_tj = -log P(y_t | a_t = j, y_<t). Backward goes through the posterior of pairs of
 * positions: with G_t(j) = dL / d prior_t(j), where L is a weighted sum of the log P(y_t | y_<t),
 *
 *     xi_t(i, j)  = G_t(j) exp(filtered_{t-1}(i) - prior_t(j)) p(j | i)
 *     r_t(i)      = sum_j xi_t(i, j)                               what comes to filtered_{t-1}(i)
 *     dL / d s_ij = xi_t(i, j) - r_t(i) p(j | i)
 *
 * If L is log P(y), then G_t(j) = P(a_t = j | y), the posterior of the whole target. The zero order
 * takes O(n) for a step, the first O(n^2). Dims: n positions, J jumps. */
#ifndef ATTEND_NN_ALIGNMENTS_H
#define ATTEND_NN_ALIGNMENTS_H

#include "tensor/view.h"

enum { ALIGNMENTS_JUMPS = 6 }; /* J of the first order: lengths 0 to 4, and 5 or more */

/* The transitions of one step of a sentence. */
struct alignments {
    int n;             /* positions */
    const real *score; /* (n) e */
    const real *query; /* (J) q; NULL: zero order */
    struct view jump;  /* (n, J) k */
};
/* Numbers of workspace. */
static inline int alignments_work(int n) { return 3 * n; }

/* filtered_0: all of it at position 0. */
void alignments_begin(int n, double *filtered);
/* From filtered_{t-1} to prior_t. */
void alignments_prior(const struct alignments *, const double *before, double *prior, double *work);
/* From prior_t and the losses (n) of a word to filtered_t, which may be the same array; returns
 * log P(y_t | y_<t). */
double alignments_observe(int n, const double *prior, const double *loss, double *filtered);

/* What backward adds to, times `factor`. */
struct alignments_gradient {
    double factor;
    real *d_score;      /* (n) */
    real *d_query;      /* (J); NULL: zero order */
    struct view d_jump; /* (n, J) */
};
/* From G_t to r_t (n), and to the gradient unless it is NULL. */
void alignments_backward(const struct alignments *, const double *before, const double *prior,
                         const double *G, const struct alignments_gradient *, double *r,
                         double *work);

#endif
