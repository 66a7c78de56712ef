/* The tokenizer for subwords. SentencePiece learns the pieces from text, outside this library; here
 * its models are applied, with the same results. A tokenizer's state is the bytes of a .model file.
 *
 * A user's own .model may have other ids, control pieces and normalization rules than models
 * learned here; outside the model only the strings of its pieces matter.
 *
 * U+2581 stands for a blank within pieces, and a U+2581 in the text itself is read as a blank. */
#include "base/error.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "text/sentencepiece_join.h"
#include "text/sentencepiece_learn.h"
#include "text/sentencepiece_model.h"
#include "text/subword_sampling.h"
#include "text/tokenizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char MARK[] = NORMALIZER_MARK;
enum { MARK_BYTES = NORMALIZER_MARK_BYTES };

/* ---- State ---- */

struct state {
    struct sentencepiece_model model;
    int *own; /* (count) numbers of the pieces that can occur in text */
    int count;
};

static void free_state(void *state)
{
    struct state *s = state;
    sentencepiece_model_release(&s->model);
    free(s->own);
    free(s);
}

static bool list_own(struct state *s)
{
    s->own = malloc(((size_t)s->model.count + 1) * sizeof *s->own);
    for (int i = 0; s->own && i < s->model.count; i++) {
        const uint32_t type = s->model.piece[i].type;
        if (type != PIECE_CONTROL && type != PIECE_UNKNOWN && type != PIECE_UNUSED)
            s->own[s->count++] = i;
    }
    return s->own;
}

static enum attend_status load(void **state, const void *bytes, size_t length,
                               struct attend_error *err)
{
    struct state *s = calloc(1, sizeof *s);
    const char *why = s ? sentencepiece_model_read(&s->model, bytes, length) : "out of memory";
    if (!why && !list_own(s))
        why = "out of memory";
    if (!why) {
        *state = s;
        return ATTEND_OK;
    }
    if (s)
        free_state(s);
    return error_set(err, ATTEND_FORMAT, "is no sound SentencePiece model: %s", why);
}

static void save(const void *state, const void **bytes, size_t *length)
{
    const struct state *s = state;
    *bytes = s->model.bytes;
    *length = s->model.length;
}

static const char *piece_at(const void *state, int i)
{
    const struct state *s = state;
    return i < s->count ? s->model.piece[s->own[i]].text.at : NULL;
}

/* ---- The pieces of a line ---- */

/* A line as SentencePiece expects it, where spaces are the only blanks. */
static char *spaced(const char *line, size_t *length)
{
    char *text = calloc(*length + 1, 1);
    size_t to = 0;
    for (size_t at = 0; text && at < *length; at++) {
        const bool mark = *length - at >= MARK_BYTES && memcmp(line + at, MARK, MARK_BYTES) == 0;
        text[to++] = mark || line[at] == '\t' ? ' ' : line[at];
        at += mark ? MARK_BYTES - 1 : 0;
    }
    *length = to;
    return text;
}

/* Turns offsets in the spaced line into offsets in the line, where a mark is longer than a space. */
static void respace(struct normalized *n, const char *line, size_t length)
{
    size_t at = 0, given = 0;
    for (size_t i = 0; i <= n->length; i++) {
        for (; at < n->origin[i]; at++) {
            const bool mark =
                length - given >= MARK_BYTES && memcmp(line + given, MARK, MARK_BYTES) == 0;
            given += mark ? MARK_BYTES : 1;
        }
        n->origin[i] = given;
    }
}

struct pieces {
    struct normalized text; /* the pieces point into it, or into the model */
    struct tokenizer_piece *piece;
    int count;
};

static void pieces_release(struct pieces *p)
{
    normalized_release(&p->text);
    free(p->piece);
}

