#include "nn/dropout.h"

#include "base/rng.h"
#include "tensor/simd.h"
#include "tensor/vec.h"

/* A 32-bit counter hash that a compiler can vectorize: multiply and shift twice (the lowbias32
 * pattern). */
SIMD_BODY uint32_t bits_at(uint32_t i, uint32_t low, uint32_t high)
{
    uint32_t x = i * 0x9e3779b1u + low;
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= (x >> 15) ^ high;
    x *= 0x735a2d97u;
    return x ^ (x >> 15);
}

SIMD_BODY void mask_body(real *x, int n, uint32_t threshold, real scale, uint64_t key)
{
    const uint32_t low = (uint32_t)key, high = (uint32_t)(key >> 32);
    for (int i = 0; i < n; i++) {
        const uint32_t bits = bits_at((uint32_t)i, low, high) >> 1;
        x[i] = (int32_t)bits < (int32_t)threshold ? 0 : x[i] * scale;
    }
}
SIMD_STATIC(mask, (real * x, int n, uint32_t threshold, real scale, uint64_t key),
            (x, n, threshold, scale, key))

static uint64_t key_at(const struct dropout *d, int site, int sentence, int position)
{
    return rng_key(rng_key(rng_key(d->key, (uint64_t)site), (uint64_t)sentence),
                   (uint64_t)position);
}

void dropout_row(const struct dropout *d, int site, int sentence, int position, real *x, int n)
{
    if (d->rate <= 0)
        return;
    mask(x, n, (uint32_t)(d->rate * 0x1p31), (real)(1 / (1 - d->rate)),
         key_at(d, site, sentence, position));
}

void dropout_rows(const struct dropout *d, int site, struct view x, const int *place, int from,
                  int to)
{
    for (int i = from; i < to; i++)
        dropout_row(d, site, place[2 * i], place[2 * i + 1], x.at + i * x.row, x.cols);
}

void dropout_sentences(const struct dropout *d, int site, struct view x, const int *place, int from,
                       int to)
{
    enum { NO_POSITION = -1 };
    for (int i = from; i < to; i++)
        dropout_row(d, site, place[2 * i], NO_POSITION, x.at + i * x.row, x.cols);
}

void dropout_words(const struct dropout *d, int site, struct view x, const int *place, int from,
                   int to)
{
    for (int i = from; i < to && d->rate > 0; i++)
        if (rng_uniform(key_at(d, site, place[2 * i], place[2 * i + 1]), 0) < d->rate)
            vec_zero(x.at + i * x.row, (size_t)x.cols);
}

bool dropout_whole(const struct dropout *d, int site)
{
    return d->rate > 0 && rng_uniform(key_at(d, site, 0, 0), 0) < d->rate;
}
