/* The best segmentation by a unigram model (Kudo 2018): of all ways to cut a text into pieces, the
 * one with the greatest sum of scores.
 *
 *     best(0) = 0
 *     best(to) = max over the pieces that end at `to` of best(from) + score(piece)
 *
 * Where no piece is exactly one character, an unknown one of that length joins the choice, at the
 * lowest score less 10. A user-defined symbol of n bytes scores n times the highest score, less 0.1.
 * The earliest start wins among equals. Sums are rounded to float, as in the library, so that equal
 * sums are equal here, too. */
#include "text/sentencepiece_model.h"

#include "base/utf8.h"

#include <stdlib.h>

enum { UNREACHED = -1 };
static const float UNKNOWN_PENALTY = 10;
static const double SYMBOL_PENALTY = 0.1;

/* The best way to the position where a piece ends. */
struct way {
    float score;
    int32_t from; /* where the piece begins, or UNREACHED */
    int32_t piece;
};

static void offer(struct way *to, double score, size_t from, int piece)
{
    if (to->from == UNREACHED || score > (double)to->score)
        *to = (struct way){(float)score, (int32_t)from, piece};
}

static double score_of(const struct sentencepiece_model *m, const struct subword_piece *piece)
{
    if (piece->type == PIECE_USER_DEFINED)
        return (double)((float)piece->text.length * m->most) - SYMBOL_PENALTY;
    return (double)piece->score;
}

/* Offer all pieces that begin at `from`, where a character of `bytes` bytes stands. */
static void offer_pieces(const struct sentencepiece_model *m, const char *text, size_t length,
                         struct way *way, size_t from, size_t bytes)
{
    const float here = way[from].score;
    bool single = false;
    uint32_t node = PIECE_TRIE_ROOT;
    for (size_t to = from; to < length;) {
        if ((node = piece_trie_step(&m->pieces, node, text[to++])) == PIECE_TRIE_ROOT)
            break;
        const int piece = m->pieces.node[node].value;
        if (piece == PIECE_TRIE_NONE || !sentencepiece_model_splits(m, piece))
            continue;
        offer(&way[to], score_of(m, &m->piece[piece]) + (double)here, from, piece);
        single = single || to - from == bytes;
    }
    if (!single) {
        const float unknown = m->least - UNKNOWN_PENALTY;
        offer(&way[from + bytes], (double)(unknown + here), from, m->unknown);
    }
}

static int walk_back(const struct way *way, size_t length, struct subword *out)
{
    int count = 0;
    for (size_t at = length; at > 0; at = (size_t)way[at].from)
        count++;
    size_t at = length;
    for (int i = count; i-- > 0; at = (size_t)way[at].from)
        out[i] = (struct subword){at, way[at].piece};
    return count;
}

int unigram_segment(const struct sentencepiece_model *m, const char *text, size_t length,
                    struct subword *out)
{
    struct way *way = length < INT32_MAX ? malloc((length + 1) * sizeof *way) : NULL;
    if (!way)
        return -1;
    way[0].score = 0;
    for (size_t i = 1; i <= length; i++)
        way[i].from = UNREACHED;
    for (size_t from = 0, bytes; from < length; from += bytes) {
        bytes = utf8_length(text[from]);
        offer_pieces(m, text, length, way, from, bytes);
    }
    const int count = walk_back(way, length, out);
    free(way);
    return count;
}
