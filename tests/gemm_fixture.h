/* Random matrices, scratch memory and the comparison with plain loops, for tests of products. */
#ifndef ATTEND_TESTS_GEMM_FIXTURE_H
#define ATTEND_TESTS_GEMM_FIXTURE_H

#include "tensor/gemm.h"

#include "base/arena.h"
#include "base/rng.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* C (+)= A B by plain loops. */
typedef void plain_fn(struct view A, struct view B, struct view C, bool add);

/* Scratch memory for products of floats; `bf16` in it may be set. */
struct fixture {
    struct arena arena;
    struct gemm_scratch scratch;
    plain_fn *plain;
};

static inline void fixture_bind(struct fixture *f, struct arena *arena)
{
    gemm_scratch_bind(&f->scratch, arena);
    gemm_scratch_bind_bf16(&f->scratch, arena);
}

static inline struct fixture fixture_new(void)
{
    struct fixture f = {.plain = gemm_plain};
    struct arena count = {0};
    fixture_bind(&f, &count);
    assert_int_equal(arena_reserve(&f.arena, count.used, NULL), ATTEND_OK);
    fixture_bind(&f, &f.arena);
    return f;
}

/* Numbers in [-1, 1). */
static inline real *numbers(uint64_t key, size_t count)
{
    real *x = malloc((count ? count : 1) * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < count; i++)
        x[i] = (real)(2 * rng_uniform(key, i) - 1);
    return x;
}

static inline real *copy_of(const real *x, size_t count)
{
    real *y = malloc(count * sizeof *y);
    assert_non_null(y);
    memcpy(y, x, count * sizeof *y);
    return y;
}

static inline struct packed packed_new(struct arena *arena, int K, int N)
{
    struct arena count = {0};
    struct packed p;
    packed_bind(&p, &count, K, N);
    assert_int_equal(arena_reserve(arena, count.used, NULL), ATTEND_OK);
    packed_bind(&p, arena, K, N);
    memset(p.at, 0xff, count.used); /* NaN: elements that fill misses show up in the product */
    return p;
}

/* The rounding error grows with the length of the sum; the terms are at most 1. */
static inline double tolerance(int K)
{
    return (sizeof(real) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON) * (4 + K);
}

static inline void assert_all_near(const real *got, const real *want, size_t count, double within)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)got[i] - (double)want[i]) <= within))
            assert_near((double)got[i], (double)want[i], within);
}

static inline void assert_same_bits(const real *got, const real *want, size_t count)
{
    assert_memory_equal(got, want, count * sizeof *got);
}

struct shape {
    int M, N, K;
    bool A_transposed, B_transposed, add;
    int gap; /* padding columns in the memory of C */
};

/* A rows x cols matrix, stored by rows or by columns. */
static inline struct view stored(real *at, int rows, int cols, bool transposed)
{
    return transposed ? view_transposed(view_of(at, cols, rows)) : view_of(at, rows, cols);
}

/* Compares all of C's memory, including the padding, so writes outside C are found too. */
static inline void check_shape(struct fixture *f, struct shape s)
{
    const size_t stride = (size_t)(s.N + s.gap), count = (size_t)s.M * stride;
    real *a = numbers(1, (size_t)s.M * (size_t)s.K), *b = numbers(2, (size_t)s.K * (size_t)s.N),
         *got = numbers(3, count), *want = copy_of(got, count);
    const struct view A = stored(a, s.M, s.K, s.A_transposed),
                      B = stored(b, s.K, s.N, s.B_transposed);
    gemm(&f->scratch, A, B, view_strided(got, s.M, s.N, (ptrdiff_t)stride), s.add);
    f->plain(A, B, view_strided(want, s.M, s.N, (ptrdiff_t)stride), s.add);
    assert_all_near(got, want, count, tolerance(s.K));
    free(a);
    free(b);
    free(got);
    free(want);
}

#endif
