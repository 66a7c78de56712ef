/* Exact hard monotonic attention (Wu and Cotterell 2019): each word looks at one position, which
 * never moves back.
 *
 *     e_ij = s_i . key_j                                   key = (h W_key)[0 .. H - 1]
 *
 * nn/alignments.h has the distribution of a position given the last one, which these scores give
 * (and with --monotonic-order 1 also jump scores: the query s W_query + b_query of J columns, and J
 * more columns of the key), and the sum over all sequences of positions. What forward leaves as
 * weights, softmax_j(e_ij), knows nothing of the last position; the decoder replaces it. Backward
 * takes the gradient of e in d_score; that of the jumps is the decoder's. */
#include "nn/alignments.h"
#include "nn/dot_product.h"

#include "tensor/vec.h"

static int query_width(const struct attention_dims *dims)
{
    return dims->order ? ALIGNMENTS_JUMPS : 0;
}

static int key_width(const struct attention_dims *dims) { return dims->H + query_width(dims); }

/* The columns of the key that the state multiplies. */
static struct attention_rows content(const struct attention *l, const struct attention_rows *rows)
{
    struct attention_rows out = *rows;
    out.key = view_cols(rows->key, 0, l->dims.H);
    return out;
}

static void forward(const struct attention *l, const struct attention_rows *rows)
{
    const struct attention_rows scored = content(l, rows);
    dot_product_forward(l, &scored);
}

static void backward(const struct attention *l, const struct attention_rows *rows,
                     const struct attention_gradient *g)
{
    const struct attention_rows scored = content(l, rows);
    dot_product_softmax_backward(&scored, g, 1);
    for (int i = 0; i < rows->weight.rows; i++) {
        if (g->d_score.at)
            vec_add(g->d_weight.at + i * g->d_weight.row, g->d_score.at + i * g->d_score.row,
                    (size_t)rows->length[attention_sentence(rows, i)]);
        vec_zero(g->d_query.at + i * g->d_query.row, (size_t)l->Q);
    }
    dot_product_scores_backward(&scored, g, 1, 1);
}

const struct attention_ops attention_monotonic = {
    .name = "monotonic",
    .help = "one position a word, never back: a sum over alignments",
    .alias = "hard",
    .keys = ATTENTION_PROJECTED_KEYS,
    .hard = true,
    .query_width = query_width,
    .key_width = key_width,
    .forward = forward,
    .backward = backward,
};
