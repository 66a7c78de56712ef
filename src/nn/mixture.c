#include "nn/mixture.h"

#include "base/arena.h"
#include "base/bug.h"
#include "base/rng.h"
#include "tensor/vec.h"

static const real RHO_MOST = (real)0.99;
static const real Z_MOST = (real)1e6, LOG_S_MOST = 20;
static const double LOG_TAU = 1.8378770664093453; /* log(2 pi) */

/* The blocks of a row of y, in units of K columns. */
enum { WEIGHT, MEAN_X, MEAN_Y, SCALE_X, SCALE_Y, RHO, PEN };

void mixture_declare(struct mixture *l, struct param_set *set, const char *path, int R, int K,
                     double floor)
{
    BUG_ON(K < 1 || K > MIXTURE_MOST);
    *l = (struct mixture){.R = R, .K = K, .Y = mixture_width(K), .floor = (real)floor};
    param_declare(set, &l->W, path, "W", R, l->Y);
    param_start(&l->W, PARAM_NORMAL, 1 / sqrt(R));
    param_declare(set, &l->b, path, "b", 1, l->Y);
}

void mixture_bind(struct mixture *l, struct arena *arena, enum packing packing)
{
    linear_bind(&l->forward, arena, l->R, l->Y, packing);
}

void mixture_pack(struct mixture *l, struct compute *c)
{
    linear_pack_weights(c, &l->forward, &l->W, 0);
}

void mixture_tape_bind(struct mixture_tape *tape, struct arena *arena, const struct mixture *l,
                       int N)
{
    tape->y = arena_take(arena, sizeof(real), (size_t)N * (size_t)l->Y);
    tape->loss = arena_take(arena, sizeof(double), (size_t)N);
}

/* ---- One row: the density of a stroke ---- */

/* What the components compute from a row of y and a stroke. */
struct components {
    real zx[MIXTURE_MOST], zy[MIXTURE_MOST];
    real sx[MIXTURE_MOST], sy[MIXTURE_MOST];
    real tanh_r[MIXTURE_MOST];
    real term[MIXTURE_MOST]; /* log w~_k + log N_k + log(2 pi) */
};

SIMD_BODY real scale_of(real floor, real log_s)
{
    return floor + fast_exp(log_s < LOG_S_MOST ? log_s : LOG_S_MOST);
}

SIMD_BODY real bounded(real z)
{
    z = z < -Z_MOST ? -Z_MOST : z;
    return z > Z_MOST ? Z_MOST : z;
}

SIMD_BODY void measure_body(int K, real floor, const real *y, const real *stroke,
                            struct components *p)
{
    const real dx = stroke[0], dy = stroke[1];
    for (int k = 0; k < K; k++) {
        const real sx = scale_of(floor, y[SCALE_X * K + k]);
        const real sy = scale_of(floor, y[SCALE_Y * K + k]);
        const real zx = bounded((dx - y[MEAN_X * K + k]) / sx);
        const real zy = bounded((dy - y[MEAN_Y * K + k]) / sy);
        const real tanh_r = fast_tanh(y[RHO * K + k]), rho = RHO_MOST * tanh_r;
        const real q = (1 - rho) * (1 + rho);
        p->term[k] = y[WEIGHT * K + k] - fast_log(sx) - fast_log(sy) - fast_log(q) / 2 -
                     (zx * zx + zy * zy - 2 * rho * zx * zy) / (2 * q);
        p->zx[k] = zx;
        p->zy[k] = zy;
        p->sx[k] = sx;
        p->sy[k] = sy;
        p->tanh_r[k] = tanh_r;
    }
}
SIMD_STATIC(measure, (int K, real floor, const real *y, const real *stroke, struct components *p),
            (K, floor, y, stroke, p))

/* With g_k = w_k N_k / sum_i w_i N_i, q = 1 - rho^2, ux = (zx - rho zy) / q and uy = (zy - rho zx) / q,
 * the gradients of -log sum_k w_k N_k are, and likewise for y:
 *
 *     log w~   w - g               log s~x   g (1 - zx ux) (sx - floor) / sx
 *     mean x   -g ux / sx          rho       -g (rho / q + ux uy)
 *
 * Overwrites y. `weights` is the logsumexp of log w~, `terms` that of p->term. */
SIMD_BODY void measure_backward_body(int K, real floor, real *y, const struct components *p,
                                     real weights, real terms, real scale)
{
    for (int k = 0; k < K; k++) {
        const real zx = p->zx[k], zy = p->zy[k], sx = p->sx[k], sy = p->sy[k];
        const real rho = RHO_MOST * p->tanh_r[k], q = (1 - rho) * (1 + rho);
        const real g = scale * fast_exp(p->term[k] - terms);
        const real ux = (zx - rho * zy) / q, uy = (zy - rho * zx) / q;
        y[WEIGHT * K + k] = scale * fast_exp(y[WEIGHT * K + k] - weights) - g;
        y[MEAN_X * K + k] = -g * ux / sx;
        y[MEAN_Y * K + k] = -g * uy / sy;
        y[SCALE_X * K + k] = g * (1 - zx * ux) * (sx - floor) / sx;
        y[SCALE_Y * K + k] = g * (1 - zy * uy) * (sy - floor) / sy;
        y[RHO * K + k] = -g * (rho / q + ux * uy) * RHO_MOST * (1 - p->tanh_r[k] * p->tanh_r[k]);
    }
}
SIMD_STATIC(measure_backward,
            (int K, real floor, real *y, const struct components *p, real weights, real terms,
             real scale),
            (K, floor, y, p, weights, terms, scale))

