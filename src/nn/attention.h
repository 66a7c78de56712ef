/* What every attention mechanism works on: M queries, each looking at the annotations of one source
 * sentence.
 *
 *     e_ij = score(query_i, key_j)      a_i = softmax_j(e_i)      context_i = sum_j a_ij value_j
 *
 * Annotations stand sentence by sentence: sentence b has rows start[b] .. start[b] + length[b] - 1
 * of every slab (N, ...), so that nothing is padded and nothing needs a mask: weights past a
 * sentence's end are set to 0 and never read. */
#ifndef ATTEND_NN_ATTENTION_H
#define ATTEND_NN_ATTENTION_H

#include "tensor/view.h"

struct attention_rows {
    const int *start, *length; /* (B) */
    const int *sentence; /* (M) whom row i looks at; NULL: row i looks at sentence first + i */
    int first;
    struct view query;  /* (M, A) */
    struct view weight; /* (M, S), S at least the longest sentence */
};

static inline int attention_sentence(const struct attention_rows *rows, int i)
{
    return rows->sentence ? rows->sentence[i] : rows->first + i;
}

#endif
