/* Sentences of text with inline tags and placeholders.
 *
 * To find the sentences, each tag and placeholder is overwritten with as many blanks, and so are the
 * line ends of HTML. Of those
 * between two sentences, end tags go with the one before, and the first tag that opens, the first
 * placeholder and everything behind it with the one after. Elements of several sentences become
 * tags without a partner, which attend/markup.h tolerates. */
#ifndef ATTEND_DOCUMENT_INLINE_TAGS_H
#define ATTEND_DOCUMENT_INLINE_TAGS_H

#include "attend/document.h"

/* attend_split for text with this markup. */
enum attend_status inline_tags_split(struct attend_span **out, int *count, const char *text,
                                     size_t length, enum attend_tags,
                                     const struct attend_splitting *, long *cut,
                                     struct attend_error *err);

#endif
