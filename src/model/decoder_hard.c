/* The output of a decoder with hard attention (nn/alignments.h), in training. The readout, and the
 * vector if there is one, have a value for every position j that word t may look at:
 *
 *     o_tj = dropout(f(W_s s_t + W_c h_j + W_e emb(y_{t-1}) + b))
 *     o_tj = dropout(f(W r_tj + b)),  r_tj = tanh(W_c h_j + W_s s_t)              with a vector
 *     loss_tj = -log P(y_t | a_t = j)      P(y_t | a_t = j) = softmax(W o_tj + b)
 *
 * Label smoothing smooths these distributions. The sum over the alignments turns loss_tj into
 * log P(y_t | y_<t) and the posterior of each pair (t, j); the gradient is that of the sum of the
 * losses of all pairs, each weighted by its posterior. There are S times as many pairs as words, so
 * they are computed a few rows at a time, once for their losses and once more for the gradient.
 *
 * No state may depend on the alignment. Where the placement gives a state a context, or feeds it the
 * last vector, that is the mean one, sum_j softmax_j(e_t) h_j, as in other models.
 *
 * In the code base_t is what comes from the state and value_j what comes from the annotation, both
 * X wide; a vector's are (H), without their tanh, a readout's (RR), without f. */
#include "model/decoder_train.h"

#include "base/arena.h"
#include "tensor/vec.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 512 }; /* at least this many at a time */

/* ---- Memory ---- */

static real *take(struct arena *arena, bool wanted, int rows, int cols)
{
    return wanted ? arena_take(arena, sizeof(real), (size_t)rows * (size_t)cols) : NULL;
}

/* Workspace of a thread: three vectors, and that of nn/alignments.h. */
static int work_of(int S) { return 3 * S + alignments_work(S); }

void decoder_hard_bind(struct decoder_tape *tape, struct arena *arena, const struct decoder *d,
                       const struct batch *b, int team, bool training)
{
    const int M = b->target_rows, S = b->S, Z = S > PAIRS ? S : PAIRS;
    const int N = b->memory_rows, X = d->vector ? d->H : d->RR;
    const size_t pairs = (size_t)M * (size_t)S;
    tape->hard = (struct hard_tape){
        .score = take(arena, true, M, S),
        .soft = take(arena, true, M, S),
        .base = take(arena, d->vector, M, d->H),
        .d_score = take(arena, training, M, S),
        .d_query = take(arena, training, M, d->attention.Q),
        .d_value = take(arena, training, N, X),
        .d_jump = take(arena, training, N, d->attention.Q),
        .sentence = arena_take(arena, sizeof(int), (size_t)M),
        .from = arena_take(arena, sizeof(int), (size_t)M + 1),
        .loss = arena_take(arena, sizeof(double), pairs),
        .filtered = arena_take(arena, sizeof(double), pairs),
        .posterior = arena_take(arena, sizeof(double), pairs),
        .log_probability = arena_take(arena, sizeof(double), (size_t)M),
        .work = arena_take(arena, sizeof(double), (size_t)team * (size_t)work_of(S)),
        .pairs = Z,
        .target = arena_take(arena, sizeof(int), (size_t)Z),
        .place = arena_take(arena, sizeof(int), 2 * (size_t)Z),
        .r = take(arena, d->vector, Z, d->H),
        .d_r = take(arena, training && d->vector, Z, d->H),
        .pre = take(arena, true, Z, d->RR),
        .o = take(arena, true, Z, d->R),
        .d_o = take(arena, training, Z, d->R),
    };
    cross_entropy_tape_bind(&tape->output, arena, &d->output, Z, team);
}

void decoder_hard_forward(struct decoder_tape *t, const struct batch *b, const struct compute *c,
                          const struct dropouts *drop)
{
    decoder_number_rows(&b->target[c->worker->index], t->hard.sentence);
    if (c->worker->index == 0)
        t->hard.drop = drop->plain;
}

/* ---- Pairs ---- */

