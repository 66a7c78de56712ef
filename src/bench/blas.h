/* The matrix product of OpenBLAS, loaded at run time, so that only the benchmark depends on it. */
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

/* Open OpenBLAS with this many threads. False, with nothing to close, if it is not installed or
 * `real` is double. */
bool blas_open(struct blas *, int threads);
/* c (m, n) = a (m, k) b (k, n), all contiguous. */
void blas_product(const struct blas *, int m, int n, int k, const real *a, const real *b, real *c);
/* Restore the number of threads, which OpenBLAS sets for the whole process. */
void blas_close(struct blas *);

#endif
