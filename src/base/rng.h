/* Counter-based random numbers: each number is a function of a key and a position. Threads, ranks
 * and resumed runs that ask for the same number get the same value, in any order.
 *
 * A key says what the number is for: rng_key(rng_key(rng_seed(seed), update), sentence) and so on.
 * The mixing function is the finalizer of SplitMix64 (Steele, Lea and Flood 2014), a bijection with
 * good avalanche. */
#ifndef ATTEND_BASE_RNG_H
#define ATTEND_BASE_RNG_H

#include <stdint.h>

static inline uint64_t rng_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static const uint64_t RNG_STEP = 0x9e3779b97f4a7c15u; /* odd, near 2^64 / golden ratio */

/* Derive the key for `part` from `key`. */
static inline uint64_t rng_key(uint64_t key, uint64_t part)
{
    return rng_mix(key + (part + 1) * RNG_STEP);
}

static inline uint64_t rng_seed(uint64_t seed) { return rng_mix(seed ^ 0x6a09e667f3bcc909u); }

/* 64 random bits at position i under a key. */
static inline uint64_t rng_bits(uint64_t key, uint64_t i)
{
    return rng_mix(key ^ rng_mix(i * RNG_STEP + 1));
}

/* Uniform in [0, 1). */
static inline double rng_uniform(uint64_t key, uint64_t i)
{
    return (double)(rng_bits(key, i) >> 11) * 0x1p-53;
}

/* Uniform in 0 .. n-1; n is far below 2^64, so the bias of the multiplication is below 2^-32. */
static inline uint64_t rng_below(uint64_t key, uint64_t i, uint32_t n)
{
    return ((rng_bits(key, i) >> 32) * n) >> 32;
}

/* Standard normal (Box-Muller, one of the pair). */
double rng_normal(uint64_t key, uint64_t i);

/* Shuffle n items (Fisher and Yates). */
void rng_shuffle(uint64_t key, int *items, int n);

#endif
