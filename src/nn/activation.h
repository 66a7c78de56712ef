/* The nonlinearity between the two products of a feed-forward layer, over rows of numbers:
 *
 *     relu    y = max(x, 0)
 *     gelu    y = x Phi(x), with Phi by its tanh fit (Hendrycks and Gimpel 2016):
 *             y = x (1 + tanh(u)) / 2,  u = sqrt(2 / pi) (x + 0.044715 x^3)
 *
 * To add one: write its row in activation.c and X(name) below. */
#ifndef ATTEND_NN_ACTIVATION_H
#define ATTEND_NN_ACTIVATION_H

#include "tensor/real.h"

#include <stddef.h>

#define ACTIVATION_LIST(X) X(relu) X(gelu)

struct activation_ops {
    const char *name, *help;
    /* y = f(x), n numbers. */
    void (*forward)(const real *x, real *y, size_t n);
    /* d *= f'(x). */
    void (*backward)(const real *x, real *d, size_t n);
};

#define ACTIVATION_DECLARE(name) extern const struct activation_ops activation_##name;
ACTIVATION_LIST(ACTIVATION_DECLARE)
#undef ACTIVATION_DECLARE

extern const struct activation_ops *const activations[]; /* ended by NULL */
const struct activation_ops *activation_find(const char *name);

#endif
