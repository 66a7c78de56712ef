/* The loss of a decoder that writes strokes (dx, dy, pen) instead of words. A projection takes the
 * place of the embedding, a mixture (nn/mixture.h) that of the softmax; everything between them is
 * shared:
 *
 *     emb(y_{t-1}) = y_{t-1} W + b                    y_0 = (0, 0, 1): the pen is in the air
 *     P(y_t)       = mixture(W o_t + b), or the end of the trace */
#include "model/decoder_train.h"

double decoder_strokes_loss(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                            const struct batch *b, const struct decoder_loss *loss)
{
    const int M = b->target_rows;
    const struct mixture_job job = {
        .o = view_of(t->o, M, d->R),
        .stroke = view_of(b->stroke_out, M, MIXTURE_STROKE),
        .end = b->target_out,
        .scale = loss->scale,
        .d_o = loss->gradient ? view_of(t->d_o, M, d->R) : (struct view){0},
        .row_loss = loss->row_loss,
    };
    return mixture_run(&d->pen, &t->pen, c, &job);
}