/* The parts that each word of a normalized text starts: its mark, and what follows. */
static int segment_words(const struct sentencepiece_model *m, const char *text, size_t length,
                         struct subword *out)
{
    int count = 0;
    for (size_t from = 0, to; from < length; from = to) {
        for (to = from + 1; to < length; to++)
            if (length - to >= MARK_BYTES && memcmp(text + to, MARK, MARK_BYTES) == 0)
                break;
        out[count++] = (struct subword){to, sentencepiece_model_find(m, text + from, to - from)};
    }
    return count;
}

static int segment_characters(const struct sentencepiece_model *m, const char *text, size_t length,
                              struct subword *out)
{
    int count = 0;
    for (size_t at = 0, bytes; at < length; at += bytes) {
        bool user_defined;
        bytes = sentencepiece_model_symbol(m, text + at, length - at, &user_defined);
        out[count++] = (struct subword){at + bytes, sentencepiece_model_find(m, text + at, bytes)};
    }
    return count;
}

static segment_fn *const segment[] = {
    [UNIGRAM] = unigram_segment,
    [BPE] = bpe_segment,
    [WORDS] = segment_words,
    [CHARACTERS] = segment_characters,
};

/* The bytes of an unknown part; only the last of them stands for its text. */
static void add_bytes(struct pieces *p, const struct sentencepiece_model *m, size_t from, size_t to)
{
    const size_t *origin = p->text.origin;
    for (size_t i = from; i < to; i++) {
        const int byte = m->byte[(unsigned char)p->text.text[i]];
        p->piece[p->count++] = (struct tokenizer_piece){
            .text = m->piece[byte].text.at,
            .length = m->piece[byte].text.length,
            .from = origin[from],
            .to = i + 1 < to ? origin[from] : origin[to],
        };
    }
}

/* Unknown parts without bytes are one piece if they are neighbors. */
static void add_parts(struct pieces *p, const struct sentencepiece_model *m,
                      const struct subword *part, int parts)
{
    bool after_unknown = false;
    size_t from = 0;
    for (int i = 0; i < parts; from = part[i++].end) {
        const size_t to = part[i].end;
        const bool unknown = part[i].piece == m->unknown;
        if (unknown && m->byte_fallback) {
            add_bytes(p, m, from, to);
        } else if (unknown && after_unknown) {
            p->piece[p->count - 1].length += to - from;
            p->piece[p->count - 1].to = p->text.origin[to];
        } else {
            p->piece[p->count++] = (struct tokenizer_piece){
                p->text.text + from, to - from, p->text.origin[from], p->text.origin[to]};
        }
        after_unknown = unknown;
    }
}

/* False when out of memory; `out` must be released in either case. */
static bool find_pieces(const struct sentencepiece_model *m, const char *line, size_t length,
                        struct pieces *out)
{
    size_t bytes = length;
    char *text = spaced(line, &bytes);
    struct subword *part = NULL;
    int parts = -1;
    *out = (struct pieces){0};
    if (text && normalizer_run(&m->before, text, bytes, &out->text)) {
        const size_t most = out->text.length + 1; /* a piece has at least a byte */
        if (bytes < length)
            respace(&out->text, line, length);
        part = malloc(most * sizeof *part);
        out->piece = calloc(most, sizeof *out->piece);
        if (part && out->piece)
            parts = segment[m->segmentation](m, out->text.text, out->text.length, part);
    }
    if (parts > 0)
        add_parts(out, m, part, parts);
    free(part);
    free(text);
    return parts >= 0;
}

static bool split(const void *state, const char *text, size_t length, tokenizer_piece_fn *emit,
                  void *context)
{
    const struct state *s = state;
    struct pieces p;
    const bool good = find_pieces(&s->model, text, length, &p);
    for (int i = 0; i < p.count; i++)
        emit(context, &p.piece[i]);
    pieces_release(&p);
    return good;
}

/* ---- Sampling ---- */

