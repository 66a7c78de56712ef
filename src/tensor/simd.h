/* One binary for every x86-64 processor: a hot function is written once, as plain C, and compiled
 * for each SIMD level.
 *
 *     SIMD_BODY void scale_body(real *x, real by, int n)
 *     {
 *         for (int i = 0; i < n; i++)
 *             x[i] *= by;
 *     }
 *     SIMD_FUNCTION(scale, (real *x, real by, int n), (x, by, n))
 *
 * defines `void scale(real *x, real by, int n)`. It runs the body compiled for the highest level of
 * the processor. A body must inline everything that it calls. Code that needs the width of the
 * registers is a file that is included once for each level (tensor/gemm_tile.h); SIMD_DISPATCH
 * chooses among its functions. */
#ifndef ATTEND_TENSOR_SIMD_H
#define ATTEND_TENSOR_SIMD_H

#include "tensor/real.h"

/* Plain is the build's own target. AVX2 means with FMA, AVX-512 with its BW, DQ and VL. */
enum simd { SIMD_PLAIN, SIMD_AVX2, SIMD_AVX512, SIMD_LEVELS };

/* The level in use. */
enum simd simd_level(void);
/* The highest level of this processor, whatever simd_cap says. */
enum simd simd_level_available(void);
/* Limit the level, before anything is computed; not thread-safe. SIMD_LEVELS: no limit. */
void simd_cap(int level);
/* plain, avx2, avx512. simd_find returns SIMD_LEVELS for another name. */
const char *simd_name(enum simd level);
enum simd simd_find(const char *name);

#define SIMD_BODY static inline __attribute__((always_inline))

#define SIMD_FUNCTION(name, params, args) SIMD_DEFINE(, name, params, args)
#define SIMD_STATIC(name, params, args) SIMD_DEFINE(static, name, params, args)

#if defined(__x86_64__)
#if defined(__clang__)
#define SIMD_WIDE "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl"
#else
#define SIMD_WIDE "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"
#endif
#define SIMD_TARGET_plain
#define SIMD_TARGET_avx2 __attribute__((target("avx2,fma")))
#define SIMD_TARGET_avx512 __attribute__((target(SIMD_WIDE)))

#define SIMD_DEFINE(linkage, name, params, args)                                                   \
    SIMD_TARGET_avx512 static void name##_avx512 params { name##_body args; }                      \
    SIMD_TARGET_avx2 static void name##_avx2 params { name##_body args; }                          \
    static void name##_plain params { name##_body args; }                                          \
    SIMD_DISPATCH(linkage, name, params, args)
#define SIMD_DISPATCH(linkage, name, params, args)                                                 \
    linkage void name params                                                                       \
    {                                                                                              \
        switch (simd_level()) {                                                                    \
        case SIMD_AVX512: name##_avx512 args; break;                                               \
        case SIMD_AVX2: name##_avx2 args; break;                                                   \
        default: name##_plain args; break;                                                         \
        }                                                                                          \
    }
#else
#define SIMD_TARGET_plain
#define SIMD_DEFINE(linkage, name, params, args)                                                   \
    linkage void name params { name##_body args; }
#define SIMD_DISPATCH(linkage, name, params, args)                                                 \
    linkage void name params { name##_plain args; }
#endif

#endif
