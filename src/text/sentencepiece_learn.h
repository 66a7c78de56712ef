/* What subwords are learned from: the lines of a text, and how many of its characters become pieces. */
#ifndef ATTEND_TEXT_SENTENCEPIECE_LEARN_H
#define ATTEND_TEXT_SENTENCEPIECE_LEARN_H

#include "attend/status.h"

#include <stddef.h>

struct tokenizer_lesson;
struct tokenizer_walk;

/* Learn with the function of the lesson. *model becomes the bytes of a .model file; the caller frees
 * it. */
enum attend_status sentencepiece_learn(void **model, size_t *length, const struct tokenizer_walk *,
                                       const struct tokenizer_lesson *, struct attend_error *err);

#endif
