#include "nn/copy.h"

#include "base/arena.h"
#include "base/logarithm.h"
#include "tensor/vec.h"

#include <math.h>

void copy_declare(struct copy *l, struct param_set *set, const char *path, int R)
{
    *l = (struct copy){.used = true};
    param_declare(set, &l->w, path, "w", 1, R);
    param_declare(set, &l->b, path, "b", 1, 1);
}

void copy_source_bind(struct copy_source *s, struct arena *arena, const int *start,
                      const int *length, int N)
{
    *s = (struct copy_source){.start = start,
                              .length = length,
                              .token = arena_take(arena, sizeof(int), (size_t)N),
                              .first = arena_take(arena, sizeof(int), (size_t)N)};
}

void copy_source_mark(const struct copy_source *s, int sentence)
{
    const int *token = s->token + s->start[sentence];
    int *first = s->first + s->start[sentence];
    for (int j = 0; j < s->length[sentence]; j++)
        for (first[j] = 0; token[first[j]] != token[j];)
            first[j]++;
}

static struct view take(struct arena *arena, int M, int S)
{
    return view_of(arena_take(arena, sizeof(real), (size_t)M * (size_t)S), M, S);
}

void copy_tape_bind(struct copy_tape *t, struct arena *arena, int M, int S, int heads)
{
    t->S = S;
    t->heads = heads;
    t->sentence = arena_take(arena, sizeof(int), (size_t)M);
    t->gate = arena_take(arena, sizeof(real), (size_t)M);
    t->d_gate = arena_take(arena, sizeof(real), (size_t)M);
    t->mixed = take(arena, M, S);
    t->d_mixed = take(arena, M, S);
    t->logit = take(arena, M, S);
}

/* ---- The words of a source ---- */

/* The tokens of a sentence; each different one is counted at a position j with first[j] = j. */
struct words {
    int count;
    const int *token, *first;
};

static struct words words_of(const struct copy_source *s, int sentence)
{
    const int start = s->start[sentence];
    return (struct words){s->length[sentence], s->token + start, s->first + start};
}

/* c, from `heads` times S weights. */
static void mix(const struct words *words, const real *weight, int heads, int S, real *mixed)
{
    vec_zero(mixed, (size_t)S);
    for (int g = 0; g < heads; g++)
        for (int j = 0; j < words->count; j++)
            mixed[words->first[j]] += weight[g * S + j] / (real)heads;
}

static real gate_of(const struct copy *l, const real *o)
{
    real sum = l->b.value[0];
    for (int r = 0; r < l->w.cols; r++)
        sum += o[r] * l->w.value[r];
    return sum;
}

/* log sigmoid(x), accurate even where the sigmoid underflows to 0. */
static double log_sigmoid(double x) { return x > 0 ? -log1p(exp(-x)) : x - log1p(exp(x)); }

/* ---- Training ---- */

void copy_forward(const struct copy *l, struct copy_tape *t, struct compute *c, struct view o,
                  struct view weight)
{
    int from, to;
    worker_share(c->worker, o.rows, 1, &from, &to);
    for (int i = from; i < to; i++) {
        const struct words words = words_of(&t->source, t->sentence[i]);
        t->gate[i] = gate_of(l, o.at + i * o.row);
        mix(&words, weight.at + i * weight.row, t->heads, t->S, t->mixed.at + i * t->mixed.row);
    }
}

void copy_pick(const struct copy_tape *t, int row, const real *logit, const real *b, int from,
               int to)
{
    const struct words words = words_of(&t->source, t->sentence[row]);
    real *out = t->logit.at + row * t->logit.row;
    for (int j = 0; j < words.count; j++) {
        const int k = words.token[j];
        if (words.first[j] == j && k >= from && k < to)
            out[j] = logit[k] + b[k];
    }
}

/* The terms of one source word in a row's loss; all but `weight` and rho are logarithms. */
struct term {
    double weight, generated, copied, both; /* w_k, g p_k, 1 - g, P(k) */
    double rho;
};

static struct term term_of(const struct copy_tape *t, int row, int k, int j,
                           const struct copy_target *target)
{
    const double gate = (double)t->gate[row], c = (double)t->mixed.at[row * t->mixed.row + j];
    struct term e = {.weight = target->smoothing / target->V,
                     .generated = log_sigmoid(gate) - target->lse +
                                  (double)t->logit.at[row * t->logit.row + j],
                     .copied = log_sigmoid(-gate)};
    e.weight += k == target->word ? 1 - target->smoothing : 0;
    e.both = log_add(e.generated, e.copied + log(c));
    e.rho = exp(e.generated - e.both);
    return e;
}

