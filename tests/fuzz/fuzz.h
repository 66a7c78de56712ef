/* Shared by the fuzz targets. A target is one file that defines LLVMFuzzerTestOneInput. It takes
 * any bytes and states what must hold for them with FUZZ_CHECK; the sanitizers find the rest. */
#ifndef ATTEND_TESTS_FUZZ_H
#define ATTEND_TESTS_FUZZ_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* For targets with their own mutator; libFuzzer has the default one. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Abort with a message, so that libFuzzer keeps the input. */
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_fail(__FILE__, __LINE__, #condition);                                             \
    } while (0)
_Noreturn void fuzz_fail(const char *file, int line, const char *condition);

/* An input, read from its start. */
struct fuzz_input {
    const uint8_t *at;
    size_t left;
};
/* The next byte; 0 at the end. */
unsigned fuzz_byte(struct fuzz_input *);
/* The bytes up to the separator, which is consumed too, or all of them: a copy that ends with NUL.
 * The caller frees it. */
char *fuzz_until(struct fuzz_input *, uint8_t separator, size_t *length);
/* All remaining bytes, as above. */
char *fuzz_rest(struct fuzz_input *, size_t *length);

/* A path under which the bytes can be read until the next call with the same slot, 0 or 1. Nothing
 * is written to disk. */
enum { FUZZ_FILES = 2 };
const char *fuzz_file(int slot, const void *bytes, size_t length);

/* Whether the bytes are a compressed file. A few bytes can expand to megabytes, which is slow, so
 * only `stream` reads such files. */
bool fuzz_compressed(const void *bytes, size_t length);

/* Check that a failure has a message of one line. */
void fuzz_check_error(enum attend_status, const struct attend_error *);
/* Check for valid UTF-8; `lines`: line ends are allowed. */
void fuzz_check_text(const char *text, bool lines);
/* Check for a JSON value. */
void fuzz_check_json(const char *text, size_t length);

/* Turn any bytes into text as the file readers deliver it: invalid UTF-8 becomes '?', NUL a blank,
 * and line ends too unless `lines`. In place. */
void fuzz_make_text(char *text, size_t length, bool lines);

#endif
