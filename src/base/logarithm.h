/* Addition of probabilities that are given as logarithms. */
#ifndef ATTEND_BASE_LOGARITHM_H
#define ATTEND_BASE_LOGARITHM_H

#include <math.h>

/* log(exp(a) + exp(b)); -infinity is the logarithm of 0. */
static inline double log_add(double a, double b)
{
    const double most = fmax(a, b), least = fmin(a, b);
    return isinf(least) ? most : most + log1p(exp(least - most));
}

#endif