struct hard_run {
    const struct decoder *d;
    struct decoder_tape *t;
    struct compute *c;
    const struct batch *b;
    const struct decoder_loss *loss;
    struct view base, value; /* (M, X), which becomes its gradient; (N, X) */
    struct view x, d_x;      /* (Z, X) base + value, that is r or pre; its gradient */
};

static struct hard_run run_of(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                              const struct batch *b, const struct decoder_loss *loss)
{
    struct hard_tape *h = &t->hard;
    const int l = d->reading, M = b->target_rows, Z = h->pairs;
    const struct view projected =
        view_of(t->projected, b->memory_rows, decoder_projected_width(d, false));
    return (struct hard_run){
        .d = d,
        .t = t,
        .c = c,
        .b = b,
        .loss = loss,
        .base = d->vector ? view_of(h->base, M, d->H)
                          : view_cols(view_of(t->layer[l].frame, M, frame_width(d, l)), 0, d->RR),
        .value = split_value(d, value_part(d, projected)),
        .x = d->vector ? view_of(h->r, Z, d->H) : view_of(h->pre, Z, d->RR),
        .d_x = d->vector ? view_of(h->d_r, Z, d->H) : view_of(h->pre, Z, d->RR),
    };
}

/* Number the pairs. */
static void count_pairs(const struct hard_run *k)
{
    struct hard_tape *h = &k->t->hard;
    if (k->c->worker->index == 0)
        for (int i = h->from[0] = 0; i < k->b->target_rows; i++)
            h->from[i + 1] = h->from[i] + k->b->memory_length[h->sentence[i]];
    worker_meet(k->c->worker);
}

/* Rows [row, end), whose pairs [from, to) fit into the workspace. */
struct part {
    int row, end, from, to;
};

static struct part part_from(const struct hard_run *k, int row)
{
    const struct hard_tape *h = &k->t->hard;
    int end = row + 1;
    while (end < k->b->target_rows && h->from[end + 1] - h->from[row] <= h->pairs)
        end++;
    return (struct part){row, end, h->from[row], h->from[end]};
}

static struct view pair_rows(real *slab, int cols, struct part p)
{
    return view_of(slab, p.to - p.from, cols);
}

/* x = base_t + value_j */
static void lay_row(const struct hard_run *k, int row, int at)
{
    struct hard_tape *h = &k->t->hard;
    const int start = k->b->memory_start[h->sentence[row]], n = h->from[row + 1] - h->from[row];
    const size_t X = (size_t)k->x.cols;
    for (int j = 0; j < n; j++) {
        real *x = k->x.at + (at + j) * k->x.row;
        memcpy(x, k->base.at + row * k->base.row, X * sizeof(real));
        vec_add(x, k->value.at + (start + j) * k->value.row, X);
        h->target[at + j] = k->b->target_out[row];
        h->place[2 * (at + j)] = k->b->target_place[2 * row];
        h->place[2 * (at + j) + 1] = k->b->target_place[2 * row + 1];
    }
}

/* r = tanh(x), pre = r W + b. The team has met and meets. */
static void vector_forward(const struct hard_run *k, struct view pre)
{
    const struct decoder *d = k->d;
    int from, to;
    worker_share(k->c->worker, pre.rows, 1, &from, &to);
    vec_tanh(k->x.at + from * k->x.row, (size_t)(to - from) * (size_t)d->H);
    linear_start(k->c, pre, d->b_readout.value);
    worker_meet(k->c->worker);
    linear_forward(k->c, view_rows(k->x, 0, pre.rows), &d->read, pre, true);
    worker_meet(k->c->worker);
}

/* From base and value to o, by the whole team. */
static void pairs_forward(const struct hard_run *k, struct part p)
{
    const struct hard_tape *h = &k->t->hard;
    const struct view pre = pair_rows(h->pre, k->d->RR, p), o = pair_rows(h->o, k->d->R, p);
    int from, to;
    worker_share(k->c->worker, p.end - p.row, 1, &from, &to);
    for (int i = p.row + from; i < p.row + to; i++)
        lay_row(k, i, h->from[i] - p.from);
    worker_meet(k->c->worker);
    if (k->d->vector)
        vector_forward(k, pre);
    worker_share(k->c->worker, o.rows, 1, &from, &to);
    decoder_readout(k->d, view_rows(pre, from, to - from), view_rows(o, from, to - from));
    dropout_rows(&h->drop, DROPOUT_READOUT, o, h->place, from, to);
    worker_meet(k->c->worker);
}

