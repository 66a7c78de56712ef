/* The readout's nonlinearity, forward and backward: o = dropout(f(pre)), f the identity, tanh or
 * maxout (the larger of each pair). */
#include "model/decoder_train.h"

#include "tensor/vec.h"

#include <string.h>

void decoder_readout(const struct decoder *d, struct view pre, struct view o)
{
    for (int i = 0; i < o.rows; i++) {
        const real *from = pre.at + i * pre.row;
        real *to = o.at + i * o.row;
        if (d->readout == READOUT_MAXOUT) {
            for (int r = 0; r < d->R; r++)
                to[r] = from[2 * r] > from[2 * r + 1] ? from[2 * r] : from[2 * r + 1];
            continue;
        }
        memcpy(to, from, (size_t)d->R * sizeof(real));
        if (d->readout == READOUT_TANH)
            vec_tanh(to, (size_t)d->R);
    }
}

/* Turns a row of pre into its gradient. The stored o is f(pre) / (1 - rate). */
static void readout_row(const struct decoder *d, real *pre, const real *o, const real *d_o,
                        real keep)
{
    switch (d->readout) {
    case READOUT_LINEAR: memcpy(pre, d_o, (size_t)d->R * sizeof(real)); break;
    case READOUT_TANH:
        for (int r = 0; r < d->R; r++)
            pre[r] = d_o[r] * (1 - keep * o[r] * keep * o[r]);
        break;
    case READOUT_MAXOUT:
        for (int r = 0; r < d->R; r++) {
            const bool left = pre[2 * r] > pre[2 * r + 1];
            pre[2 * r] = left ? d_o[r] : 0;
            pre[2 * r + 1] = left ? 0 : d_o[r];
        }
        break;
    }
}

void decoder_readout_gradient(const struct decoder *d, struct view pre, struct view o,
                              struct view d_o, real keep)
{
    for (int i = 0; i < pre.rows; i++)
        readout_row(d, pre.at + i * pre.row, o.at + i * o.row, d_o.at + i * d_o.row, keep);
}

void decoder_readout_backward(const struct back *k)
{
    const struct decoder *d = k->d;
    const struct view d_o = view_of(k->t->d_o, k->s.o.rows, d->R);
    int from, to;
    worker_share(k->c->worker, d_o.rows, 1, &from, &to);
    dropout_rows(&k->drop->plain, DROPOUT_READOUT, d_o, k->b->target_place, from, to);
    decoder_readout_gradient(d, view_rows(k->s.pre, from, to - from),
                             view_rows(k->s.o, from, to - from), view_rows(d_o, from, to - from),
                             (real)(1 - k->drop->plain.rate));
}
