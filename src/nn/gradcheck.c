#include "nn/gradcheck.h"

#include <math.h>

struct gradcheck_result gradcheck(gradcheck_fn *f, void *context, real *x, const real *d, size_t n)
{
    const real step = (real)1e-5;
    struct gradcheck_result result = {0};
    for (size_t i = 0; i < n; i++) {
        const real saved = x[i];
        x[i] = saved + step;
        const double above = f(context);
        x[i] = saved - step;
        const double below = f(context);
        x[i] = saved;
        const double numeric = (above - below) / (2 * (double)step), analytic = (double)d[i];
        const double error = fabs(analytic - numeric) / fmax(1e-3, fabs(analytic) + fabs(numeric));
        if (!(error <= result.worst) && !isnan(result.worst)) /* a NaN stays */
            result = (struct gradcheck_result){error, i, analytic, numeric};
    }
    return result;
}
