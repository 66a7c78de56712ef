/* One binary for every x86-64 processor: a hot function is written once, as plain C or with `vec`,
 * and compiled for each SIMD level.
 *
 *     SIMD_BODY void scale_body(real *x, real by, int n)
 *     {
 *         for (int i = 0; i < n; i++)
 *             x[i] *= by;
 *     }
 *     SIMD_FUNCTION(scale, (real *x, real by, int n), (x, by, n))
 *
 * defines `void scale(real *x, real by, int n)`. It runs the body compiled for AVX2 and FMA if the
 * processor has both, otherwise the body compiled for the build's own target. A body must inline
 * everything that it calls. */
#ifndef ATTEND_TENSOR_SIMD_H
#define ATTEND_TENSOR_SIMD_H

#include "tensor/real.h"

/* The level in use: 0 is the build's own target, 1 is AVX2 with FMA. */
int simd_level(void);
/* The highest level of this processor, whatever simd_cap says. */
int simd_level_available(void);
/* Limit the level, for tests that compare levels; not thread-safe. */
void simd_cap(int level);

#define SIMD_BODY static inline __attribute__((always_inline))

#define SIMD_FUNCTION(name, params, args) SIMD_DEFINE(, name, params, args)
#define SIMD_STATIC(name, params, args) SIMD_DEFINE(static, name, params, args)

#if defined(__x86_64__)
#define SIMD_DEFINE(linkage, name, params, args)                                                   \
    __attribute__((target("avx2,fma"))) static void name##_avx2 params { name##_body args; }       \
    static void name##_base params { name##_body args; }                                           \
    linkage void name params                                                                       \
    {                                                                                              \
        if (simd_level() > 0)                                                                      \
            name##_avx2 args;                                                                      \
        else                                                                                       \
            name##_base args;                                                                      \
    }
#else
#define SIMD_DEFINE(linkage, name, params, args)                                                   \
    linkage void name params { name##_body args; }
#endif

/* A vector of 32 bytes, which the compiler splits where registers are narrower. It must not be a
 * parameter or a result: the calling convention would differ between levels. vec_at reads and
 * writes one at any address of a real. */
typedef real vec __attribute__((vector_size(32)));
typedef real vec_at __attribute__((vector_size(32), aligned(sizeof(real)), may_alias));
enum { VEC_LANES = 32 / sizeof(real) };

#endif
