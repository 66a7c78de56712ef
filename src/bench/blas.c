#include "bench/blas.h"

#include <dlfcn.h>
#include <string.h>

#ifndef ATTEND_REAL_DOUBLE

/* Constants of the CBLAS interface: row-major, not transposed. */
enum { CBLAS_ROW_MAJOR = 101, CBLAS_NO_TRANS = 111 };

/* memcpy is the portable way from an object pointer to a function pointer. */
static void find(void *library, const char *name, void *function)
{
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(function, &found, sizeof found);
}

/* The library is never unloaded: its threads would still run code that is gone. */
bool blas_open(struct blas *blas, int threads)
{
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    find(library, "cblas_sgemm", &blas->sgemm);
    find(library, "openblas_get_num_threads", &blas->get_threads);
    find(library, "openblas_set_num_threads", &blas->set_threads);
    if (!blas->sgemm || !blas->get_threads || !blas->set_threads)
        return false;
    blas->threads_before = blas->get_threads();
    blas->set_threads(threads);
    return true;
}

void blas_product(const struct blas *blas, int m, int n, int k, const real *a, const real *b,
                  real *c)
{
    blas->sgemm(CBLAS_ROW_MAJOR, CBLAS_NO_TRANS, CBLAS_NO_TRANS, m, n, k, 1, a, k, b, n, 0, c, n);
}

void blas_close(struct blas *blas) { blas->set_threads(blas->threads_before); }

#else

bool blas_open(struct blas *blas, int threads)
{
    (void)blas, (void)threads;
    return false;
}

void blas_product(const struct blas *blas, int m, int n, int k, const real *a, const real *b,
                  real *c)
{
    (void)blas, (void)m, (void)n, (void)k, (void)a, (void)b, (void)c;
}

void blas_close(struct blas *blas) { (void)blas; }

#endif
