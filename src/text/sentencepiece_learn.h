/* Learns subwords with SentencePiece. */
#ifndef ATTEND_TEXT_SENTENCEPIECE_LEARN_H
#define ATTEND_TEXT_SENTENCEPIECE_LEARN_H

#include "attend/status.h"

struct strbuf;
struct tokenizer_lesson;
struct tokenizer_walk;

/* Appends the bytes of a .model file. */
enum attend_status sentencepiece_learn(struct strbuf *model, const struct tokenizer_walk *,
                                       const struct tokenizer_lesson *, struct attend_error *err);

#endif
