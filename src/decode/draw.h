/* Drawing a word: softmax(logits / temperature) over the likeliest words. */
#ifndef ATTEND_DECODE_DRAW_H
#define ATTEND_DECODE_DRAW_H

#include "tensor/real.h"

struct draw_item {
    real logit;
    int token;
};

struct draw_rule {
    double temperature;
    int top_k;    /* 0: all */
    double top_p; /* 1: all */
};

/* `u` is uniform in [0, 1). Words whose logit is -infinity are never drawn; -1 when all are. `work`
 * has V places. */
int draw_token(const real *logits, int V, const struct draw_rule *, double u,
               struct draw_item *work);

#endif
