/* Little-endian numbers in untrusted bytes. */
#ifndef ATTEND_FRAMES_BYTES_H
#define ATTEND_FRAMES_BYTES_H

#include <stdint.h>

static inline uint32_t bytes_16(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}
static inline uint32_t bytes_32(const unsigned char *at)
{
    return bytes_16(at) | bytes_16(at + 2) << 16;
}
static inline uint64_t bytes_64(const unsigned char *at)
{
    return (uint64_t)bytes_32(at) | (uint64_t)bytes_32(at + 4) << 32;
}

#endif
