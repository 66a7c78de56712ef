/* SHA-256 of FIPS 180-4: browsers compare the scripts of a page with it. */
#ifndef ATTEND_BASE_SHA256_H
#define ATTEND_BASE_SHA256_H

#include <stddef.h>

enum { SHA256_SIZE = 32 };

void sha256(const void *bytes, size_t length, unsigned char digest[SHA256_SIZE]);

#endif
