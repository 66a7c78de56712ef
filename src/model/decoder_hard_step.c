/* Hard attention in search: a step of the forward algorithm (nn/alignments.h) for each hypothesis.
 * The record holds
 *
 *     joint_t(j, k) = log P(a_t = j, y_t = k | y_<t) = prior_t(j) + log P(y_t = k | a_t = j)
 *
 * for all words k, as the choice of y_t comes after the step. The next step normalizes the column of
 * the word that was chosen: that is filtered_t, the posterior of a_t given the words so far. */
#include "model/decoder_parts.h"

#include "tensor/vec.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static struct view joint_of(const struct decoder *d, int S, const real *record, int cols)
{
    const int V = d->output.V;
    return view_const(record + cols - (ptrdiff_t)S * V, S, V);
}

static real *joint_out(const struct decoder *d, int S, real *record, int cols)
{
    return record + cols - (ptrdiff_t)S * d->output.V;
}

/* Before the first word, everything is at position 0, whatever the word. */
void decoder_hard_begin(const struct decoder *d, const struct decoder_memory *m, struct view record)
{
    const int V = d->output.V;
    for (int b = 0; b < record.rows; b++) {
        real *joint = joint_out(d, m->S, record.at + b * record.row, record.cols);
        for (int i = V; i < m->S * V; i++)
            joint[i] = -(real)INFINITY;
    }
}

/* ---- Work space ---- */

struct hard_work {
    double *filtered, *prior, *alignments; /* (S), (S), alignments_work(S) */
    real *r, *pre, *o;                     /* (S, H), (S, RR), (S, R) */
    real *most, *sum, *norm;               /* (S, blocks), (S, blocks), (S) of the logits */
    real *exps;                            /* (V) */
};

static size_t doubles(int S) { return 2 * (size_t)S + (size_t)alignments_work(S); }

size_t decoder_hard_work(const struct decoder *d, int S)
{
    const int each = d->H + d->RR + d->R + 2 * logits_blocks(d->output.V) + 1;
    return d->hard ? (doubles(S) + 1) * (sizeof(double) / sizeof(real)) + (size_t)S * (size_t)each +
                         (size_t)d->output.V
                   : 0;
}

static real *next(real **work, int rows, int cols)
{
    real *at = *work;
    *work += (ptrdiff_t)rows * cols;
    return at;
}

static struct hard_work lay_work(const struct decoder *d, int S, real *work)
{
    const int blocks = logits_blocks(d->output.V);
    const size_t past = (uintptr_t)work % sizeof(double) / sizeof(real);
    union {
        real *reals;
        void *any;
    } first = {.reals = work + past};
    double *numbers = first.any;
    work += past + doubles(S) * (sizeof(double) / sizeof(real));
    struct hard_work w = {
        .filtered = numbers, .prior = numbers + S, .alignments = numbers + 2 * (ptrdiff_t)S};
    w.r = next(&work, S, d->H);
    w.pre = next(&work, S, d->RR);
    w.o = next(&work, S, d->R);
    w.most = next(&work, S, blocks);
    w.sum = next(&work, S, blocks);
    w.norm = next(&work, S, 1);
    w.exps = next(&work, 1, d->output.V);
    return w;
}

/* ---- One hypothesis ---- */

/* The posterior of the positions once the word is known. */
static void filter(struct view joint, int n, int word, double *filtered)
{
    double max = -(double)INFINITY, sum = 0;
    for (int j = 0; j < n; j++) {
        filtered[j] = (double)joint.at[j * joint.row + word];
        max = filtered[j] > max ? filtered[j] : max;
    }
    for (int j = 0; j < n; j++)
        sum += exp(filtered[j] - max);
    for (int j = 0; j < n; j++)
        filtered[j] -= max + log(sum);
}

/* A row of a step. */
struct hypothesis_row {
    int i, sentence, start, n;
};

/* The prior, and as weights; a focus replaces it. */
static void find_prior(const struct decoder *d, const struct decoder_memory *m,
                       const struct decoder_step *step, const struct step_rows *s,
                       struct hypothesis_row row, const struct hard_work *w)
{
    const struct attention_rows *a = &s->attention;
    const struct view query = query_part(d, s->layer[d->asking].frame);
    real *weight = step->weight.at + row.i * step->weight.row;
    const struct alignments positions = {.n = row.n,
                                         .score = a->score.at + row.i * a->score.row,
                                         .query =
                                             d->attention.Q ? query.at + row.i * query.row : NULL,
                                         .jump = jump_part(d, m->projected, row.start, row.n)};
    alignments_prior(&positions, w->filtered, w->prior, w->alignments);
    for (int j = 0; j < row.n; j++)
        weight[j] = (real)exp(w->prior[j]);
    if (!step->focus || !step->focus[row.sentence].count)
        return;
    attention_apply_focus(&step->focus[row.sentence], weight, row.n);
    for (int j = 0; j < row.n; j++)
        w->prior[j] = log((double)weight[j]);
}

