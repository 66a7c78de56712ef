/* A tree of symbol sequences. A node stands for the sequence that leads to it, so equal words or
 * n-grams end at the same node. */
#ifndef ATTEND_METRIC_TRIE_H
#define ATTEND_METRIC_TRIE_H

#include <stdbool.h>

struct symbols;

/* All zero when empty; the first step creates node 0, the root. */
struct trie {
    struct trie_node {
        int parent, symbol;
        int depth;                 /* length of the sequence */
        int hypothesis, reference; /* counts of the sequence, see ngrams.h */
        int this_reference;
    } * node; /* (count) */
    int count, size;
    int *slot; /* (slots) hash table of nodes by parent and symbol, 0 where empty */
    int slots; /* a power of two */
    bool failed;
};

/* The child of `node` for `symbol`, created if needed. Out of memory: returns 0 and sets
 * `failed`. */
int trie_step(struct trie *, int node, int symbol);
/* Empty it and keep the memory. */
void trie_clear(struct trie *);
void trie_release(struct trie *);

#endif
