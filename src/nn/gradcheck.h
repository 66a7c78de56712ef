/* Checks gradients against finite differences, for tests. In double, with steps of 1e-5 (3e-5
 * where round-off is in the way), the two agree to about 1e-8. */
#ifndef ATTEND_NN_GRADCHECK_H
#define ATTEND_NN_GRADCHECK_H

#include "tensor/real.h"

#include <stddef.h>

/* The scalar whose gradient is checked, at the current values. */
typedef double gradcheck_fn(void *context);

struct gradcheck_result {
    double worst; /* largest |analytic - numeric| / max(1e-3, |analytic| + |numeric|) */
    size_t at;    /* index of the worst */
    double analytic, numeric;
};

/* Compare d (n) with central differences of f over x (n). x is restored. */
struct gradcheck_result gradcheck(gradcheck_fn *f, void *context, real *x, const real *d, size_t n);

#endif
