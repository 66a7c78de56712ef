/* The validation pairs in memory, with their text. */
#ifndef ATTEND_CORPUS_VALID_SET_H
#define ATTEND_CORPUS_VALID_SET_H

#include "corpus/dataset.h"

struct pairs;
struct store;

/* Read all of a store back, with the text of its pairs in the normal form of the model. The sides
 * (source, target) are borrowed. */
enum attend_status valid_set_new(struct valid_text **out, const struct store *, struct pairs *,
                                 const struct text_side *side, struct attend_error *err);
void valid_set_free(struct valid_text *);

#endif
