/* Chooses the example lines that a model file holds (text/examples.h) from the validation text. */
#ifndef ATTEND_CORPUS_EXAMPLE_LINES_H
#define ATTEND_CORPUS_EXAMPLE_LINES_H

#include "corpus/dataset.h"

struct strbuf;

/* Append `wanted` source lines, or as many as there are, each ended by LF. They are as varied in
 * length as the text: of the lines in the order of their length, the middles of `wanted` equal
 * parts. The middle one comes first, the others follow from short to long; no line comes twice.
 * Lines without unknown tokens are preferred. The same text always gives the same lines. */
enum attend_status example_lines_choose(struct strbuf *out, const struct valid_text *, int wanted,
                                        struct attend_error *err);

#endif
