/* Are the tables of normalisation in a SentencePiece model sound? The library walks them without
 * looking where they lead, so that a damaged or wicked file would make it read anywhere. */
#ifndef ATTEND_TEXT_CHARSMAP_H
#define ATTEND_TEXT_CHARSMAP_H

#include <stddef.h>

/* Why the model must not be given to the library; NULL when nothing is wrong with its tables. */
const char *charsmap_objection(const void *model, size_t length);

#endif
