#include "nn/cross_entropy.h"

#include "base/arena.h"
#include "nn/copy.h"
#include "tensor/vec.h"

/* Rows at a time. More rows mean less memory traffic for W's gradient; fewer rows keep the logits
 * in the cache. */
enum { CHUNK = 512 };

/* One member's sums over its own columns of a row. */
struct row_sums {
    real max;    /* largest logit */
    real exps;   /* sum of exp(logit - max) */
    real logits; /* sum of the logits */
    real target; /* the target's logit, or 0 if another member has its column */
    int best;    /* position of max, if the caller wants it */
};

void cross_entropy_declare(struct cross_entropy *l, struct param_set *set, const char *path, int R,
                           int V, const struct param *tied)
{
    *l = (struct cross_entropy){.R = R, .V = V, .tied = tied};
    if (!tied) {
        param_declare(set, &l->W, path, "W", R, V);
        param_start(&l->W, PARAM_NORMAL, 1 / sqrt(R));
    }
    param_declare(set, &l->b, path, "b", 1, V);
}

void cross_entropy_bind(struct cross_entropy *l, struct arena *arena, enum packing packing)
{
    linear_bind(&l->forward, arena, l->R, l->V, packing);
    if (packing == PACKING_TRAIN)
        packed_bind(&l->backward, arena, l->V, l->R);
}

/* W (R, V), its own parameter or the tied table transposed. */
static struct view weights(const struct cross_entropy *l)
{
    return l->tied ? view_transposed(param_view(l->tied)) : param_view(&l->W);
}

void cross_entropy_pack(struct cross_entropy *l, struct compute *c, bool training)
{
    linear_pack_weights(c, &l->forward, l->tied ? l->tied : &l->W, 0);
    if (training)
        linear_pack(c, &l->backward, view_transposed(weights(l)), 0, 0);
}

void cross_entropy_tape_bind(struct cross_entropy_tape *tape, struct arena *arena,
                             const struct cross_entropy *l, int N, int team)
{
    const size_t rows = (size_t)(N < CHUNK ? N : CHUNK);
    tape->logits = arena_take(arena, sizeof *tape->logits, rows * (size_t)l->V);
    tape->sums = arena_take(arena, sizeof *tape->sums, rows * (size_t)team);
}

/* For columns [from, to) of one row: add the bias and replace the logits by exp(logit - max). */
SIMD_BODY void row_forward_body(real *logit, const real *b, int from, int to, int target,
                                struct row_sums *out)
{
    real max = -(real)INFINITY, exps = 0, sum = 0;
    for (int k = from; k < to; k++)
        logit[k] += b[k];
#pragma omp simd reduction(max : max) reduction(+ : sum)
    for (int k = from; k < to; k++) {
        max = logit[k] > max ? logit[k] : max;
        sum += logit[k];
    }
    const real chosen = target >= from && target < to ? logit[target] : 0;
#pragma omp simd reduction(+ : exps)
    for (int k = from; k < to; k++) {
        logit[k] = fast_exp(logit[k] - max);
        exps += logit[k];
    }
    *out = (struct row_sums){.max = max, .exps = exps, .logits = sum, .target = chosen};
}
SIMD_STATIC(row_forward,
            (real * logit, const real *b, int from, int to, int target, struct row_sums *out),
            (logit, b, from, to, target, out))

/* The position of the maximum in a row that holds exp(logit - max). */
static int position_of_max(const real *p, int from, int to)
{
    int best = from;
    for (int k = from + 1; k < to; k++)
        best = p[k] > p[best] ? k : best;
    return best;
}

/* Combine the sums of all members: `max` over all columns, `exps` relative to it. */
static struct row_sums join(const struct row_sums *sums, int rows, int team)
{
    struct row_sums all = {.max = -(real)INFINITY};
    for (int i = 0; i < team; i++)
        if (sums[i * rows].max > all.max) {
            all.max = sums[i * rows].max;
            all.best = sums[i * rows].best;
        }
    for (int i = 0; i < team; i++) {
        const struct row_sums *one = &sums[i * rows];
        if (one->exps > 0)
            all.exps += one->exps * (real)exp((double)(one->max - all.max));
        all.logits += one->logits;
        all.target += one->target;
    }
    return all;
}

SIMD_BODY void row_backward_body(real *p, int from, int to, real factor, real share)
{
    for (int k = from; k < to; k++)
        p[k] = p[k] * factor - share;
}
SIMD_STATIC(row_backward, (real * p, int from, int to, real factor, real share),
            (p, from, to, factor, share))

struct chunk {
    int row, rows, from, to; /* rows of the batch; own columns */
    struct view logits;
};

