#include "base/checksum.h"

#include "base/rng.h"

#include <string.h>

static const uint64_t FACTOR = 0x9fb21c651e98df25u; /* odd, so multiplication is invertible */

/* Written out because compilers turn exactly this form into one load. */
static uint64_t read_word(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
}

static uint64_t absorb_word(uint64_t lane, uint64_t word)
{
    const uint64_t product = (lane ^ word) * FACTOR;
    return product << 29 | product >> 35;
}

/* The lanes are local variables so that they stay in registers. */
static void absorb(uint64_t *lane, const unsigned char *at, size_t blocks)
{
    uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];
    for (size_t i = 0; i < blocks; i++, at += CHECKSUM_BLOCK) {
        a = absorb_word(a, read_word(at));
        b = absorb_word(b, read_word(at + 8));
        c = absorb_word(c, read_word(at + 16));
        d = absorb_word(d, read_word(at + 24));
    }
    lane[0] = a, lane[1] = b, lane[2] = c, lane[3] = d;
}

void checksum_init(struct checksum *c)
{
    *c = (struct checksum){0};
    for (int i = 0; i < CHECKSUM_LANES; i++)
        c->lane[i] = (uint64_t)(i + 1) * RNG_STEP;
}

void checksum_add(struct checksum *c, const void *bytes, size_t length)
{
    if (length == 0)
        return;
    const unsigned char *at = bytes;
    const size_t filled = c->length % CHECKSUM_BLOCK, room = CHECKSUM_BLOCK - filled;
    c->length += length;
    if (length < room) {
        memcpy(c->block + filled, at, length);
        return;
    }
    if (filled) {
        memcpy(c->block + filled, at, room);
        absorb(c->lane, c->block, 1);
        at += room;
        length -= room;
    }
    const size_t rest = length % CHECKSUM_BLOCK;
    absorb(c->lane, at, length / CHECKSUM_BLOCK);
    memcpy(c->block, at + (length - rest), rest);
}

uint64_t checksum_value(const struct checksum *c)
{
    struct checksum last = *c;
    const size_t filled = c->length % CHECKSUM_BLOCK;
    if (filled) {
        memset(last.block + filled, 0, CHECKSUM_BLOCK - filled);
        absorb(last.lane, last.block, 1);
    }
    uint64_t sum = c->length;
    for (int i = 0; i < CHECKSUM_LANES; i++)
        sum = rng_mix(sum ^ last.lane[i]);
    return sum;
}
