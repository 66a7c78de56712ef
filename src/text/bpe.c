/* Segmentation by merges (Sennrich et al. 2016): a text starts as characters; then, as long as two
 * neighbors form a piece, the pair with the highest score is merged, the first among equals.
 *
 * User-defined symbols never merge. Pairs wait in a heap, and a pair is out of date when one of its
 * symbols has since been merged; so a text of n characters takes n log n steps. A symbol keeps its
 * node in the trie of pieces, so a look-up walks only over its right neighbor.
 *
 * An unused piece takes part in merges, but is undone at the end: it becomes the two symbols that
 * were last seen to form it, which are undone in turn. */
#include "text/sentencepiece_model.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1 };

struct symbol {
    int32_t before, after; /* neighbors, or NOBODY */
    uint32_t from, length; /* length 0: merged into another */
    uint32_t node;         /* in the trie; PIECE_TRIE_ROOT if no piece begins like this */
    bool frozen;           /* a user-defined symbol */
};

struct pair {
    float score;
    int32_t left, right;
    uint32_t length; /* of both when the pair was found */
};

struct merging {
    const struct sentencepiece_model *model;
    const char *text;
    struct symbol *symbol; /* (symbols) */
    int32_t symbols;
    struct pair *heap; /* (pairs) the best first */
    size_t pairs;
    uint16_t *left_part; /* of each unused piece, in bytes; NULL if the model has none */
};

/* ---- The heap: a pair is not worse than those at 2i + 1 and 2i + 2 ---- */

static bool is_better(const struct pair *a, const struct pair *b)
{
    return a->score > b->score || (a->score == b->score && a->left < b->left);
}

static void push(struct merging *m, struct pair pair)
{
    size_t i = m->pairs++;
    for (; i > 0 && is_better(&pair, &m->heap[(i - 1) / 2]); i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = pair;
}

static struct pair pop(struct merging *m)
{
    const struct pair best = m->heap[0], last = m->heap[--m->pairs];
    size_t i = 0;
    for (size_t below; (below = 2 * i + 1) < m->pairs; i = below) {
        if (below + 1 < m->pairs && is_better(&m->heap[below + 1], &m->heap[below]))
            below++;
        if (!is_better(&m->heap[below], &last))
            break;
        m->heap[i] = m->heap[below];
    }
    m->heap[i] = last;
    return best;
}

/* ---- Merging ---- */

/* The node of two neighbors; PIECE_TRIE_ROOT if they do not form the beginning of a piece. */
static uint32_t node_of_pair(const struct merging *m, const struct symbol *left,
                             const struct symbol *right)
{
    if (left->node == PIECE_TRIE_ROOT || left->frozen || right->frozen)
        return PIECE_TRIE_ROOT;
    return piece_trie_walk(&m->model->pieces, left->node, m->text + right->from, right->length);
}

static void consider(struct merging *m, int32_t left, int32_t right)
{
    if (left == NOBODY || right == NOBODY)
        return;
    const struct symbol *a = &m->symbol[left], *b = &m->symbol[right];
    const int piece = m->model->pieces.node[node_of_pair(m, a, b)].value;
    if (piece == PIECE_TRIE_NONE)
        return;
    const bool unused = m->model->piece[piece].type == PIECE_UNUSED;
    if (!unused && !sentencepiece_model_splits(m->model, piece))
        return;
    push(m, (struct pair){m->model->piece[piece].score, left, right, a->length + b->length});
    if (unused)
        m->left_part[piece] = (uint16_t)a->length;
}

static void merge(struct merging *m, const struct pair *pair)
{
    struct symbol *left = &m->symbol[pair->left], *right = &m->symbol[pair->right];
    if (left->length == 0 || right->length == 0 || left->length + right->length != pair->length)
        return; /* out of date */
    left->node = node_of_pair(m, left, right);
    left->length = pair->length;
    left->after = right->after;
    if (right->after != NOBODY)
        m->symbol[right->after].before = pair->left;
    right->length = 0;
    consider(m, left->before, pair->left);
    consider(m, pair->left, left->after);
}

static void cut_symbols(struct merging *m, size_t length)
{
    for (size_t at = 0, bytes; at < length; at += bytes) {
        const int32_t i = m->symbols++;
        struct symbol *s = &m->symbol[i];
        bytes = sentencepiece_model_symbol(m->model, m->text + at, length - at, &s->frozen);
        s->before = i - 1;
        s->after = at + bytes < length ? i + 1 : NOBODY;
        s->from = (uint32_t)at;
        s->length = (uint32_t)bytes;
        s->node = piece_trie_walk(&m->model->pieces, PIECE_TRIE_ROOT, m->text + at, bytes);
    }
}

/* ---- Undoing unused pieces ---- */

/* Adds the parts of a symbol, of which the left one always comes first. */
static int undo(const struct merging *m, const struct symbol *s, struct subword *out)
{
    const size_t end = s->from + s->length;
    int count = 0, waiting = 0;
    size_t from = s->from, to = end;
    size_t stop[1024]; /* ends of the parts to the right, the nearest last; each has a byte */
    for (;;) {
        const int piece = sentencepiece_model_find(m->model, m->text + from, to - from);
        const bool unused = m->left_part && m->model->piece[piece].type == PIECE_UNUSED;
        const size_t left = unused ? m->left_part[piece] : 0;
        if (left) {
            stop[waiting++] = to;
            to = from + left;
            continue;
        }
        out[count++] = (struct subword){to, piece};
        if (waiting == 0)
            return count;
        from = to;
        to = stop[--waiting];
    }
}

static int collect(const struct merging *m, struct subword *out)
{
    int count = 0;
    for (int32_t i = m->symbols ? 0 : NOBODY; i != NOBODY; i = m->symbol[i].after)
        count += undo(m, &m->symbol[i], out + count);
    return count;
}

/* A text of n symbols has n - 1 pairs, and each of n - 1 merges adds up to two. */
static bool allocate(struct merging *m, size_t length)
{
    m->symbol = malloc(length * sizeof *m->symbol);
    m->heap = malloc(3 * length * sizeof *m->heap);
    if (m->model->has_unused)
        m->left_part = calloc((size_t)m->model->count, sizeof *m->left_part);
    return m->symbol && m->heap && (m->left_part || !m->model->has_unused);
}

int bpe_segment(const struct sentencepiece_model *model, const char *text, size_t length,
                struct subword *out)
{
    struct merging m = {.model = model, .text = text};
    int count = length < INT32_MAX && allocate(&m, length) ? 0 : -1;
    if (count == 0) {
        cut_symbols(&m, length);
        for (int32_t i = 1; i < m.symbols; i++)
            consider(&m, i - 1, i);
        while (m.pairs) {
            const struct pair best = pop(&m);
            merge(&m, &best);
        }
        count = collect(&m, out);
    }
    free(m.symbol);
    free(m.heap);
    free(m.left_part);
    return count;
}
