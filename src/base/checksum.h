/* A fast 64-bit checksum of bytes: it finds damage, it does not stop forgery.
 *
 * The bytes are read as little-endian 64-bit words w_0, w_1, ..., the last block filled up with
 * zeros, and dealt to four lanes in turn so that the multiplications overlap:
 *
 *     lane_i = rotate((lane_i ^ w) * odd, 29)             for i = 0 1 2 3 0 1 ...
 *     sum    = number of bytes, then four times sum = mix(sum ^ lane_i)
 *
 * Every step is a bijection of the word and of the lane, so a change within one word (any single
 * bit, for one) always changes the sum; any other change slips through once in 2^64. Files hold
 * these sums: the function never changes. */
#ifndef ATTEND_BASE_CHECKSUM_H
#define ATTEND_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_LANES = 4, CHECKSUM_BLOCK = 8 * CHECKSUM_LANES };

struct checksum {
    uint64_t lane[CHECKSUM_LANES];
    uint64_t length;                     /* bytes so far */
    unsigned char block[CHECKSUM_BLOCK]; /* the last length % CHECKSUM_BLOCK of them */
};

void checksum_init(struct checksum *);
/* How the bytes are cut into calls makes no difference. */
void checksum_add(struct checksum *, const void *bytes, size_t length);
/* Of everything added so far; more may follow. */
uint64_t checksum_value(const struct checksum *);

#endif