/* o of every position, from base and values. */
static struct view find_outputs(const struct decoder *d, struct compute *c,
                                const struct decoder_memory *m, const real *base,
                                struct hypothesis_row row, const struct hard_work *w)
{
    const struct view value = split_value(d, value_part(d, m->projected)),
                      pre = view_of(w->pre, row.n, d->RR), o = view_of(w->o, row.n, d->R),
                      x = d->vector ? view_of(w->r, row.n, d->H) : pre;
    for (int j = 0; j < row.n; j++) {
        memcpy(x.at + j * x.row, base, (size_t)x.cols * sizeof(real));
        vec_add(x.at + j * x.row, value.at + (row.start + j) * value.row, (size_t)x.cols);
    }
    if (d->vector) {
        vec_tanh(x.at, (size_t)row.n * (size_t)d->H);
        linear_start(c, pre, d->b_readout.value);
        linear_forward(c, x, &d->read, pre, true);
    }
    decoder_readout(d, pre, o);
    return o;
}

/* joint = prior + log P(k | j), in the record of the row. */
static void find_joint(const struct decoder *d, struct compute *c, struct view o,
                       const struct hard_work *w, struct view joint)
{
    const int n = o.rows, blocks = logits_blocks(d->output.V);
    const struct logits logits = {.at = joint,
                                  .most = view_of(w->most, n, blocks),
                                  .sum = view_of(w->sum, n, blocks),
                                  .norm = w->norm};
    logits_forward(&d->output, c, o, &logits);
    for (int j = 0; j < n; j++) {
        const real shift = (real)(w->prior[j] - (double)logits.norm[j]);
        for (int k = 0; k < joint.cols; k++)
            joint.at[j * joint.row + k] += shift;
    }
}

/* log P(k) = log sum_j exp(joint_jk) */
SIMD_BODY void sum_positions_body(struct view joint, real *logit, real *exps)
{
    const int V = joint.cols;
    memcpy(logit, joint.at, (size_t)V * sizeof(real));
    for (int j = 1; j < joint.rows; j++)
        for (int k = 0; k < V; k++) {
            const real x = joint.at[j * joint.row + k];
            logit[k] = x > logit[k] ? x : logit[k];
        }
    memset(exps, 0, (size_t)V * sizeof(real));
    for (int j = 0; j < joint.rows; j++)
        for (int k = 0; k < V; k++)
            exps[k] += fast_exp(joint.at[j * joint.row + k] - logit[k]);
}
SIMD_STATIC(sum_positions, (struct view joint, real *logit, real *exps), (joint, logit, exps))

static void find_logits(const struct decoder *d, const struct decoder_step *step, int row,
                        struct view joint, real *exps)
{
    real *logit = step->logits.at.at + row * step->logits.at.row;
    sum_positions(joint, logit, exps);
    vec_log(exps, (size_t)d->output.V);
    vec_add(logit, exps, (size_t)d->output.V);
    logits_measure(&step->logits, row);
}

/* ---- All hypotheses ---- */

void decoder_hard_step(const struct decoder *d, struct compute *c, const struct decoder_memory *m,
                       const struct decoder_step *step, const struct step_rows *s, struct view base,
                       real *work)
{
    const struct hard_work w = lay_work(d, m->S, work);
    for (int i = 0; i < step->rows; i++) {
        const int b = step->sentence[i];
        const struct hypothesis_row row = {i, b, m->start[b], m->length[b]};
        const struct view before = joint_of(
            d, m->S, step->previous.at + step->state[i] * step->previous.row, step->previous.cols);
        const struct view joint =
            view_of(joint_out(d, m->S, step->next.at + i * step->next.row, step->next.cols), row.n,
                    d->output.V);
        filter(before, row.n, step->token[i], w.filtered);
        find_prior(d, m, step, s, row, &w);
        const struct view o = find_outputs(d, c, m, base.at + i * base.row, row, &w);
        find_joint(d, c, o, &w, joint);
        find_logits(d, step, i, joint, w.exps);
    }
}

void decoder_see_word(const struct decoder *d, const struct decoder_memory *m, int sentence,
                      const real *next, int word, real *weight)
{
    if (!d->hard)
        return;
    const int n = m->length[sentence];
    const struct view joint = joint_of(d, m->S, next, decoder_record_width(d, m->S));
    for (int j = 0; j < n; j++)
        weight[j] = joint.at[j * joint.row + word];
    vec_softmax(weight, n);
}
