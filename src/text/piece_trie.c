#include "text/piece_trie.h"

#include <stdlib.h>
#include <string.h>

/* ---- Building ---- */

/* The first eight bytes as a number of the same order. */
static uint64_t head_of(const struct piece_trie_key *key)
{
    uint64_t head = 0;
    for (size_t i = 0; i < sizeof head; i++)
        head = head << 8 | (i < key->length ? (unsigned char)key->text[i] : 0);
    return head;
}

/* Sort by the heads, byte by byte from the last one. There is room for `count` more keys in `other`.
 * The number of passes is even, so the result ends up in `keys`. */
static void sort_by_heads(struct piece_trie_key *keys, struct piece_trie_key *other, size_t count)
{
    for (int shift = 0; shift < 64; shift += 8) {
        size_t next[257] = {0};
        for (size_t i = 0; i < count; i++)
            next[(keys[i].head >> shift & 0xff) + 1]++;
        for (int byte = 0; byte < 256; byte++)
            next[byte + 1] += next[byte];
        for (size_t i = 0; i < count; i++)
            other[next[keys[i].head >> shift & 0xff]++] = keys[i];
        struct piece_trie_key *const sorted = other;
        other = keys;
        keys = sorted;
    }
}

static int by_bytes(const void *left, const void *right)
{
    const struct piece_trie_key *a = left, *b = right;
    const int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* Comparing keys takes most of the time of sorting them, so only those with the same head are
 * compared. False when out of memory. */
static bool sort_keys(struct piece_trie_key *keys, size_t count)
{
    struct piece_trie_key *other = malloc((count + 1) * sizeof *other);
    if (!other)
        return false;
    for (size_t i = 0; i < count; i++)
        keys[i].head = head_of(&keys[i]);
    sort_by_heads(keys, other, count);
    free(other);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && keys[to].head == keys[from].head;)
            to++;
        if (to > from + 1)
            qsort(keys + from, to - from, sizeof *keys, by_bytes);
    }
    return true;
}

static size_t common_bytes(const struct piece_trie_key *a, const struct piece_trie_key *b)
{
    size_t at = 0;
    while (at < a->length && at < b->length && a->text[at] == b->text[at])
        at++;
    return at;
}

/* The number of nodes for sorted keys; 0 when two are equal. */
static size_t count_nodes(const struct piece_trie_key *keys, size_t count)
{
    size_t nodes = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t shared = i ? common_bytes(&keys[i - 1], &keys[i]) : 0;
        if (shared == keys[i].length)
            return 0;
        nodes += keys[i].length - shared;
    }
    return nodes;
}

/* Keys [from, to) share the path to a node. */
struct range {
    size_t from, to;
};

/* Give a node its value and a child for each byte that follows in its keys. */
static void add_children(struct piece_trie *t, const struct piece_trie_key *keys,
                         struct range *below, uint32_t node, size_t depth, uint32_t *made)
{
    size_t i = below[node].from;
    const size_t to = below[node].to;
    t->node[node] = (struct piece_trie_node){*made, PIECE_TRIE_NONE};
    if (i < to && keys[i].length == depth)
        t->node[node].value = keys[i++].value;
    while (i < to) {
        const size_t from = i;
        const char byte = keys[i].text[depth];
        while (i < to && keys[i].text[depth] == byte)
            i++;
        t->byte[*made] = (unsigned char)byte;
        below[(*made)++] = (struct range){from, i};
    }
}

static void fill(struct piece_trie *t, const struct piece_trie_key *keys, size_t count,
                 struct range *below)
{
    uint32_t made = 1, level_end = 1;
    size_t depth = 0;
    below[PIECE_TRIE_ROOT] = (struct range){0, count};
    t->byte[PIECE_TRIE_ROOT] = 0;
    for (uint32_t node = 0; node < t->nodes; node++) {
        if (node == level_end) {
            depth++;
            level_end = made;
        }
        add_children(t, keys, below, node, depth, &made);
    }
    t->node[t->nodes] = (struct piece_trie_node){made, PIECE_TRIE_NONE};
}

const char *piece_trie_build(struct piece_trie *t, struct piece_trie_key *keys, size_t count)
{
    if (!sort_keys(keys, count))
        return "out of memory";
    const size_t nodes = count_nodes(keys, count);
    if (nodes == 0)
        return "it has the same piece twice";
    struct range *below = calloc(nodes, sizeof *below);
    t->node = calloc(nodes + 1, sizeof *t->node);
    t->byte = calloc(nodes, 1);
    const bool good = below && t->node && t->byte;
    if (good) {
        t->nodes = (uint32_t)nodes;
        fill(t, keys, count, below);
    } else {
        piece_trie_release(t);
    }
    free(below);
    return good ? NULL : "out of memory";
}

void piece_trie_release(struct piece_trie *t)
{
    free(t->node);
    free(t->byte);
    *t = (struct piece_trie){0};
}

/* ---- Walking ---- */

uint32_t piece_trie_step(const struct piece_trie *t, uint32_t node, char byte)
{
    enum { FEW = 8 }; /* a call would take longer than to compare them here */
    const uint32_t first = t->node[node].first, end = t->node[node + 1].first;
    const unsigned char wanted = (unsigned char)byte;
    if (end - first > FEW) {
        const unsigned char *found = memchr(t->byte + first, wanted, end - first);
        return found ? (uint32_t)(found - t->byte) : PIECE_TRIE_ROOT;
    }
    for (uint32_t child = first; child < end; child++)
        if (t->byte[child] == wanted)
            return child;
    return PIECE_TRIE_ROOT;
}

uint32_t piece_trie_walk(const struct piece_trie *t, uint32_t node, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((node = piece_trie_step(t, node, text[i])) == PIECE_TRIE_ROOT)
            break;
    return node;
}

int32_t piece_trie_find(const struct piece_trie *t, const char *text, size_t length)
{
    const uint32_t node =
        t->nodes ? piece_trie_walk(t, PIECE_TRIE_ROOT, text, length) : PIECE_TRIE_ROOT;
    return node == PIECE_TRIE_ROOT ? PIECE_TRIE_NONE : t->node[node].value;
}

size_t piece_trie_longest(const struct piece_trie *t, const char *text, size_t length)
{
    size_t longest = 0;
    uint32_t node = PIECE_TRIE_ROOT;
    for (size_t i = 0; t->nodes > 1 && i < length; i++) {
        if ((node = piece_trie_step(t, node, text[i])) == PIECE_TRIE_ROOT)
            break;
        if (t->node[node].value != PIECE_TRIE_NONE)
            longest = i + 1;
    }
    return longest;
}