struct copy_row copy_row_loss(const struct copy_tape *t, int row, const struct copy_target *target,
                              bool gradient)
{
    /* Where P(k) is nearly 0, the exact slope is too large to be useful, so it is clipped. */
    const double steepest = 20;
    const struct words words = words_of(&t->source, t->sentence[row]);
    struct copy_row out = {.log_gate = log_sigmoid((double)t->gate[row]),
                           .share = 1,
                           .best_log_probability = -(double)INFINITY};
    out.loss = -out.log_gate;
    for (int j = 0; j < words.count; j++) {
        if (words.first[j] != j)
            continue;
        const struct term e = term_of(t, row, words.token[j], j, target);
        out.loss += e.weight * (e.generated - e.both);
        out.share -= e.weight * (1 - e.rho);
        if (e.both > out.best_log_probability) {
            out.best = words.token[j];
            out.best_log_probability = e.both;
        }
        if (gradient)
            t->d_mixed.at[row * t->d_mixed.row + j] =
                (real)(-e.weight * exp(fmin(e.copied - e.both, steepest)) * target->scale);
    }
    if (gradient)
        t->d_gate[row] = (real)((exp(out.log_gate) - out.share) * target->scale);
    return out;
}

void copy_row_backward(const struct copy_tape *t, int row, const struct copy_target *target,
                       real *d_logit, int from, int to)
{
    const struct words words = words_of(&t->source, t->sentence[row]);
    for (int j = 0; j < words.count; j++) {
        const int k = words.token[j];
        if (words.first[j] != j || k < from || k >= to)
            continue;
        const struct term e = term_of(t, row, k, j, target);
        d_logit[k] += (real)(e.weight * (1 - e.rho) * target->scale);
    }
}

static void add_times(real *y, real factor, const real *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += factor * x[i];
}

void copy_backward(const struct copy *l, const struct copy_tape *t, struct compute *c,
                   struct view o, struct view d_o)
{
    int from, to;
    worker_share(c->worker, o.rows, 1, &from, &to);
    for (int i = from; i < to; i++)
        add_times(d_o.at + i * d_o.row, t->d_gate[i], l->w.value, l->w.cols);
    for (int i = 0; i < o.rows && c->worker->index == 0; i++) {
        add_times(l->w.grad, t->d_gate[i], o.at + i * o.row, l->w.cols);
        l->b.grad[0] += t->d_gate[i];
    }
}

void copy_weight_backward(const struct copy_tape *t, int row, struct view d_weight)
{
    for (int i = 0; i < d_weight.rows; i++) {
        const struct words words = words_of(&t->source, t->sentence[row + i]);
        const real *d_mixed = t->d_mixed.at + (row + i) * t->d_mixed.row;
        for (int g = 0; g < t->heads; g++)
            for (int j = 0; j < words.count; j++)
                d_weight.at[i * d_weight.row + g * t->S + j] +=
                    d_mixed[words.first[j]] / (real)t->heads;
    }
}

/* ---- Search ---- */

/* Words that are not in the source have log P(k) = logit_k - norm + log g. */
static void mix_logits(const struct words *words, const struct logits *logits, int row, double gate,
                       const real *mixed)
{
    const double norm = (double)logits->norm[row] - log_sigmoid(gate);
    real *logit = logits->at.at + row * logits->at.row;
    real *most = logits->most.at + row * logits->most.row;
    for (int j = 0; j < words->count; j++) {
        const int k = words->token[j];
        if (words->first[j] != j)
            continue;
        logit[k] =
            (real)log_add((double)logit[k], norm + log_sigmoid(-gate) + log((double)mixed[j]));
        if (logit[k] > most[k / LOGITS_BLOCK])
            most[k / LOGITS_BLOCK] = logit[k];
    }
    logits->norm[row] = (real)norm;
}

void copy_logits(const struct copy *l, const struct copy_source *s, const struct copy_step *step)
{
    const struct view weight = step->weight;
    for (int i = 0; i < weight.rows; i++) {
        const struct words words = words_of(s, step->sentence[i]);
        const real gate = gate_of(l, step->o.at + i * step->o.row);
        mix(&words, weight.at + i * weight.row, step->heads, weight.cols / step->heads, step->work);
        mix_logits(&words, step->logits, i, (double)gate, step->work);
        if (step->gate)
            step->gate[i] = gate;
    }
}

double copy_share(const struct copy_source *s, const struct copy_choice *choice)
{
    const struct words words = words_of(s, choice->sentence);
    double copied = 0;
    for (int g = 0; g < choice->heads; g++)
        for (int j = 0; j < words.count; j++)
            copied += words.token[j] == choice->word
                          ? (double)choice->weight[g * choice->S + j] / choice->heads
                          : 0;
    return fmin(1, exp(log_sigmoid(-choice->gate) - choice->log_probability) * copied);
}
