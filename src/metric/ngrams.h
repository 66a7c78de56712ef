/* Counts n-grams of a hypothesis and of references in a trie: for each n-gram, its count in the
 * hypothesis and its largest count in any reference. */
#ifndef ATTEND_METRIC_NGRAMS_H
#define ATTEND_METRIC_NGRAMS_H

struct symbols;
struct trie;

/* Count all n-grams of 1 to `order` symbols. */
void ngrams_hypothesis(struct trie *, const struct symbols *, int order);
void ngrams_reference(struct trie *, const struct symbols *, int order);

/* common[n - 1] += the number of n-grams of the hypothesis that are also in a reference; each
 * counts at most as often as in that reference. */
void ngrams_common(const struct trie *, double *common);

/* The number of n-grams in a sequence of `count` symbols. */
static inline int ngrams_total(int count, int n) { return count < n ? 0 : count - n + 1; }

#endif
