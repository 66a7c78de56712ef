#include "report/measures.h"

#include "attend/explain.h"

#include <stddef.h>

const char *attend_measure_name(int measure)
{
    static const char *const names[] = {"attention", "leave-one-out", "gradient",
                                        "integrated gradients", "random"};
    return measure >= 0 && measure < ATTEND_ORDERS ? names[measure] : NULL;
}

const char *measure_key(int measure)
{
    static const char *const keys[] = {"attention", "leave_one_out", "gradient",
                                       "integrated_gradients", "random"};
    return keys[measure];
}
