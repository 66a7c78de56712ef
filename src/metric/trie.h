/* A tree of sequences of symbols. A node stands for the sequence that leads to it, so equal words
 * end at the same node, and so do equal n-grams. */
#ifndef ATTEND_METRIC_TRIE_H
#define ATTEND_METRIC_TRIE_H

#include <stdbool.h>

struct symbols;

/* All zero when empty: node 0, the root, is there from the first step on. */
struct trie {
    struct trie_node {
        int parent, symbol;
        int depth;                 /* symbols on the way from the root */
        int hypothesis, reference; /* how often the sequence was counted, see ngrams.h */
        int this_reference;
    } * node; /* (count) */
    int count, size;
    int *slot; /* (slots) hash table of nodes by parent and symbol, 0 where empty */
    int slots; /* a power of two */
    bool failed;
};

/* The node that `symbol` leads to, made if need be. Out of memory: 0, and `failed` is set. */
int trie_step(struct trie *, int node, int symbol);
/* Empty it and keep the memory. */
void trie_clear(struct trie *);
void trie_release(struct trie *);

#endif