/* The losses of pairs, or, with gradient, d_o weighted by the posterior. */
static void pairs_loss(const struct hard_run *k, struct part p, bool gradient)
{
    const struct hard_tape *h = &k->t->hard;
    const struct cross_entropy_job job = {
        .o = pair_rows(h->o, k->d->R, p),
        .target = h->target,
        .smoothing = k->loss->smoothing,
        .scale = k->loss->scale,
        .weight = gradient ? h->posterior + p.from : NULL,
        .d_o = gradient ? pair_rows(h->d_o, k->d->R, p) : (struct view){0},
        .row_loss = gradient ? NULL : h->loss + p.from,
    };
    cross_entropy_run(&k->d->output, &k->t->output, k->c, &job);
}

/* ---- Pairs, backward ---- */

/* r = tanh(x), pre = r W + b */
static void vector_backward(const struct hard_run *k, struct view pre)
{
    const struct decoder *d = k->d;
    const struct view r = view_rows(k->x, 0, pre.rows), d_r = view_rows(k->d_x, 0, pre.rows);
    int from, to;
    linear_grad_weight(k->c, r, pre, param_grad(&d->R_state));
    linear_grad_bias(k->c, pre, d->b_readout.grad);
    linear_grad_input(k->c, pre, param_view(&d->R_state), d_r, false);
    worker_meet(k->c->worker);
    worker_share(k->c->worker, pre.rows, 1, &from, &to);
    for (ptrdiff_t i = from * d_r.row; i < to * d_r.row; i++)
        d_r.at[i] *= 1 - r.at[i] * r.at[i];
    worker_meet(k->c->worker);
}

/* o = dropout(f(pre)) */
static void readout_backward(const struct hard_run *k, struct part p)
{
    const struct decoder *d = k->d;
    const struct hard_tape *h = &k->t->hard;
    const struct view pre = pair_rows(h->pre, d->RR, p), o = pair_rows(h->o, d->R, p),
                      d_o = pair_rows(h->d_o, d->R, p);
    int from, to;
    worker_share(k->c->worker, o.rows, 1, &from, &to);
    dropout_rows(&h->drop, DROPOUT_READOUT, d_o, h->place, from, to);
    decoder_readout_gradient(d, view_rows(pre, from, to - from), view_rows(o, from, to - from),
                             view_rows(d_o, from, to - from), (real)(1 - h->drop.rate));
    worker_meet(k->c->worker);
    if (d->vector)
        vector_backward(k, pre);
}

/* x_tj = base_t + value_j: the gradient of a base is the sum over j, that of a value the sum over t.
 * A row's, in columns [from, to). */
static void row_backward(const struct hard_run *k, int row, int at, int from, int to)
{
    const struct hard_tape *h = &k->t->hard;
    const int start = k->b->memory_start[h->sentence[row]], n = h->from[row + 1] - h->from[row];
    const size_t cols = (size_t)(to - from);
    real *d_base = k->base.at + row * k->base.row + from;
    vec_zero(d_base, cols);
    for (int j = 0; j < n; j++) {
        const real *d_x = k->d_x.at + (at + j) * k->d_x.row + from;
        vec_add(d_base, d_x, cols);
        vec_add(h->d_value + (ptrdiff_t)(start + j) * k->value.cols + from, d_x, cols);
    }
}

static void pairs_backward(const struct hard_run *k, struct part p)
{
    const struct hard_tape *h = &k->t->hard;
    int from, to;
    readout_backward(k, p);
    worker_share(k->c->worker, k->x.cols, gemm_column_block(), &from, &to);
    for (int i = p.row; i < p.end && from < to; i++)
        row_backward(k, i, h->from[i] - p.from, from, to);
    worker_meet(k->c->worker);
}

