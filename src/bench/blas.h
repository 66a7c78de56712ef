/* OpenBLAS's product, looked for when the program runs, so that nothing but a measurement depends
 * on it. */
#ifndef ATTEND_BENCH_BLAS_H
#define ATTEND_BENCH_BLAS_H

#include "tensor/real.h"

#include <stdbool.h>

typedef void blas_sgemm_fn(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                           const float *a, int lda, const float *b, int ldb, float beta, float *c,
                           int ldc);
struct blas {
    blas_sgemm_fn *sgemm;
    int (*get_threads)(void);
    void (*set_threads)(int);
    int threads_before;
};

/* With so many threads. False, and nothing to close, when it is not installed or `real` is double.
 */
bool blas_open(struct blas *, int threads);
/* c (m, n) = a (m, k) b (k, n), each without gaps between its rows. */
void blas_product(const struct blas *, int m, int n, int k, const real *a, const real *b, real *c);
/* Put the number of threads back, which OpenBLAS counts for the whole process. */
void blas_close(struct blas *);

#endif
