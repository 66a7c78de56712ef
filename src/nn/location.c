/* Location attention (Luong, Pham and Manning 2015): the scores depend only on the state.
 *
 *     e_ij = query_ij      query = s W_query + b_query, one column for each position
 *
 * Positions beyond the longest training source get weight 0. */
#include "nn/attention.h"

#include "tensor/vec.h"

static int query_width(const struct attention_dims *dims) { return dims->positions; }

/* The number of positions that row i can attend to. */
static int reach(const struct attention *l, const struct attention_rows *rows, int i)
{
    const int length = rows->length[attention_sentence(rows, i)];
    return length < l->Q ? length : l->Q;
}

static void forward(const struct attention *l, const struct attention_rows *rows)
{
    for (int i = 0; i < rows->weight.rows; i++) {
        const int n = reach(l, rows, i);
        real *weight = rows->weight.at + i * rows->weight.row;
        memcpy(weight, rows->query.at + i * rows->query.row, (size_t)n * sizeof *weight);
        attention_weigh(rows, i, ATTENTION_ONE_HEAD, 0, n);
    }
}

static void backward(const struct attention *l, const struct attention_rows *rows,
                     const struct attention_gradient *g)
{
    for (int i = 0; i < rows->weight.rows; i++) {
        const int n = reach(l, rows, i);
        real *d_e = g->d_weight.at + i * g->d_weight.row,
             *d_query = g->d_query.at + i * g->d_query.row;
        attention_softmax_backward(rows->weight.at + i * rows->weight.row, d_e, 0, n,
                                   rows->weight.cols);
        memcpy(d_query, d_e, (size_t)n * sizeof *d_e);
        vec_zero(d_query + n, (size_t)(l->Q - n));
    }
}

const struct attention_ops attention_location = {
    .name = "location",
    .help = "W s: one score per position of the training sources, from the state alone",
    .keys = ATTENTION_NO_KEYS,
    .query_width = query_width,
    .forward = forward,
    .backward = backward,
};