/* ---- The sum over the alignments of a sentence ---- */

/* Sentence i of a lane, and the workspace of its thread. */
struct sentence {
    int number, i, n, steps;
    const struct steps *lane;
    double *begin, *prior, *r, *work; /* (n), (n), (n), alignments_work(n) */
};

static int row_of(const struct sentence *s, int t) { return s->lane->start[t] + s->i; }

static struct sentence sentence_of(const struct hard_run *k, int i)
{
    const struct steps *lane = &k->b->target[k->c->worker->index];
    const int number = lane->first + i, n = k->b->memory_length[number], S = k->b->S;
    double *work = k->t->hard.work + (ptrdiff_t)k->c->worker->index * work_of(S);
    struct sentence s = {number, i, n, 0, lane, work, work + S, work + 2 * S, work + 3 * S};
    while (s.steps < lane->count && lane->active[s.steps] > i)
        s.steps++;
    return s;
}

static struct alignments alignments_at(const struct hard_run *k, const struct sentence *s, int row)
{
    const struct decoder *d = k->d;
    const int l = d->asking, Q = d->attention.Q;
    const struct view frame = view_of(k->t->layer[l].frame, k->b->target_rows, frame_width(d, l)),
                      projected = view_of(k->t->projected, k->b->memory_rows,
                                          decoder_projected_width(d, false));
    return (struct alignments){
        .n = s->n,
        .score = k->t->hard.score + (ptrdiff_t)row * k->b->S,
        .query = Q ? query_part(d, frame).at + row * frame.row : NULL,
        .jump = jump_part(d, projected, k->b->memory_start[s->number], s->n),
    };
}

static void sentence_forward(const struct hard_run *k, const struct sentence *s)
{
    struct hard_tape *h = &k->t->hard;
    const double *before = s->begin;
    alignments_begin(s->n, s->begin);
    for (int t = 0; t < s->steps; t++) {
        const int row = row_of(s, t);
        const struct alignments a = alignments_at(k, s, row);
        double *filtered = h->filtered + h->from[row];
        alignments_prior(&a, before, filtered, s->work);
        h->log_probability[row] =
            alignments_observe(s->n, filtered, h->loss + h->from[row], filtered);
        before = filtered;
        if (k->loss->row_loss)
            k->loss->row_loss[row] = -h->log_probability[row];
    }
}

static double share_of(const struct hard_run *k, const struct sentence *s, int t)
{
    return t >= s->steps ? 0 : k->loss->share ? k->loss->share[row_of(s, t)] : 1;
}

/* The gradients of the loss, which is minus the logarithm. */
static struct alignments_gradient gradient_at(const struct hard_run *k, const struct sentence *s,
                                              int row)
{
    const struct decoder *d = k->d;
    const struct hard_tape *h = &k->t->hard;
    const int Q = d->attention.Q;
    const struct alignments_gradient g = {
        .factor = -k->loss->scale,
        .d_score = h->d_score + (ptrdiff_t)row * k->b->S,
        .d_query = h->d_query + (ptrdiff_t)row * Q,
        .d_jump = view_rows(view_of(h->d_jump, k->b->memory_rows, Q), k->b->memory_start[s->number],
                            s->n),
    };
    vec_zero(g.d_score, (size_t)s->n);
    vec_zero(g.d_query, (size_t)Q);
    return g;
}

/* The weights of a row become its posterior. */
static void leave_weights(const struct hard_run *k, int row, int n)
{
    real *weight = k->t->weight + (ptrdiff_t)row * k->b->S;
    for (int j = 0; j < n; j++)
        weight[j] = (real)k->t->hard.posterior[k->t->hard.from[row] + j];
    vec_zero(weight + n, (size_t)(k->b->S - n));
}

