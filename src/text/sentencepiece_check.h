/* Checks a SentencePiece model before the library gets it. The library trusts its models: it reads
 * out of bounds, aborts or runs out of stack on a malicious one. */
#ifndef ATTEND_TEXT_SENTENCEPIECE_CHECK_H
#define ATTEND_TEXT_SENTENCEPIECE_CHECK_H

#include <stddef.h>

/* Why the library must not get the model; NULL when nothing is wrong with it. */
const char *sentencepiece_check(const void *model, size_t length);
/* Takes the self-test out of a model that was checked and returns its new length. The library would
 * run it at each load, however long it takes. */
size_t sentencepiece_check_drop_test(void *model, size_t length);

#endif
