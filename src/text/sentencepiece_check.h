/* Checks a SentencePiece model before the library loads it. The library trusts its models: a
 * malicious one can make it read out of bounds, abort or overflow the stack. */
#ifndef ATTEND_TEXT_SENTENCEPIECE_CHECK_H
#define ATTEND_TEXT_SENTENCEPIECE_CHECK_H

#include <stddef.h>

/* The reason why the library must not load the model; NULL when the model is valid. */
const char *sentencepiece_check(const void *model, size_t length);
/* Removes the self-test from a checked model and returns its new length. The library would run the
 * self-test at every load, however long it takes. */
size_t sentencepiece_check_drop_test(void *model, size_t length);

#endif
