#include "metric/ngrams.h"

#include "metric/symbols.h"
#include "metric/trie.h"

#include <stddef.h>

static void count(struct trie *t, const struct symbols *s, int order, size_t tally)
{
    for (int i = 0; i < s->count; i++)
        for (int n = 0, node = 0; n < order && i + n < s->count; n++) {
            node = trie_step(t, node, s->item[i + n]);
            if (t->failed)
                return;
            ++*(int *)((char *)&t->node[node] + tally);
        }
}

void ngrams_hypothesis(struct trie *t, const struct symbols *s, int order)
{
    count(t, s, order, offsetof(struct trie_node, hypothesis));
}

void ngrams_reference(struct trie *t, const struct symbols *s, int order)
{
    count(t, s, order, offsetof(struct trie_node, this_reference));
    for (int i = 0; i < t->count; i++) {
        struct trie_node *node = &t->node[i];
        if (node->reference < node->this_reference)
            node->reference = node->this_reference;
        node->this_reference = 0;
    }
}

void ngrams_common(const struct trie *t, double *common)
{
    for (int i = 1; i < t->count; i++) {
        const struct trie_node *node = &t->node[i];
        common[node->depth - 1] +=
            node->hypothesis < node->reference ? node->hypothesis : node->reference;
    }
}
