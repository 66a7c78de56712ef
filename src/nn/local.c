/* Local attention with a predicted center (Luong, Pham and Manning 2015, local-p). n is the length
 * of the sentence, key = h W_key:
 *
 *     p_i  = (n - 1) sigmoid(v . tanh(query_i))             query = s W_query + b_query
 *     e_ij = s_i . key_j - (j - p_i)^2 / (2 sigma^2)        sigma = span / 2
 *
 * over the positions |j - p_i| <= span; no score outside is computed, so a step costs the same
 * whatever n is. Unlike in the paper, the Gaussian is inside the softmax, so the weights sum to 1.
 * The choice of positions has no gradient. */
#include "nn/dot_product.h"

#include "base/bug.h"
#include "tensor/vec.h"

static int query_width(const struct attention_dims *dims) { return dims->A; }

static void declare(struct attention *l, struct param_set *set, const char *path)
{
    BUG_ON(l->dims.span < 1);
    param_declare(set, &l->extra[0], path, "v", 1, l->dims.A);
    param_start(&l->extra[0], PARAM_NORMAL, 1 / sqrt(l->dims.A));
}

struct window {
    real share, center; /* center = (n - 1) share */
    int from, to;       /* positions in the window; at least one, since some j is within 1/2 of the
                         * center */
};

static struct window window_of(const struct attention *l, const real *query, int length)
{
    const real *v = l->extra[0].value;
    real sum = 0;
    for (int a = 0; a < l->Q; a++)
        sum += v[a] * fast_tanh(query[a]);
    struct window w = {.share = fast_sigmoid(sum)};
    w.center = (real)(length - 1) * w.share;
    const double from = ceil((double)w.center - l->dims.span),
                 to = floor((double)w.center + l->dims.span) + 1;
    w.from = from > 0 ? (int)from : 0; /* all positions when the center is NaN */
    w.to = to < length ? (int)to : length;
    return w;
}

/* 1 / sigma^2 */
static real precision(const struct attention *l)
{
    return (real)(4 / ((double)l->dims.span * l->dims.span));
}

static void forward(const struct attention *l, const struct attention_rows *rows)
{
    const real half = precision(l) / 2;
    for (int i = 0; i < rows->weight.rows; i++) {
        const struct window w = window_of(l, rows->query.at + i * rows->query.row,
                                          rows->length[attention_sentence(rows, i)]);
        real *e = rows->weight.at + i * rows->weight.row;
        dot_product_reach(rows, i, w.from, w.to);
        for (int j = w.from; j < w.to; j++) {
            const real off = (real)j - w.center;
            e[j] -= half * off * off;
        }
        attention_weigh(rows, i, ATTENTION_ONE_HEAD, w.from, w.to);
    }
}

/* center = (n - 1) sigmoid(v . tanh(query)) */
static void center_backward(const struct attention *l, const real *query, real d_sum, real *d_query,
                            real *d_v)
{
    const real *v = l->extra[0].value;
    for (int a = 0; a < l->Q; a++) {
        const real t = fast_tanh(query[a]);
        d_query[a] = d_sum * v[a] * (1 - t * t);
        d_v[a] += d_sum * t;
    }
}

static void backward(const struct attention *l, const struct attention_rows *rows,
                     const struct attention_gradient *g)
{
    for (int i = 0; i < rows->weight.rows; i++) {
        const int length = rows->length[attention_sentence(rows, i)];
        const real *query = rows->query.at + i * rows->query.row;
        const struct window w = window_of(l, query, length);
        real *d_e = g->d_weight.at + i * g->d_weight.row, d_center = 0;
        attention_softmax_backward(rows->weight.at + i * rows->weight.row, d_e, w.from, w.to,
                                   rows->weight.cols);
        for (int j = w.from; j < w.to; j++)
            d_center += d_e[j] * precision(l) * ((real)j - w.center);
        center_backward(l, query, d_center * w.center * (1 - w.share),
                        g->d_query.at + i * g->d_query.row, g->d_extra[0]);
        dot_product_reach_backward(rows, g, i, w.from, w.to);
    }
}

const struct attention_ops attention_local = {
    .name = "local",
    .help = "s . W h near a center that the state predicts: Luong's local-p",
    .keys = ATTENTION_PROJECTED_KEYS,
    .query_width = query_width,
    .key_width = dot_product_key_width,
    .declare = declare,
    .forward = forward,
    .backward = backward,
};
