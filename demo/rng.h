/* Random choices that are the same on every machine. */
#ifndef DEMO_RNG_H
#define DEMO_RNG_H

#include <stdbool.h>
#include <stdint.h>

/* splitmix64: the n-th number is a hash of seed + n. */
struct rng {
    uint64_t state;
};

uint64_t rng_next(struct rng *rng);

/* A number in 0 .. bound-1. */
int rng_below(struct rng *rng, int bound);

bool chance(struct rng *rng, int percent);

/* An index, sampled in proportion to the weights. */
int draw_weighted(struct rng *rng, const int *weights, int count);

/* The index of one of the bits set in the mask, which is not 0. */
int draw_bit(struct rng *rng, unsigned mask);

#endif
