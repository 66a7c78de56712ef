/* Inputs of 8 bits, multiplied in groups of four by AVX-512 VNNI or AVX-VNNI. */
#include "tensor/quant_form.h"

/* A panel is as many columns as there are sums in 64 bytes, which it is not in double. */
#if defined(__x86_64__) && !defined(ATTEND_REAL_DOUBLE)
#include <cpuid.h>
#include <immintrin.h>
#include <string.h>

enum { INPUT = 127, SHIFT = 128, PANEL = QUANT_PANEL };

_Static_assert((int64_t)QUANT_DEPTH *(INPUT + SHIFT) * 2 * (QUANT_WEIGHT + 1) <= INT32_MAX,
               "a sum fits, wherever it starts");
_Static_assert(PANEL * sizeof(int32_t) == sizeof(__m512i), "a panel's sums are one vector");

SIMD_BODY void round_rows_body(struct view A, int depth, void *x, real *scale)
{
    for (int i = 0; i < A.rows; i++) {
        const real *row = A.at + i * A.row;
        const real by = quant_factor(row, A.cols, INPUT, &scale[i]);
        uint8_t *to = (uint8_t *)x + (ptrdiff_t)i * depth;
        for (int k = 0; k < A.cols; k++)
            to[k] = (uint8_t)(quant_round(row[k] * by, INPUT) + SHIFT);
        for (int k = A.cols; k < depth; k++)
            to[k] = SHIFT;
    }
}
SIMD_STATIC(round_rows, (struct view A, int depth, void *x, real *scale), (A, depth, x, scale))

#define WIDTH wide
#define TARGET __attribute__((target(SIMD_WIDE ",avx512vnni")))
#define VECTOR 64
#define SUMS 16
#define TILE_M 8
#define PANELS 8
#define DOT(sum, x, b) ((vec_wide)_mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(x), (__m512i)(b)))
#include "tensor/quant_quads_tile.h"

#define WIDTH narrow
#define TARGET __attribute__((target("avx2,fma,avxvnni")))
#define VECTOR 32
#define SUMS 12
#define TILE_M 6
#define PANELS 4
#define DOT(sum, x, b)                                                                             \
    ((vec_narrow)_mm256_dpbusd_avx_epi32((__m256i)(sum), (__m256i)(x), (__m256i)(b)))
#include "tensor/quant_quads_tile.h"

/* clang 14 does not know the name of AVX-VNNI in __builtin_cpu_supports. */
static bool has_avx_vnni(void)
{
    const unsigned avx_vnni = 1u << 4;
    unsigned a, b, c, d;
    return simd_level_available() >= SIMD_AVX2 && __get_cpuid_count(7, 1, &a, &b, &c, &d) &&
           (a & avx_vnni);
}

const struct quant_form *quant_quads_narrow(void) { return has_avx_vnni() ? &quads_narrow : NULL; }

const struct quant_form *quant_quads(void)
{
    if (simd_level() == SIMD_AVX512)
        return __builtin_cpu_supports("avx512vnni") ? &quads_wide : NULL;
    const bool limited = simd_level() < simd_level_available();
    return simd_level() == SIMD_AVX2 && !limited ? quant_quads_narrow() : NULL;
}
#else
const struct quant_form *quant_quads_narrow(void) { return NULL; }
const struct quant_form *quant_quads(void) { return NULL; }
#endif
