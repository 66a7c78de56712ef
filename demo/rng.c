#include "rng.h"

uint64_t rng_next(struct rng *rng)
{
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int rng_below(struct rng *rng, int bound) { return (int)((rng_next(rng) >> 33) % (uint64_t)bound); }

bool chance(struct rng *rng, int percent) { return rng_below(rng, 100) < percent; }

/* An index, sampled in proportion to the weights. */
int draw_weighted(struct rng *rng, const int *weights, int count)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        total += weights[i];
    int left = rng_below(rng, total);
    int index = 0;
    while (left >= weights[index])
        left -= weights[index++];
    return index;
}

/* The index of one of the bits set in the mask, which is not 0. */
int draw_bit(struct rng *rng, unsigned mask)
{
    int index;
    do
        index = rng_below(rng, 32);
    while (!(mask >> index & 1u));
    return index;
}