static void sentence_backward(const struct hard_run *k, const struct sentence *s)
{
    struct hard_tape *h = &k->t->hard;
    for (int t = s->steps - 1; t >= 0; t--) {
        const int row = row_of(s, t), from = h->from[row];
        const struct alignments a = alignments_at(k, s, row);
        const double ends = share_of(k, s, t) - share_of(k, s, t + 1);
        double *G = h->posterior + from;
        for (int j = 0; j < s->n; j++) {
            const double filtered = h->filtered[from + j];
            G[j] = (t < s->steps - 1 ? s->r[j] : 0) + ends * exp(filtered);
            s->prior[j] = filtered + h->loss[from + j] + h->log_probability[row];
        }
        struct alignments_gradient g = {0};
        if (k->loss->gradient)
            g = gradient_at(k, s, row);
        alignments_backward(&a, t ? h->filtered + h->from[row_of(s, t - 1)] : s->begin, s->prior, G,
                            k->loss->gradient ? &g : NULL, s->r, s->work);
        leave_weights(k, row, s->n);
    }
}

/* The gradients of a sentence's keys and values start at 0. */
static void clear_sentence(const struct hard_run *k, const struct sentence *s)
{
    const struct hard_tape *h = &k->t->hard;
    const size_t start = (size_t)k->b->memory_start[s->number], n = (size_t)s->n,
                 X = (size_t)k->value.cols, Q = (size_t)k->d->attention.Q;
    vec_zero(h->d_value + start * X, n * X);
    vec_zero(h->d_jump + start * Q, n * Q);
}

/* The sentences of this member's lane. */
static void sum_alignments(const struct hard_run *k)
{
    const struct steps *lane = &k->b->target[k->c->worker->index];
    for (int i = 0; i < (lane->count ? lane->active[0] : 0); i++) {
        const struct sentence s = sentence_of(k, i);
        if (k->loss->gradient)
            clear_sentence(k, &s);
        sentence_forward(k, &s);
        sentence_backward(k, &s);
    }
    worker_meet(k->c->worker);
}

/* ---- The loss ---- */

double decoder_hard_loss(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                         const struct batch *b, const struct decoder_loss *loss)
{
    const struct hard_run k = run_of(d, t, c, b, loss);
    double sum = 0;
    count_pairs(&k);
    for (struct part p = {0}; p.end < b->target_rows;) {
        p = part_from(&k, p.end);
        pairs_forward(&k, p);
        pairs_loss(&k, p, false);
    }
    sum_alignments(&k);
    for (int i = 0; i < b->target_rows; i++)
        sum -= t->hard.log_probability[i] * (loss->share ? loss->share[i] : 1);
    if (c->worker->index == 0)
        t->guide = 0;
    for (struct part p = {0}; p.end < b->target_rows && loss->gradient;) {
        p = part_from(&k, p.end);
        pairs_forward(&k, p);
        pairs_loss(&k, p, true);
        pairs_backward(&k, p);
    }
    return sum;
}

/* ---- What the loss leaves for the loop ---- */

static void add_rows(struct view to, const real *from)
{
    for (int i = 0; i < to.rows; i++)
        vec_add(to.at + i * to.row, from + (ptrdiff_t)i * to.cols, (size_t)to.cols);
}

void decoder_hard_backward(const struct back *k)
{
    const struct decoder *d = k->d;
    const struct hard_tape *h = &k->t->hard;
    const struct steps *lane = &k->b->target[k->lane];
    const int X = d->vector ? d->H : d->RR, Q = d->attention.Q;
    for (int i = 0; i < (lane->count ? lane->active[0] : 0); i++) {
        const int start = k->b->memory_start[lane->first + i],
                  n = k->b->memory_length[lane->first + i];
        const struct view rows = view_rows(k->d_projected, start, n),
                          value = split_value(d, value_part(d, rows));
        for (int j = 0; j < n && !d->vector; j++) /* nothing else reads them */
            vec_zero(value.at + j * value.row, (size_t)X);
        add_rows(value, h->d_value + (ptrdiff_t)start * X);
        add_rows(view_cols(key_part(d, rows), d->H, Q), h->d_jump + (ptrdiff_t)start * Q);
    }
}
