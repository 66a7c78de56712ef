#include "tensor/simd.h"

#include <string.h>

static int cap = SIMD_LEVELS;

enum simd simd_level_available(void)
{
#if defined(__x86_64__)
    /* Whatever has VL has the older parts of AVX-512, AVX2 and FMA, too. */
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
        return SIMD_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return SIMD_AVX2;
#endif
    return SIMD_PLAIN;
}

enum simd simd_level(void)
{
    const enum simd level = simd_level_available();
    return (int)level < cap ? level : (enum simd)cap;
}

void simd_cap(int level) { cap = level; }

static const char *const names[SIMD_LEVELS] = {"plain", "avx2", "avx512"};

const char *simd_name(enum simd level) { return names[level]; }

enum simd simd_find(const char *name)
{
    int level = 0;
    while (level < SIMD_LEVELS && strcmp(name, names[level]) != 0)
        level++;
    return (enum simd)level;
}
