/* Mutates model files but keeps their container valid. It changes a tensor's numbers, shape, type
 * or name, a text, or the bytes of a table, and writes a new header and checksum. Otherwise almost
 * no mutated file would get past the header. */
#ifndef ATTEND_TESTS_FUZZ_MODEL_MUTATE_H
#define ATTEND_TESTS_FUZZ_MODEL_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Like LLVMFuzzerCustomMutator; 0 if the bytes are not a valid container. */
size_t model_mutate(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

#endif
