#include "train/precision.h"

#include "base/error.h"
#include "tensor/bf16.h"

#include <string.h>

struct attend_choice precision_choice(int i)
{
    static const struct attend_choice choices[] = {
        {"float", "every processor", NULL},
        {"bf16", "faster; only on processors with AVX512_BF16", NULL},
        {0},
    };
    return choices[i];
}

bool precision_is_bf16(const char *name) { return name && strcmp(name, "bf16") == 0; }

enum attend_status precision_check(const char *name, struct attend_error *err)
{
    if (!precision_is_bf16(name) || bf16_available())
        return ATTEND_OK;
    return error_set(err, ATTEND_USAGE,
                     "`precision` bf16 needs a processor with AVX512_BF16 and the SIMD level "
                     "avx512; leave it out");
}
