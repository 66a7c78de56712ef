/* A set of strings that finds all its members at the beginning of a text: a tree with one byte on
 * each edge.
 *
 * Nodes are numbered level by level, so the children of node n are first[n] .. first[n + 1] - 1,
 * ordered by their bytes. Building it takes time proportional to the bytes of the strings. */
#ifndef ATTEND_TEXT_PIECE_TRIE_H
#define ATTEND_TEXT_PIECE_TRIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PIECE_TRIE_NONE = -1, PIECE_TRIE_ROOT = 0 };

/* All zero is an empty trie. */
struct piece_trie {
    struct piece_trie_node {
        uint32_t first;  /* its first child */
        int32_t value;   /* of the string that ends here; PIECE_TRIE_NONE: none does */
    } * node;            /* (nodes + 1) */
    unsigned char *byte; /* (nodes) on the edge to each node */
    uint32_t nodes;
};

struct piece_trie_key {
    const char *text; /* not empty */
    size_t length;
    int32_t value; /* at least 0 */
    uint64_t head; /* set by piece_trie_build */
};

/* Build a trie of different strings, which are sorted in place. Returns NULL, or what is wrong: the
 * same string twice, or no memory. The strings need not outlive the call; there are less than 2^32
 * bytes of them. */
const char *piece_trie_build(struct piece_trie *, struct piece_trie_key *keys, size_t count);
void piece_trie_release(struct piece_trie *);

/* The child of a node along a byte; PIECE_TRIE_ROOT if there is none. */
uint32_t piece_trie_step(const struct piece_trie *, uint32_t node, char byte);
/* The node at the end of a walk from `node`; PIECE_TRIE_ROOT if the walk leaves the trie. */
uint32_t piece_trie_walk(const struct piece_trie *, uint32_t node, const char *text, size_t length);
/* The value of a string, or PIECE_TRIE_NONE. */
int32_t piece_trie_find(const struct piece_trie *, const char *text, size_t length);
/* The length of the longest member that the text begins with; 0: none. */
size_t piece_trie_longest(const struct piece_trie *, const char *text, size_t length);

#endif
