#include "nn/gradcheck.h"

#include <math.h>

static struct gradcheck_result check(gradcheck_fn *f, void *context, real *x, double analytic,
                                     real step)
{
    const real saved = *x;
    *x = saved + step;
    const double above = f(context);
    *x = saved - step;
    const double below = f(context);
    *x = saved;
    const double numeric = (above - below) / (2 * (double)step);
    const double error = fabs(analytic - numeric) / fmax(1e-3, fabs(analytic) + fabs(numeric));
    return (struct gradcheck_result){.worst = error, .analytic = analytic, .numeric = numeric};
}

struct gradcheck_result gradcheck(gradcheck_fn *f, void *context, real *x, const real *d, size_t n)
{
    struct gradcheck_result result = {0};
    for (size_t i = 0; i < n; i++) {
        struct gradcheck_result one = check(f, context, &x[i], (double)d[i], (real)1e-5);
        /* The round-off of a large loss divided by the step is like an error in a gradient of nearly
         * 0. A larger step has less of it; a wrong gradient is wrong with both. */
        if (one.worst > 1e-7) {
            const struct gradcheck_result other =
                check(f, context, &x[i], (double)d[i], (real)3e-5);
            one = other.worst < one.worst ? other : one;
        }
        one.at = i;
        if (!(one.worst <= result.worst) && !isnan(result.worst)) /* keep a NaN */
            result = one;
    }
    return result;
}
