#include "tensor/simd.h"

static int cap = 1;

int simd_level_available(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return 0;
#endif
}

int simd_level(void)
{
    const int level = simd_level_available();
    return level < cap ? level : cap;
}

void simd_cap(int level) { cap = level; }
