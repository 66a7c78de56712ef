/* Mutation of model files that keeps their container whole: what is changed is a tensor's numbers,
 * shape, type or name, a text, or the bytes of a table, and the header and the checksum are made
 * anew. Without it hardly a mutated file would get past the header. */
#ifndef ATTEND_TESTS_FUZZ_MODEL_MUTATE_H
#define ATTEND_TESTS_FUZZ_MODEL_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* As LLVMFuzzerCustomMutator; 0 when the bytes are no container that can be taken apart. */
size_t model_mutate(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

#endif
