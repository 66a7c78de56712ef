#include "attend/processor.h"

#include "base/error.h"
#include "tensor/simd.h"

enum attend_status attend_processor_limit(const char *level, struct attend_error *err)
{
    const enum simd wanted = level ? simd_find(level) : simd_level_available();
    if (wanted == SIMD_LEVELS)
        return error_set(err, ATTEND_USAGE,
                         "there is no SIMD level '%.32s'; the levels are plain, avx2 and avx512",
                         level);
    if (wanted > simd_level_available())
        return error_set(err, ATTEND_USAGE, "this processor has no %s; its highest level is %s",
                         level, simd_name(simd_level_available()));
    simd_cap(wanted);
    return ATTEND_OK;
}

const char *attend_processor_level(void) { return simd_name(simd_level()); }
