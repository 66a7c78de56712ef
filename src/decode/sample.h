/* Samples a word from softmax(logits / temperature) over the likeliest words. */
#ifndef ATTEND_DECODE_SAMPLE_H
#define ATTEND_DECODE_SAMPLE_H

#include "tensor/real.h"

struct sample_item {
    real logit;
    int token;
};

struct sample_rule {
    double temperature;
    int top_k;    /* 0: all */
    double top_p; /* 1: all */
};

/* `u` is uniform in [0, 1). Words with a logit of -infinity are never sampled; returns -1 if all
 * are. `work` has room for V items. */
int sample_token(const real *logits, int V, const struct sample_rule *, double u,
                 struct sample_item *work);

#endif
