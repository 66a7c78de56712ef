/* A model is a protocol buffer, which the library parses with protobuf. Both parsers must see the
 * same fields, so this one accepts only the canonical form. It refuses everything that protobuf
 * interprets in its own way: tags of more than 32 bits, numbers with superfluous bytes, groups and,
 * in fields that the library uses, another wire type or a second occurrence. Each message is a
 * table of these fields. */
#include "text/sentencepiece_check.h"

#include "base/utf8.h"
#include "text/charsmap.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_MAX = 1024, /* bytes of a piece: building the trie recurses once per byte */
    NESTED_MAX = 64, /* size of the array in which the library collects matching symbols */
    PIECES_MAX = 1 << 24,
};
/* Sums of scores must stay finite. */
static const float SCORE_MAX = 1e18f;

/* ---- Protocol buffers ---- */

struct span {
    const unsigned char *at;
    size_t length;
};

enum wire { VARINT, FIXED64, BYTES, FIXED32 = 5 };

struct field {
    uint32_t number;
    enum wire wire;
    uint64_t value;      /* of a VARINT */
    struct span content; /* of all others */
};

static bool take_varint(struct span *s, uint64_t *out)
{
    *out = 0;
    for (int shift = 0; s->length && shift < 64; shift += 7) {
        const unsigned char byte = *s->at++;
        s->length--;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) /* canonical: the last byte is not 0, at most 64 bits */
            return (byte || shift == 0) && (shift < 63 || byte == 1);
    }
    return false;
}

static bool take_bytes(struct span *s, uint64_t size, struct span *out)
{
    if (size > s->length)
        return false;
    *out = (struct span){s->at, (size_t)size};
    s->at += size;
    s->length -= (size_t)size;
    return true;
}

static bool take_field(struct span *s, struct field *f)
{
    uint64_t tag;
    *f = (struct field){0};
    if (!take_varint(s, &tag) || tag > UINT32_MAX || tag >> 3 == 0)
        return false;
    f->number = (uint32_t)(tag >> 3);
    f->wire = (enum wire)(tag & 7);
    switch (f->wire) {
    case VARINT: return take_varint(s, &f->value);
    case FIXED64: return take_bytes(s, 8, &f->content);
    case FIXED32: return take_bytes(s, 4, &f->content);
    case BYTES: return take_varint(s, &f->value) && take_bytes(s, f->value, &f->content);
    }
    return false; /* groups are refused */
}

/* ---- Messages ---- */

/* Collected while reading the model. */
struct check {
    struct span *symbol; /* (symbols) user-defined symbols */
    size_t symbols, size;
    size_t pieces;
    struct span piece; /* the piece of the current message */
    uint64_t type;
};

/* Returns NULL, or what is wrong. */
typedef const char *check_fn(struct check *, const struct field *);

struct row {
    uint32_t number; /* below 64 */
    enum wire wire;
    bool repeated;
    check_fn *check;
};

static const struct row *find_row(const struct row *rows, uint32_t number)
{
    for (; rows->number; rows++)
        if (rows->number == number)
            return rows;
    return NULL;
}

static const char *check_message(struct check *c, const struct row *rows, struct span message)
{
    uint64_t seen = 0;
    while (message.length) {
        struct field f;
        if (!take_field(&message, &f))
            return "it is damaged";
        const struct row *row = find_row(rows, f.number);
        if (!row)
            continue;
        if (f.wire != row->wire || (!row->repeated && seen >> f.number & 1))
            return "it has a field of a wrong type, or the same one twice";
        seen |= UINT64_C(1) << f.number;
        const char *why = row->check(c, &f);
        if (why)
            return why;
    }
    return NULL;
}

static const char *check_bool(struct check *c, const struct field *f)
{
    (void)c;
    return f->value > 1 ? "it has a switch that is neither on nor off" : NULL;
}

static const char *check_text(struct check *c, const struct field *f)
{
    (void)c;
    const char *text = (const char *)f->content.at;
    const size_t length = f->content.length;
    if (length > TEXT_MAX)
        return "it has a piece that is too long";
    if (length && (memchr(text, '\0', length) || !utf8_valid(text, length, NULL)))
        return "it has a piece that is not UTF-8 text";
    return NULL;
}

/* ---- Pieces ---- */

enum { TYPE_NORMAL = 1, TYPE_USER_DEFINED = 4, TYPE_LAST = 6 };

static const char *check_piece_text(struct check *c, const struct field *f)
{
    c->piece = f->content;
    return check_text(c, f);
}

static const char *check_score(struct check *c, const struct field *f)
{
    (void)c;
    float score;
    memcpy(&score, f->content.at, sizeof score);
    return fabsf(score) <= SCORE_MAX ? NULL : "it has a score that is not finite";
}