static double score_of(const void *context, const char *piece, size_t length)
{
    const struct sentencepiece_model *m = context;
    const int found = sentencepiece_model_find(m, piece, length);
    return sentencepiece_model_splits(m, found) ? (double)m->piece[found].score : (double)NAN;
}

/* Pieces [from, to) make up a word: emit sampled pieces, or the same ones if sampling fails.
 * Sampled pieces get the position of the whole word, because training does not need more. The pieces
 * of a word lie one after the other in the text. */
static bool sample_word(const struct subword_rule *rule, uint64_t key, const struct pieces *p,
                        int from, int to, tokenizer_piece_fn *emit, void *context)
{
    const struct tokenizer_piece *first = &p->piece[from], *last = &p->piece[to - 1];
    const size_t length = (size_t)(last->text + last->length - first->text);
    size_t *end = malloc((length + 1) * sizeof *end);
    const int count = end ? subword_sample(rule, key, first->text, length, end) : -1;
    size_t begin = 0;
    for (int i = 0; i < count; begin = end[i++])
        emit(context,
             &(struct tokenizer_piece){first->text + begin, end[i] - begin, first->from, last->to});
    for (int i = from; i < to && count == 0; i++)
        emit(context, &p->piece[i]);
    free(end);
    return count >= 0;
}

static bool has_mark(const struct tokenizer_piece *p)
{
    return p->length >= MARK_BYTES && memcmp(p->text, MARK, MARK_BYTES) == 0;
}

/* A word ends before a mark. A piece without a score, such as an unknown character, is a word of
 * its own. */
static bool word_ends(const struct sentencepiece_model *m, const struct pieces *p, int at)
{
    return at == p->count || has_mark(&p->piece[at]) ||
           isnan(score_of(m, p->piece[at].text, p->piece[at].length)) ||
           isnan(score_of(m, p->piece[at - 1].text, p->piece[at - 1].length));
}

static bool sample(const void *state, const char *text, size_t length,
                   const struct tokenizer_sampling *sampling, tokenizer_piece_fn *emit,
                   void *context)
{
    const struct sentencepiece_model *m = &((const struct state *)state)->model;
    if (m->segmentation != UNIGRAM && m->segmentation != BPE)
        return split(state, text, length, emit, context);
    const struct subword_rule rule = {m->segmentation == BPE, sampling->alpha, score_of, m,
                                      m->longest};
    struct pieces p;
    bool good = find_pieces(m, text, length, &p);
    for (int from = 0, to; from < p.count && good; from = to) {
        for (to = from + 1; !word_ends(m, &p, to);)
            to++;
        good =
            sample_word(&rule, rng_key(sampling->key, (uint64_t)from), &p, from, to, emit, context);
    }
    pieces_release(&p);
    return good;
}

/* ---- Joining ---- */

static void join(const void *state, struct strbuf *out, const char *const *pieces, int count,
                 size_t *end)
{
    sentencepiece_join(&((const struct state *)state)->model, out, pieces, count, end);
}

/* A single mark starts a word whose letters follow. */
static enum tokenizer_place place(const char *before, const char *piece)
{
    return before && strncmp(piece, MARK, MARK_BYTES) != 0 ? TOKENIZER_CONTINUES : TOKENIZER_BEGINS;
}

/* ---- Learning ---- */

static enum attend_status learn(void **state, const struct tokenizer_walk *walk,
                                const struct tokenizer_lesson *how, struct attend_error *err)
{
    void *model = NULL;
    size_t length = 0;
    enum attend_status status = sentencepiece_learn(&model, &length, walk, how, err);
    if (!status)
        status = load(state, model, length, err);
    free(model);
    return status;
}

const struct tokenizer_ops tokenizer_sentencepiece = {
    .name = "sentencepiece",
    .help = "pieces are words and parts of words, learned from the text",
    .split = split,
    .join = join,
    .place = place,
    .learn = learn,
    .load = load,
    .save = save,
    .piece = piece_at,
    .free = free_state,
    .sample = sample,
};