static void make_logits(const struct cross_entropy *l, struct cross_entropy_tape *tape,
                        struct compute *c, const struct cross_entropy_job *job, struct chunk k)
{
    gemm_packed_columns(&c->gemm, view_rows(job->o, k.row, k.rows), &l->forward, k.logits, false,
                        k.from, k.to);
    struct row_sums *own = tape->sums + c->worker->index * k.rows;
    for (int i = 0; i < k.rows; i++) {
        real *logit = k.logits.at + i * k.logits.row;
        if (job->copy)
            copy_pick(job->copy, k.row + i, logit, l->b.value, k.from, k.to);
        row_forward(logit, l->b.value, k.from, k.to, job->target[k.row + i], &own[i]);
        if (job->choice)
            own[i].best = position_of_max(logit, k.from, k.to);
    }
}

/* Report the row's results to the caller. */
static void report_row(const struct cross_entropy_job *job, int row, double loss, int best)
{
    if (job->choice)
        job->choice[row] = best;
    if (job->row_loss)
        job->row_loss[row] = loss;
}

/* Turn the own columns of row i into their gradient. */
static void row_gradient(const struct cross_entropy_job *job, struct chunk k, int i, double factor,
                         const struct copy_target *target)
{
    real *p = k.logits.at + i * k.logits.row;
    row_backward(p, k.from, k.to, (real)(factor * target->scale),
                 (real)(target->smoothing / target->V * target->scale));
    if (target->word >= k.from && target->word < k.to)
        p[target->word] -= (real)((1 - target->smoothing) * target->scale);
    if (job->copy)
        copy_row_backward(job->copy, k.row + i, target, p, k.from, k.to);
}

/* loss = lse - (1 - eps) logit_y - eps mean(logits), and the gradient of the own columns if d_o is
 * wanted. */
static double rows_loss(struct cross_entropy_tape *tape, const struct compute *c,
                        const struct cross_entropy_job *job, struct chunk k)
{
    const int V = k.logits.cols, team = c->worker->count;
    const bool gradient = job->d_o.at, first = c->worker->index == 0;
    double loss = 0;
    for (int i = 0; i < k.rows; i++) {
        struct row_sums all = join(tape->sums + i, k.rows, team);
        const double eps = job->smoothing, lse = (double)all.max + log((double)all.exps);
        const double scale = job->scale * (job->weight ? job->weight[k.row + i] : 1);
        const struct copy_target target = {job->target[k.row + i], eps, lse, scale, V};
        struct copy_row mixed = {.share = 1};
        if (job->copy)
            mixed = copy_row_loss(job->copy, k.row + i, &target, gradient && first);
        const double own = lse - (1 - eps) * (double)all.target - eps * (double)all.logits / V;
        loss += own + mixed.loss;
        if (job->copy && mixed.best_log_probability > (double)all.max - lse + mixed.log_gate)
            all.best = mixed.best;
        if (first)
            report_row(job, k.row + i, own + mixed.loss, all.best);
        if (!gradient)
            continue;
        const double own_max = (double)tape->sums[c->worker->index * k.rows + i].max;
        row_gradient(job, k, i, exp(own_max - lse) * mixed.share, &target);
    }
    return loss;
}

static void logits_backward(const struct cross_entropy *l, struct compute *c,
                            const struct cross_entropy_job *job, struct chunk k)
{
    /* logits = o W + b: own columns of W and b; in a tied table these are rows. */
    const int cols = k.to - k.from;
    const struct view own = view_cols(k.logits, k.from, cols), o = view_rows(job->o, k.row, k.rows);
    if (cols > 0 && l->tied)
        gemm(&c->gemm, view_transposed(own), o, view_rows(param_grad(l->tied), k.from, cols), true);
    else if (cols > 0)
        gemm(&c->gemm, view_transposed(o), own, view_cols(param_grad(&l->W), k.from, cols), true);
    for (int i = 0; i < k.rows; i++)
        vec_add(l->b.grad + k.from, own.at + i * own.row, (size_t)(k.to - k.from));
    worker_meet(c->worker);
    /* d_o = d_logits W^T: own rows. */
    int from, to;
    worker_share(c->worker, k.rows, 1, &from, &to);
    if (from < to)
        gemm_packed(&c->gemm, view_rows(k.logits, from, to - from), &l->backward,
                    view_rows(job->d_o, k.row + from, to - from), false);
}

double cross_entropy_run(const struct cross_entropy *l, struct cross_entropy_tape *tape,
                         struct compute *c, const struct cross_entropy_job *job)
{
    const int N = job->o.rows, V = l->V;
    double loss = 0;
    struct chunk k;
    worker_share(c->worker, V, gemm_column_block(), &k.from, &k.to);
    for (k.row = 0; k.row < N; k.row += CHUNK) {
        k.rows = N - k.row < CHUNK ? N - k.row : CHUNK;
        k.logits = view_of(tape->logits, k.rows, V);
        make_logits(l, tape, c, job, k);
        worker_meet(c->worker);
        loss += rows_loss(tape, c, job, k);
        if (job->d_o.at)
            logits_backward(l, c, job, k);
        worker_meet(c->worker);
    }
    return loss;
}