/* Without fmax, at which gcc 12 for ARM crashes. */
static double largest(const real *x, int n)
{
    real max = x[0];
    for (int i = 1; i < n; i++)
        max = x[i] > max ? x[i] : max;
    return (double)max;
}

static double log_sum_exp(const real *x, int n)
{
    const double max = largest(x, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += exp((double)x[i] - max);
    return max + log(sum);
}

/* ---- One row: a yes or no ---- */

/* -log of the probability of `yes` by its logit; turns the logit into its gradient. */
static double decide(real *logit, bool yes, double scale, bool gradient)
{
    const double x = (double)*logit, loss = fmax(x, 0) + log1p(exp(-fabs(x))) - (yes ? x : 0);
    if (gradient)
        *logit = (real)(scale * (1 / (1 + exp(-x)) - yes));
    return loss;
}

/* ---- A row ---- */

static double row_loss(const struct mixture *l, real *y, const real *stroke, bool end, double scale,
                       bool gradient)
{
    const int K = l->K;
    struct components p;
    double loss = decide(&y[PEN * K + 1], end, scale, gradient);
    if (end) {
        if (gradient)
            vec_zero(y, PEN * (size_t)K + 1);
        return loss;
    }
    loss += decide(&y[PEN * K], stroke[2] > (real)0.5, scale, gradient);
    measure(K, l->floor, y, stroke, &p);
    const double weights = log_sum_exp(y, K), terms = log_sum_exp(p.term, K);
    if (gradient)
        measure_backward(K, l->floor, y, &p, (real)weights, (real)terms, (real)scale);
    return loss + weights - terms + LOG_TAU;
}

/* ---- All rows ---- */

void mixture_forward(const struct mixture *l, struct compute *c, struct view o, struct view y)
{
    linear_start(c, y, l->b.value);
    worker_meet(c->worker);
    linear_forward(c, o, &l->forward, y, true);
    worker_meet(c->worker);
}

/* y = o W + b, its inverse. */
static void backward(const struct mixture *l, struct compute *c, const struct mixture_job *job,
                     struct view d_y)
{
    linear_grad_weight(c, job->o, d_y, param_grad(&l->W));
    linear_grad_bias(c, d_y, l->b.grad);
    linear_grad_input(c, d_y, param_view(&l->W), job->d_o, false);
}

double mixture_run(const struct mixture *l, struct mixture_tape *tape, struct compute *c,
                   const struct mixture_job *job)
{
    const struct view y = view_of(tape->y, job->o.rows, l->Y);
    int from, to;
    double loss = 0;
    mixture_forward(l, c, job->o, y);
    worker_share(c->worker, y.rows, 1, &from, &to);
    for (int i = from; i < to; i++) {
        tape->loss[i] = row_loss(l, y.at + i * y.row, job->stroke.at + i * job->stroke.row,
                                 job->end[i], job->scale, job->d_o.at);
        if (job->row_loss)
            job->row_loss[i] = tape->loss[i];
    }
    worker_meet(c->worker);
    for (int i = 0; i < y.rows; i++)
        loss += tape->loss[i];
    if (job->d_o.at)
        backward(l, c, job, y);
    worker_meet(c->worker);
    return loss;
}

/* ---- Sampling ---- */

/* Uses of the random numbers of a step; a normal takes two uniform ones, from twice its number. */
enum { CHOICE, LIFT, END, NORMAL_X = 4, NORMAL_Y };

/* A yes or no, by its probability to the power 1 + bias. */
static bool choose_yes(real logit, double bias, double uniform)
{
    return uniform < 1 / (1 + exp(-(1 + bias) * (double)logit));
}

/* A component, by its weight to the power 1 + bias. */
static int choose(int K, const real *log_w, double bias, double uniform)
{
    const double max = largest(log_w, K);
    double sum = 0;
    for (int k = 0; k < K; k++)
        sum += exp((1 + bias) * ((double)log_w[k] - max));
    double left = uniform * sum;
    for (int k = 0; k < K - 1; k++) {
        left -= exp((1 + bias) * ((double)log_w[k] - max));
        if (left < 0)
            return k;
    }
    return K - 1;
}

bool mixture_sample(const struct mixture *l, const real *y, double bias, uint64_t key, int t,
                    real *stroke)
{
    const int K = l->K;
    const uint64_t step = rng_key(key, (uint64_t)t);
    if (choose_yes(y[PEN * K + 1], bias, rng_uniform(step, END)))
        return false;
    const int k = choose(K, y, bias, rng_uniform(step, CHOICE));
    const double sx = (double)scale_of(l->floor, y[SCALE_X * K + k]),
                 sy = (double)scale_of(l->floor, y[SCALE_Y * K + k]);
    const double rho = (double)RHO_MOST * tanh((double)y[RHO * K + k]), narrow = exp(-bias);
    const double u = rng_normal(step, NORMAL_X), v = rng_normal(step, NORMAL_Y);
    stroke[0] = y[MEAN_X * K + k] + (real)(narrow * sx * u);
    stroke[1] = y[MEAN_Y * K + k] + (real)(narrow * sy * (rho * u + sqrt(1 - rho * rho) * v));
    stroke[2] = choose_yes(y[PEN * K], bias, rng_uniform(step, LIFT));
    return true;
}
