#include "base/rng.h"

#include <math.h>

double rng_normal(uint64_t key, uint64_t i)
{
    const double tau = 6.283185307179586;
    const double radius = sqrt(-2 * log(1 - rng_uniform(key, 2 * i)));
    return radius * cos(tau * rng_uniform(key, 2 * i + 1));
}

void rng_shuffle(uint64_t key, int *items, int n)
{
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)rng_below(key, (uint64_t)i, (uint32_t)i + 1);
        const int item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}
