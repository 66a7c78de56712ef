#include "nn/attention.h"

#include "base/bug.h"
#include "tensor/vec.h"

#include <string.h>

#define ROW(name) &attention_##name,
const struct attention_ops *const attentions[] = {ATTENTION_LIST(ROW) NULL};
#undef ROW

const struct attention_ops *attention_find(const char *name)
{
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        if (strcmp((*ops)->name, name) == 0)
            return *ops;
    return NULL;
}

static void declare_query(struct attention *l, struct param_set *set, const char *path)
{
    param_declare(set, &l->W_query, path, "W_query", l->dims.H, l->Q);
    param_declare(set, &l->b_query, path, "b_query", 1, l->Q);
    param_start(&l->W_query, PARAM_NORMAL, 1 / sqrt(l->dims.H));
}

static void declare_key(struct attention *l, struct param_set *set, const char *path)
{
    param_declare(set, &l->W_key, path, "W_key", l->dims.C, l->D);
    param_start(&l->W_key, PARAM_NORMAL, 1 / sqrt(l->dims.C));
}

void attention_declare(struct attention *l, struct param_set *set, const char *path,
                       const struct attention_ops *ops, const struct attention_dims *dims)
{
    BUG_ON(dims->heads < 1 || dims->H % dims->heads);
    BUG_ON((dims->heads > 1 && !ops->heads) || (dims->coverage && !ops->coverage));
    *l = (struct attention){.ops = ops, .dims = *dims};
    l->Q = ops->query_width ? ops->query_width(dims) : 0;
    l->D = ops->key_width ? ops->key_width(dims) : 0;
    if (l->Q > 0)
        declare_query(l, set, path);
    if (ops->keys == ATTENTION_PROJECTED_KEYS)
        declare_key(l, set, path);
    if (ops->declare)
        ops->declare(l, set, path);
}

int attention_carry_width(const struct attention *l, int S)
{
    return l->ops->carry_width ? l->ops->carry_width(&l->dims, S) : 0;
}

int attention_extra_size(const struct attention *l)
{
    int size = 0;
    for (int i = 0; i < ATTENTION_EXTRAS; i++)
        size += l->extra[i].rows * l->extra[i].cols;
    return size;
}

void attention_softmax(real *weight, int from, int to, int S)
{
    vec_zero(weight, (size_t)from);
    vec_softmax(weight + from, to - from);
    vec_zero(weight + to, (size_t)(S - to));
}

/* ---- Scores and focus ---- */

static void leave_scores(real *score, const real *e, int from, int to, int S)
{
    for (int j = 0; j < S; j++)
        score[j] = j >= from && j < to ? e[j] : -(real)INFINITY;
}

static bool in_focus(const struct attention_focus *focus, int j)
{
    bool found = false;
    for (int k = 0; k < focus->count && !found; k++)
        found = focus->at[k] == j;
    return found;
}

/* The other positions keep their proportions; if their own weights are all 0, they share
 * equally. */
void attention_apply_focus(const struct attention_focus *focus, real *weight, int length)
{
    double left = 1, own = 0;
    for (int k = 0; k < focus->count; k++)
        left -= (double)focus->weight[k];
    for (int j = 0; j < length; j++)
        own += in_focus(focus, j) ? 0 : (double)weight[j];
    for (int j = 0; j < length; j++)
        weight[j] =
            (real)(own > 0 ? left * (double)weight[j] / own : left / (length - focus->count));
    for (int k = 0; k < focus->count; k++)
        weight[focus->at[k]] = focus->weight[k];
}

void attention_weigh(const struct attention_rows *rows, int i, struct attention_head head, int from,
                     int to)
{
    const int S = rows->weight.cols / head.count;
    real *weight = rows->weight.at + i * rows->weight.row + head.number * S;
    if (rows->score.at)
        leave_scores(rows->score.at + i * rows->score.row + head.number * S, weight, from, to, S);
    attention_softmax(weight, from, to, S);
    const int b = attention_sentence(rows, i);
    if (rows->focus && rows->focus[b].count)
        attention_apply_focus(&rows->focus[b], weight, rows->length[b]);
}

/* ---- Backward ---- */

/* a = softmax(e): d_e_j = a_j (d_a_j - sum_k a_k d_a_k) */
SIMD_BODY void softmax_backward_body(const real *weight, real *d, int n)
{
    real mean = 0;
#pragma omp simd reduction(+ : mean)
    for (int j = 0; j < n; j++)
        mean += weight[j] * d[j];
#pragma omp simd
    for (int j = 0; j < n; j++)
        d[j] = weight[j] * (d[j] - mean);
}
SIMD_STATIC(softmax_backward, (const real *weight, real *d, int n), (weight, d, n))

void attention_softmax_backward(const real *weight, real *d, int from, int to, int S)
{
    vec_zero(d, (size_t)from);
    softmax_backward(weight + from, d + from, to - from);
    vec_zero(d + to, (size_t)(S - to));
}
