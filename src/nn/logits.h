/* The output layer for inference: logits = o W + b. It also computes the log sum exp of each row,
 * and the maximum of each block of LOGITS_BLOCK logits, with which a search for the best skips most
 * blocks. Both are computed while a block is still in the cache. */
#ifndef ATTEND_NN_LOGITS_H
#define ATTEND_NN_LOGITS_H

#include "nn/cross_entropy.h"

enum { LOGITS_BLOCK = 256 };
static inline int logits_blocks(int V) { return (V + LOGITS_BLOCK - 1) / LOGITS_BLOCK; }

struct logits {
    struct view at;   /* (M, V) */
    struct view most; /* (M, blocks) upper bound of the logits of each block */
    struct view sum;  /* (M, blocks) sum of exp(logit - most) */
    real *norm;       /* (M) log P(k) = logit_k - norm */
    int *count;       /* (M) logits of each row, of some words; NULL: each row has V */
};
static inline int logits_count(const struct logits *l, int row)
{
    return l->count ? l->count[row] : l->at.cols;
}

/* Some words of an output layer, for sentences that can say no others: their logits are those of the
 * whole layer, to the bit, and the sums are over them alone. Sentence s has logits for
 * column[start[s]] .. column[start[s + 1] - 1], in ascending order. */
struct logits_words {
    struct packed W; /* (R, words that any sentence has) */
    real *b;         /* (the same) */
    const int *start, *column;
};

void logits_bind(struct logits *, struct arena *, int M, int V);
/* Runs on one thread. */
void logits_forward(const struct cross_entropy *, struct compute *, struct view o,
                    const struct logits *);
/* Bind memory for at most `words` columns. */
void logits_words_bind(struct logits_words *, struct arena *, const struct cross_entropy *,
                       int words);
/* Take these columns of the layer; the caller sets `start` and `column`. */
void logits_words_take(struct logits_words *, const struct cross_entropy *, const int *word,
                       int count);
/* The same for the words of sentence[i] in row i; also sets the count of each row. */
void logits_forward_words(const struct logits_words *, struct compute *, struct view o,
                          const int *sentence, const struct logits *);
/* Update `most`, `sum` and `norm` of a row whose logits have changed. */
void logits_measure(const struct logits *, int row);

#endif