static const char *check_type(struct check *c, const struct field *f)
{
    c->type = f->value;
    return f->value < TYPE_NORMAL || f->value > TYPE_LAST ? "it has a piece of unknown type" : NULL;
}

static const char *keep_symbol(struct check *c)
{
    if (c->symbols == c->size) {
        const size_t size = 2 * c->size + 16;
        struct span *more = realloc(c->symbol, size * sizeof *more);
        if (!more)
            return "out of memory";
        c->symbol = more;
        c->size = size;
    }
    c->symbol[c->symbols++] = c->piece;
    return NULL;
}

static const char *check_piece(struct check *c, const struct field *f)
{
    static const struct row rows[] = {
        {1, BYTES, false, check_piece_text},
        {2, FIXED32, false, check_score},
        {3, VARINT, false, check_type},
        {0},
    };
    c->piece = (struct span){0};
    c->type = TYPE_NORMAL;
    const char *why = check_message(c, rows, f->content);
    if (why)
        return why;
    if (c->piece.length == 0)
        return "it has an empty piece";
    if (++c->pieces > PIECES_MAX)
        return "it has too many pieces";
    return c->type == TYPE_USER_DEFINED ? keep_symbol(c) : NULL;
}

static int by_bytes(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    const int order = memcmp(a->at, b->at, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static bool begins(const struct span *a, const struct span *b)
{
    return a->length <= b->length && memcmp(a->at, b->at, a->length) == 0;
}

/* In byte order, all prefixes of a symbol come before it, and each is a prefix of the next. */
static const char *check_symbols(struct check *c)
{
    const struct span *open[NESTED_MAX];
    int count = 0;
    if (c->symbols)
        qsort(c->symbol, c->symbols, sizeof *c->symbol, by_bytes);
    for (size_t i = 0; i < c->symbols; i++) {
        while (count && !begins(open[count - 1], &c->symbol[i]))
            count--;
        if (count == NESTED_MAX)
            return "too many of its symbols are prefixes of each other";
        open[count++] = &c->symbol[i];
    }
    return NULL;
}

/* ---- The rest of the model ---- */

static const char *check_kind(struct check *c, const struct field *f)
{
    (void)c;
    return f->value < 1 || f->value > 4 ? "it is of an unknown kind" : NULL;
}

static const char *check_trainer(struct check *c, const struct field *f)
{
    static const struct row rows[] = {
        {3, VARINT, false, check_kind},  /* unigram, BPE, words or characters */
        {24, VARINT, false, check_bool}, /* white space ends a word */
        {35, VARINT, false, check_bool}, /* byte pieces */
        {44, BYTES, false, check_text},  /* text of <unk>; then the special pieces */
        {45, BYTES, false, check_text},
        {46, BYTES, false, check_text},
        {47, BYTES, false, check_text},
        {48, BYTES, false, check_text},
        {0},
    };
    return check_message(c, rows, f->content);
}

static const char *check_table(struct check *c, const struct field *f)
{
    (void)c;
    return charsmap_is_sound(f->content.at, f->content.length)
               ? NULL
               : "its table of normalizing is damaged";
}

static const char *check_rules(struct check *c, const struct field *f)
{
    static const struct row rows[] = {
        {2, BYTES, false, check_table},
        {3, VARINT, false, check_bool}, /* a blank before the first word */
        {4, VARINT, false, check_bool}, /* remove superfluous blanks */
        {5, VARINT, false, check_bool}, /* U+2581 for blanks */
        {0},
    };
    return check_message(c, rows, f->content);
}

static const char *check_nothing(struct check *c, const struct field *f)
{
    (void)c, (void)f;
    return NULL;
}

enum { SELF_TEST = 4 };

const char *sentencepiece_check(const void *model, size_t length)
{
    static const struct row rows[] = {
        {1, BYTES, true, check_piece},
        {2, BYTES, false, check_trainer},
        {3, BYTES, false, check_rules}, /* before splitting */
        {SELF_TEST, BYTES, false, check_nothing},
        {5, BYTES, false, check_rules}, /* after joining */
        {0},
    };
    struct check c = {0};
    if (length > INT_MAX)
        return "it is too large";
    const char *why = check_message(&c, rows, (struct span){model, length});
    if (!why)
        why = check_symbols(&c);
    free(c.symbol);
    return why;
}

size_t sentencepiece_check_drop_test(void *model, size_t length)
{
    const unsigned char *const end = (unsigned char *)model + length;
    struct span rest = {model, length};
    struct field f;
    while (rest.length) {
        unsigned char *begin = (unsigned char *)model + (length - rest.length);
        if (!take_field(&rest, &f))
            break;
        if (f.number != SELF_TEST)
            continue;
        memmove(begin, rest.at, rest.length);
        return (size_t)(end - rest.at) + (size_t)(begin - (unsigned char *)model);
    }
    return length;
}
