#include "metric/trie.h"

#include "base/rng.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The slot of a node, or the empty slot for a new one. */
static unsigned place_of(const struct trie *t, int parent, int symbol)
{
    const uint64_t key = (uint64_t)(uint32_t)parent << 32 | (uint32_t)symbol;
    const unsigned mask = (unsigned)t->slots - 1;
    unsigned at = (unsigned)rng_mix(key + RNG_STEP) & mask;
    while (t->slot[at] &&
           (t->node[t->slot[at]].parent != parent || t->node[t->slot[at]].symbol != symbol))
        at = (at + 1) & mask;
    return at;
}

static void fill_slots(struct trie *t)
{
    memset(t->slot, 0, (size_t)t->slots * sizeof *t->slot);
    for (int i = 1; i < t->count; i++)
        t->slot[place_of(t, t->node[i].parent, t->node[i].symbol)] = i;
}

/* Double the nodes, and have twice as many slots as nodes. */
static bool grow(struct trie *t)
{
    const int size = t->size ? 2 * t->size : 256;
    if (t->failed || t->size > INT_MAX / 8 || (size_t)size > SIZE_MAX / 2 / sizeof *t->node)
        return false;
    struct trie_node *node = realloc(t->node, (size_t)size * sizeof *node);
    if (!node)
        return false;
    t->node = node;
    int *slot = realloc(t->slot, 2 * (size_t)size * sizeof *slot);
    if (!slot)
        return false;
    t->slot = slot;
    t->size = size;
    t->slots = 2 * size;
    if (t->count == 0)
        t->node[t->count++] = (struct trie_node){0};
    fill_slots(t);
    return true;
}

int trie_step(struct trie *t, int node, int symbol)
{
    if (t->count == t->size && !grow(t)) {
        t->failed = true;
        return 0;
    }
    const unsigned at = place_of(t, node, symbol);
    if (!t->slot[at]) {
        t->node[t->count] =
            (struct trie_node){.parent = node, .symbol = symbol, .depth = t->node[node].depth + 1};
        t->slot[at] = t->count++;
    }
    return t->slot[at];
}

void trie_clear(struct trie *t)
{
    if (!t->count)
        return;
    t->count = 1;
    fill_slots(t);
}

void trie_release(struct trie *t)
{
    free(t->node);
    free(t->slot);
    *t = (struct trie){0};
}
