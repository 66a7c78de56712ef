/* Window attention (after Graves 2013): K Gaussians whose centers m_k only move forward. The query
 * has 3 K columns, [log w | b~ | step~] = s W_query + b_query:
 *
 *     b_k  = softplus(b~_k + log(e^0.5 - 1))                    0.5 for a query of 0
 *     m_k  = m_k of the previous step + p softplus(step~_k + log(e - 1))       + p for a query of 0
 *     e_ij = logsumexp_k(log w_k - b_k (m_k - p - j)^2)
 *
 * The carry is m, which starts at 0: the first step attends near j = 0, and an untrained model
 * moves about p positions per step, the pace: 1 for words, less where many steps belong to one
 * source token. The paper uses exp instead of softplus, which cannot overflow,
 * and its weights do not sum to 1. */
#include "nn/attention.h"

#include "base/bug.h"
#include "tensor/vec.h"

enum { MOST = 64 };

static int query_width(const struct attention_dims *dims) { return 3 * dims->gaussians; }

static int carry_width(const struct attention_dims *dims, int S)
{
    (void)S;
    return dims->gaussians;
}

/* Small initial queries, so that in the first updates the window moves at a steady pace. */
static void declare(struct attention *l, struct param_set *set, const char *path)
{
    (void)set, (void)path;
    BUG_ON(l->dims.gaussians < 1 || l->dims.gaussians > MOST);
    param_start(&l->W_query, PARAM_NORMAL, 0.25 / sqrt(l->dims.H));
}

static const double WIDTH_START = -0.43275212956718856; /* log(e^0.5 - 1) */
static const double STEP_START = 0.5413248546129181;    /* log(e - 1) */

/* log(1 + exp(x)), without overflow; its slope is sigmoid(x). */
static real softplus(double x) { return (real)(fmax(x, 0) + log1p(exp(-fabs(x)))); }
static real slope(double x) { return (real)(1 / (1 + exp(-x))); }

struct gaussians {
    int K;
    real pace;
    real log_w[MOST], b[MOST], m[MOST];
};

static real pace_of(const struct attention *l) { return l->dims.pace > 0 ? (real)l->dims.pace : 1; }

static void read_query(struct gaussians *g, const struct attention *l, const real *query,
                       const real *before)
{
    const int K = g->K = l->dims.gaussians;
    g->pace = pace_of(l);
    for (int k = 0; k < K; k++) {
        g->log_w[k] = query[k];
        g->b[k] = softplus((double)query[K + k] + WIDTH_START);
        g->m[k] = before[k] + g->pace * softplus((double)query[2 * K + k] + STEP_START);
    }
}

/* term_k = log w_k - b_k (m_k - 1 - j)^2; returns their logsumexp. */
static real score(const struct gaussians *g, int j, real *term)
{
    real max = -(real)INFINITY, sum = 0;
    for (int k = 0; k < g->K; k++) {
        const real off = g->m[k] - ((real)j + g->pace);
        term[k] = g->log_w[k] - g->b[k] * off * off;
        max = term[k] > max ? term[k] : max;
    }
    for (int k = 0; k < g->K; k++)
        sum += fast_exp(term[k] - max);
    return max + (real)log((double)sum);
}

static void forward(const struct attention *l, const struct attention_rows *rows)
{
    const int K = l->dims.gaussians;
    struct gaussians g;
    real term[MOST];
    for (int i = 0; i < rows->weight.rows; i++) {
        const int length = rows->length[attention_sentence(rows, i)];
        real *e = rows->weight.at + i * rows->weight.row,
             *after = rows->carry_out.at + i * rows->carry_out.row;
        read_query(&g, l, rows->query.at + i * rows->query.row,
                   rows->carry_in.at + i * rows->carry_in.row);
        for (int j = 0; j < length; j++)
            e[j] = score(&g, j, term);
        attention_weigh(rows, i, ATTENTION_ONE_HEAD, 0, length);
        memcpy(after, g.m, (size_t)K * sizeof *after);
    }
}

/* e = logsumexp_k(term_k). d, added to: [d_log_w | d_b | d_m]. */
static void score_backward(const struct gaussians *g, int j, real d_e, real *d)
{
    real term[MOST];
    const real e = score(g, j, term);
    for (int k = 0; k < g->K; k++) {
        const real off = g->m[k] - ((real)j + g->pace), d_term = d_e * fast_exp(term[k] - e);
        d[k] += d_term;
        d[g->K + k] -= d_term * off * off;
        d[2 * g->K + k] -= d_term * 2 * g->b[k] * off;
    }
}

/* Backward of read_query: turns [d_log_w | d_b | d_m] in d into d_query. */
static void read_query_backward(const struct gaussians *g, const real *query, real *d,
                                real *d_before)
{
    const int K = g->K;
    for (int k = 0; k < K; k++) {
        d_before[k] += d[2 * K + k];
        d[K + k] *= slope((double)query[K + k] + WIDTH_START);
        d[2 * K + k] *= g->pace * slope((double)query[2 * K + k] + STEP_START);
    }
}

static void backward(const struct attention *l, const struct attention_rows *rows,
                     const struct attention_gradient *gradient)
{
    const int K = l->dims.gaussians;
    struct gaussians g;
    for (int i = 0; i < rows->weight.rows; i++) {
        const int length = rows->length[attention_sentence(rows, i)];
        const real *query = rows->query.at + i * rows->query.row;
        real *d_e = gradient->d_weight.at + i * gradient->d_weight.row,
             *d = gradient->d_query.at + i * gradient->d_query.row;
        read_query(&g, l, query, rows->carry_in.at + i * rows->carry_in.row);
        attention_softmax_backward(rows->weight.at + i * rows->weight.row, d_e, 0, length,
                                   rows->weight.cols);
        vec_zero(d, 2 * (size_t)K);
        memcpy(d + 2 * K, gradient->d_carry_out.at + i * gradient->d_carry_out.row,
               (size_t)K * sizeof *d);
        for (int j = 0; j < length; j++)
            score_backward(&g, j, d_e[j], d);
        read_query_backward(&g, query, d, gradient->d_carry_in.at + i * gradient->d_carry_in.row);
    }
}

const struct attention_ops attention_window = {
    .name = "window",
    .help = "Gaussians over the source that only move forward (Graves 2013)",
    .keys = ATTENTION_NO_KEYS,
    .query_width = query_width,
    .carry_width = carry_width,
    .declare = declare,
    .forward = forward,
    .backward = backward,
};
