/* The fields are those of sentencepiece_model.proto, version 0.1.97, that splitting and joining
 * need. Text that tells the writer of a model about its training is skipped. */
#include "text/sentencepiece_model.h"

#include "base/utf8.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_MAX = 1024, /* bytes of a piece, which limits the time that a character of a text takes */
    PIECES_MAX = 1 << 24,
};
/* Sums of scores must stay finite. */
static const float SCORE_MAX = 1e18f;

/* ---- Values ---- */

static const char *read_bool(void *target, const struct protobuf_field *f)
{
    *(bool *)target = f->value == 1;
    return f->value > 1 ? "it has a switch that is neither on nor off" : NULL;
}

static const char *read_text(void *target, const struct protobuf_field *f)
{
    const char *text = f->content.at;
    const size_t length = f->content.length;
    *(struct protobuf_span *)target = f->content;
    if (length > TEXT_MAX)
        return "it has a piece that is too long";
    if (length && (memchr(text, '\0', length) || !utf8_valid(text, length, NULL)))
        return "it has a piece that is not UTF-8 text";
    return NULL;
}

static const char *read_score(void *target, const struct protobuf_field *f)
{
    uint32_t bits = 0;
    float score;
    for (int i = 3; i >= 0; i--)
        bits = bits << 8 | (unsigned char)f->content.at[i];
    memcpy(&score, &bits, sizeof score);
    *(float *)target = score;
    return fabsf(score) <= SCORE_MAX ? NULL : "it has a score that is not finite";
}

static const char *read_choice(uint32_t *target, uint64_t value, uint64_t last, const char *why)
{
    *target = (uint32_t)value;
    return value < 1 || value > last ? why : NULL;
}

static const char *read_type(void *target, const struct protobuf_field *f)
{
    return read_choice(target, f->value, PIECE_LAST, "it has a piece of unknown type");
}

static const char *read_segmentation(void *target, const struct protobuf_field *f)
{
    return read_choice(target, f->value, SEGMENTATION_LAST, "it is of an unknown kind");
}

static const char *read_table(void *target, const struct protobuf_field *f)
{
    return charsmap_read(target, f->content.at, f->content.length)
               ? NULL
               : "its table of normalizing is damaged";
}

/* ---- Messages ---- */

static const char *read_piece(void *target, const struct protobuf_field *f)
{
#define TO(field) offsetof(struct subword_piece, field)
    static const struct protobuf_row rows[] = {
        {1, PROTOBUF_BYTES, false, read_text, TO(text)},
        {2, PROTOBUF_FIXED32, false, read_score, TO(score)},
        {3, PROTOBUF_VARINT, false, read_type, TO(type)},
        {0},
    };
#undef TO
    struct sentencepiece_model *m = target;
    if (m->count == m->size) {
        const int size = 2 * m->size + 256;
        struct subword_piece *more = realloc(m->piece, (size_t)size * sizeof *more);
        if (!more)
            return "out of memory";
        m->piece = more;
        m->size = size;
    }
    struct subword_piece *piece = &m->piece[m->count++];
    *piece = (struct subword_piece){.type = PIECE_NORMAL};
    const char *why = protobuf_read(piece, rows, f->content);
    if (why)
        return why;
    if (m->count > PIECES_MAX)
        return "it has too many pieces";
    return piece->text.length ? NULL : "it has an empty piece";
}

static const char *read_trainer(void *target, const struct protobuf_field *f)
{
#define TO(field) offsetof(struct sentencepiece_model, field)
    static const struct protobuf_row rows[] = {
        {3, PROTOBUF_VARINT, false, read_segmentation, TO(segmentation)},
        {24, PROTOBUF_VARINT, false, read_bool, TO(before.blank_after)},
        {35, PROTOBUF_VARINT, false, read_bool, TO(byte_fallback)},
        {44, PROTOBUF_BYTES, false, read_text, TO(unknown_text)},
        {0},
    };
#undef TO
    return protobuf_read(target, rows, f->content);
}

static const char *read_rules(void *target, const struct protobuf_field *f)
{
#define TO(field) offsetof(struct normalizer, field)
    static const struct protobuf_row rows[] = {
        {2, PROTOBUF_BYTES, false, read_table, TO(map)},
        {3, PROTOBUF_VARINT, false, read_bool, TO(blank_before)},
        {4, PROTOBUF_VARINT, false, read_bool, TO(single_blanks)},
        {5, PROTOBUF_VARINT, false, read_bool, TO(mark_blanks)},
        {0},
    };
#undef TO
    return protobuf_read(target, rows, f->content);
}

static const char *read_file(struct sentencepiece_model *m)
{
#define TO(field) offsetof(struct sentencepiece_model, field)
    static const struct protobuf_row rows[] = {
        {1, PROTOBUF_BYTES, true, read_piece, 0},
        {2, PROTOBUF_BYTES, false, read_trainer, 0},
        {3, PROTOBUF_BYTES, false, read_rules, TO(before)},
        {5, PROTOBUF_BYTES, false, read_rules, TO(after)},
        {0},
    };
#undef TO
    return protobuf_read(m, rows, (struct protobuf_span){m->bytes, m->length});
}

/* ---- Pieces ---- */

int sentencepiece_model_byte(const struct sentencepiece_model *m, int piece)
{
    static const char digits[] = "0123456789ABCDEF";
    const struct protobuf_span text = m->piece[piece].text;
    if (text.length != 6 || memcmp(text.at, "<0x", 3) != 0 || text.at[5] != '>')
        return -1;
    const char *high = strchr(digits, text.at[3]), *low = strchr(digits, text.at[4]);
    return high && low ? (int)(16 * (high - digits) + (low - digits)) : -1;
}

