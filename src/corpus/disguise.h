/* Further training pairs in another case, so that a model whose case is `marked` (text/letter_case.h) reads
 * text in capitals, in title case and in small letters as well as ordinary text.
 *
 *     1 pair in 16   both sides in capitals
 *     1 pair in 16   the source in title case, the target as it is
 *     1 pair in 16   the source in small letters, the target as it is */
#ifndef ATTEND_CORPUS_DISGUISE_H
#define ATTEND_CORPUS_DISGUISE_H

#include "base/strbuf.h"

#include <stdint.h>

struct text_pair;

/* Memory for the changed texts; all zero at first. */
struct disguise {
    struct strbuf text[2];
};
/* Change the pair into another case; false if it gets none. The same key gives the same result.
 * Texts that change are in `d` until the next call. */
bool disguise_pair(struct disguise *d, uint64_t key, struct text_pair *);
void disguise_release(struct disguise *);

#endif
