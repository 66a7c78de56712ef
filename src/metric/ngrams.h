/* n-grams of a hypothesis and of references, counted in a trie: for each n-gram how often it is in
 * the hypothesis, and how often in the reference that has it most often. */
#ifndef ATTEND_METRIC_NGRAMS_H
#define ATTEND_METRIC_NGRAMS_H

struct symbols;
struct trie;

/* Count all n-grams of 1 to `order` symbols. */
void ngrams_hypothesis(struct trie *, const struct symbols *, int order);
void ngrams_reference(struct trie *, const struct symbols *, int order);

/* common[n - 1] += the n-grams of the hypothesis that a reference has too, each at most as often as
 * the reference has it. */
void ngrams_common(const struct trie *, double *common);

/* How many n-grams of n symbols a sequence of `count` symbols has. */
static inline int ngrams_total(int count, int n) { return count < n ? 0 : count - n + 1; }

#endif
