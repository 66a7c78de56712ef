/* From the pieces of a SentencePiece model back to text. */
#ifndef ATTEND_TEXT_SENTENCEPIECE_JOIN_H
#define ATTEND_TEXT_SENTENCEPIECE_JOIN_H

#include <stddef.h>

struct sentencepiece_model;
struct strbuf;

/* Appends the text of pieces, as tokenizer_ops.join. */
void sentencepiece_join(const struct sentencepiece_model *, struct strbuf *out,
                        const char *const *pieces, int count, size_t *end);

#endif
