/* A fast 64-bit checksum. It detects damage, not forgery.
 *
 * The bytes are read as little-endian 64-bit words w_0, w_1, ...; zeros fill up the last block. The
 * words go to four lanes in turn, so that the multiplications overlap:
 *
 *     lane_i = rotate((lane_i ^ w) * odd, 29)             for i = 0 1 2 3 0 1 ...
 *     sum    = number of bytes, then four times sum = mix(sum ^ lane_i)
 *
 * Every step is a bijection of the word and of the lane. So a change within one word, such as a
 * single flipped bit, always changes the sum; any other change goes unnoticed with probability
 * 2^-64. Files store these sums, so the function must never change. */
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
/* The result does not depend on how the bytes are divided into calls. */
void checksum_add(struct checksum *, const void *bytes, size_t length);
/* The checksum of everything added so far; more bytes may follow. */
uint64_t checksum_value(const struct checksum *);

#endif
