/* What SentencePiece itself makes of texts, with the rules for blanks that the tokenizer adds: the
 * reference for src/text/sentencepiece.c. */
#ifndef ATTEND_TESTS_SENTENCEPIECE_REFERENCE_H
#define ATTEND_TESTS_SENTENCEPIECE_REFERENCE_H

#include "base/strbuf.h"
#include "text/tokenizer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct reference;

/* Learns a model from lines. Settings are names and values, as spm_train has them, NULL at the end.
 * Appends the bytes of the model; false if it cannot be learned. */
bool reference_learn(struct strbuf *model, const struct tokenizer_walk *,
                     const char *const *settings);

/* NULL if the library refuses the model. */
struct reference *reference_load(const void *model, size_t length);
void reference_free(struct reference *);
/* Return false if the library refuses the text. */
bool reference_split(const struct reference *, const char *text, size_t length,
                     tokenizer_piece_fn *emit, void *context);
bool reference_join(const struct reference *, struct strbuf *out, const char *const *pieces,
                    int count, size_t *end);

#ifdef __cplusplus
}
#endif

#endif