static const char *take_unknown(struct sentencepiece_model *m, int i)
{
    if (m->unknown >= 0)
        return "it has two unknown pieces";
    m->unknown = i;
    return NULL;
}

static const char *take_byte(struct sentencepiece_model *m, int i)
{
    const int byte = sentencepiece_model_byte(m, i);
    if (byte < 0 || !m->byte_fallback)
        return "it has a byte piece that it cannot use";
    m->byte[byte] = i;
    return NULL;
}

static void measure(struct sentencepiece_model *m, const struct subword_piece *piece)
{
    if (piece->type == PIECE_NORMAL) {
        m->least = fminf(m->least, piece->score);
        m->most = fmaxf(m->most, piece->score);
    }
    if ((piece->type == PIECE_NORMAL || piece->type == PIECE_USER_DEFINED) &&
        piece->text.length > m->longest)
        m->longest = piece->text.length;
    m->has_unused = m->has_unused || piece->type == PIECE_UNUSED;
}

static const char *sort_out_pieces(struct sentencepiece_model *m)
{
    const char *why = NULL;
    m->unknown = -1;
    for (int byte = 0; byte < 256; byte++)
        m->byte[byte] = -1;
    /* The library starts from the largest and the smallest positive number. */
    m->least = FLT_MAX;
    m->most = FLT_MIN;
    for (int i = 0; i < m->count && !why; i++) {
        measure(m, &m->piece[i]);
        if (m->piece[i].type == PIECE_UNKNOWN)
            why = take_unknown(m, i);
        else if (m->piece[i].type == PIECE_BYTE)
            why = take_byte(m, i);
    }
    if (!why && m->unknown < 0)
        why = "it has no unknown piece";
    for (int byte = 0; byte < 256 && m->byte_fallback && !why; byte++)
        why = m->byte[byte] < 0 ? "it does not have all byte pieces" : NULL;
    return why;
}

/* In the file, no NUL ends a text. */
static const char *copy_texts(struct sentencepiece_model *m)
{
    size_t size = 1;
    for (int i = 0; i < m->count; i++)
        size += m->piece[i].text.length + 1;
    char *to = m->texts = malloc(size);
    if (!to)
        return "out of memory";
    for (int i = 0; i < m->count; i++) {
        struct protobuf_span *text = &m->piece[i].text;
        memcpy(to, text->at, text->length);
        to[text->length] = '\0';
        text->at = to;
        to += text->length + 1;
    }
    return NULL;
}

/* Build the trie of all pieces, or of those of one type. */
static const char *build_trie(const struct sentencepiece_model *m, struct piece_trie *out,
                              uint32_t type)
{
    size_t count = 0;
    struct piece_trie_key *keys = calloc((size_t)m->count + 1, sizeof *keys);
    if (!keys)
        return "out of memory";
    for (int i = 0; i < m->count; i++)
        if (!type || m->piece[i].type == type)
            keys[count++] =
                (struct piece_trie_key){m->piece[i].text.at, m->piece[i].text.length, i, 0};
    const char *why = piece_trie_build(out, keys, count);
    free(keys);
    return why;
}

/* ---- The model ---- */

/* What a file without these fields means. */
static void set_defaults(struct sentencepiece_model *m)
{
    static const char UNKNOWN_TEXT[] = " \xE2\x81\x87 "; /* U+2047 */
    const struct normalizer usual = {
        .blank_before = true, .single_blanks = true, .mark_blanks = true};
    *m = (struct sentencepiece_model){
        .segmentation = UNIGRAM,
        .unknown_text = {UNKNOWN_TEXT, sizeof UNKNOWN_TEXT - 1},
        .before = usual,
        .after = usual,
    };
}

static const char *prepare(struct sentencepiece_model *m)
{
    const char *why = sort_out_pieces(m);
    if (!why)
        why = copy_texts(m);
    if (!why)
        why = build_trie(m, &m->pieces, 0);
    if (!why)
        why = build_trie(m, &m->symbols, PIECE_USER_DEFINED);
    if (!m->before.blank_before)
        m->before.blank_after = false;
    else if (m->before.blank_after)
        m->before.blank_before = false;
    m->before.symbols = &m->symbols;
    return why;
}

const char *sentencepiece_model_read(struct sentencepiece_model *m, const void *bytes,
                                     size_t length)
{
    set_defaults(m);
    if (length > INT_MAX)
        return "it is too large";
    m->bytes = malloc(length + 1);
    if (!m->bytes)
        return "out of memory";
    memcpy(m->bytes, bytes, length);
    m->length = length;
    const char *why = read_file(m);
    return why ? why : prepare(m);
}

void sentencepiece_model_release(struct sentencepiece_model *m)
{
    piece_trie_release(&m->pieces);
    piece_trie_release(&m->symbols);
    free(m->piece);
    free(m->texts);
    free(m->bytes);
    *m = (struct sentencepiece_model){0};
}

int sentencepiece_model_find(const struct sentencepiece_model *m, const char *text, size_t length)
{
    const int32_t piece = piece_trie_find(&m->pieces, text, length);
    return piece == PIECE_TRIE_NONE ? m->unknown : piece;
}

bool sentencepiece_model_splits(const struct sentencepiece_model *m, int piece)
{
    return m->piece[piece].type == PIECE_NORMAL || m->piece[piece].type == PIECE_USER_DEFINED;
}

size_t sentencepiece_model_symbol(const struct sentencepiece_model *m, const char *text,
                                  size_t length, bool *user_defined)
{
    const size_t symbol = piece_trie_longest(&m->symbols, text, length);
    *user_defined = symbol > 0;
    return symbol ? symbol : utf8_length(*text);
}
