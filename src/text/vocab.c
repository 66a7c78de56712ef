#include "text/vocab.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/utf8.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct vocab {
    struct piece_table pieces; /* a piece's number is its id */
};

static const char *const specials[VOCAB_SPECIALS] = {
    [VOCAB_UNK] = "<unk>", [VOCAB_BOS] = "<s>", [VOCAB_EOS] = "</s>"};

static enum attend_status no_memory(struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for a vocabulary");
}

/* ---- Counting ---- */

static bool counter_grow(struct vocab_counter *c)
{
    if (c->pieces.count < c->size)
        return true;
    if (c->size > INT_MAX / 2 || (size_t)c->size > SIZE_MAX / 4 / sizeof *c->count)
        return false;
    const int size = c->size ? 2 * c->size : 64;
    long *count = realloc(c->count, (size_t)size * sizeof *count);
    if (!count)
        return false;
    memset(count + c->size, 0, (size_t)(size - c->size) * sizeof *count);
    c->count = count;
    c->size = size;
    return true;
}

static void count(struct vocab_counter *c, const char *piece, size_t length, long times)
{
    BUG_ON(length == 0 || memchr(piece, '\n', length) || memchr(piece, '\0', length));
    const int number = counter_grow(c) ? piece_table_add(&c->pieces, piece, length) : -1;
    if (number < 0)
        c->failed = true;
    else
        c->count[number] += times;
}

void vocab_counter_add(struct vocab_counter *c, const char *piece, size_t length)
{
    count(c, piece, length, 1);
}

void vocab_counter_pin(struct vocab_counter *c, const char *piece, size_t length)
{
    count(c, piece, length, LONG_MAX / 2);
}

void vocab_counter_release(struct vocab_counter *c)
{
    piece_table_release(&c->pieces);
    free(c->count);
    *c = (struct vocab_counter){0};
}

/* ---- From a counter ---- */

struct ranked {
    const char *piece;
    long count;
};

static int by_rank(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return strcmp(a->piece, b->piece);
}

/* The counted pieces in the order of their ids; the caller frees them. NULL when out of memory. */
static struct ranked *rank(const struct vocab_counter *c)
{
    const int count = c->pieces.count;
    struct ranked *all = calloc((size_t)count + 1, sizeof *all);
    if (!all)
        return NULL;
    for (int i = 0; i < count; i++)
        all[i] = (struct ranked){piece_table_at(&c->pieces, i), c->count[i]};
    qsort(all, (size_t)count, sizeof *all, by_rank);
    return all;
}

static bool add(struct vocab *v, const char *piece)
{
    return piece_table_add(&v->pieces, piece, strlen(piece)) >= 0;
}

static bool fits(const char *piece)
{
    return *piece && !strchr(piece, '\n') && utf8_valid(piece, strlen(piece), NULL);
}

/* Adds the special pieces, the list (may be NULL) and the counted pieces, as long as there is room.
 * A piece that is already there, or spells a special one, gets no id. */
static bool fill(struct vocab *v, const struct vocab_list *list, const struct vocab_counter *c,
                 int limit)
{
    struct ranked *all = c->failed ? NULL : rank(c);
    bool ok = all;
    for (int i = 0; ok && i < VOCAB_SPECIALS; i++)
        ok = add(v, specials[i]);
    const char *piece;
    for (int i = 0; ok && list && (piece = list->piece(list->context, i)); i++)
        ok = v->pieces.count >= limit || !fits(piece) || add(v, piece);
    for (int i = 0; ok && i < c->pieces.count && v->pieces.count < limit; i++)
        ok = add(v, all[i].piece);
    free(all);
    return ok;
}

static enum attend_status make(struct vocab **out, const struct vocab_list *list,
                               const struct vocab_counter *c, int limit, struct attend_error *err)
{
    struct vocab *v = calloc(1, sizeof *v);
    if (!v || !fill(v, list, c, limit)) {
        vocab_free(v);
        return no_memory(err);
    }
    *out = v;
    return ATTEND_OK;
}

enum attend_status vocab_from_counter(struct vocab **out, const struct vocab_counter *c,
                                      int max_size, struct attend_error *err)
{
    if (max_size && max_size <= VOCAB_SPECIALS)
        return error_set(err, ATTEND_USAGE,
                         "a vocabulary of %d has room only for the %d special pieces; ask for "
                         "more, or 0 for all pieces",
                         max_size, VOCAB_SPECIALS);
    const int limit = max_size && max_size < VOCAB_MAX_SIZE ? max_size : VOCAB_MAX_SIZE;
    return make(out, NULL, c, limit, err);
}

enum attend_status vocab_from_list(struct vocab **out, const struct vocab_list *list,
                                   const struct vocab_counter *c, struct attend_error *err)
{
    return make(out, list, c, VOCAB_MAX_SIZE, err);
}

/* ---- The file format ---- */

void vocab_write(const struct vocab *v, struct strbuf *out)
{
    for (int i = 0; i < v->pieces.count; i++) {
        strbuf_adds(out, piece_table_at(&v->pieces, i));
        strbuf_addc(out, '\n');
    }
}

static bool is_special(const char *piece, size_t length, int id)
{
    return strlen(specials[id]) == length && memcmp(specials[id], piece, length) == 0;
}

/* The reason why the next piece of the file is invalid, or NULL. */
static const char *objection(const char *piece, size_t length, int id)
{
    if (id >= VOCAB_MAX_SIZE)
        return "exceeds the largest vocabulary";
    if (length == 0)
        return "is empty; a vocabulary has one piece on each line";
    if (!utf8_valid(piece, length, NULL) || memchr(piece, '\0', length))
        return "is not UTF-8 text";
    if (id < VOCAB_SPECIALS && !is_special(piece, length, id))
        return "is not a special piece; a vocabulary begins with the lines <unk>, <s> and </s>";
    return NULL;
}

static enum attend_status parse_piece(struct vocab *v, const char *piece, size_t length,
                                      const char *name, struct attend_error *err)
{
    const int id = v->pieces.count;
    const char *why = objection(piece, length, id);
    if (why)
        return error_at(err, ATTEND_FORMAT, name, (size_t)id + 1, "%s", why);
    const int got = piece_table_add(&v->pieces, piece, length);
    if (got < 0)
        return no_memory(err);
    if (got != id)
        return error_at(err, ATTEND_FORMAT, name, (size_t)id + 1, "repeats the piece of line %d",
                        got + 1);
    return ATTEND_OK;
}

static int count_lines(const char *bytes, size_t length)
{
    int count = 1;
    for (const char *at = bytes, *end = bytes + length; count < VOCAB_MAX_SIZE; at++, count++)
        if (at == end || !(at = memchr(at, '\n', (size_t)(end - at))))
            break;
    return count;
}

enum attend_status vocab_parse(struct vocab **out, const char *bytes, size_t length,
                               const char *name, struct attend_error *err)
{
    struct vocab *v = calloc(1, sizeof *v);
    enum attend_status status = v && piece_table_reserve(&v->pieces, count_lines(bytes, length))
                                    ? ATTEND_OK
                                    : no_memory(err);
    for (size_t at = 0; !status && at < length;) {
        const char *end = memchr(bytes + at, '\n', length - at);
        const size_t piece = end ? (size_t)(end - (bytes + at)) : length - at;
        status = parse_piece(v, bytes + at, piece, name, err);
        at += piece + 1;
    }
    if (!status && v->pieces.count < VOCAB_SPECIALS)
        status =
            error_set(err, ATTEND_FORMAT,
                      "%s: is no vocabulary; one begins with the lines <unk>, <s> and </s>", name);
    if (!status) {
        *out = v;
        v = NULL;
    }
    vocab_free(v);
    return status;
}

enum attend_status vocab_copy(struct vocab **out, const struct vocab *from,
                              struct attend_error *err)
{
    struct vocab *v = calloc(1, sizeof *v);
    bool good = v;
    for (int i = 0; good && i < from->pieces.count; i++)
        good = add(v, piece_table_at(&from->pieces, i));
    if (!good) {
        vocab_free(v);
        return no_memory(err);
    }
    *out = v;
    return ATTEND_OK;
}

/* ---- Access ---- */

int vocab_size(const struct vocab *v) { return v->pieces.count; }

int vocab_id(const struct vocab *v, const char *piece, size_t length)
{
    const int id = piece_table_find(&v->pieces, piece, length);
    return id < VOCAB_SPECIALS ? VOCAB_UNK : id;
}

const char *vocab_piece(const struct vocab *v, int id) { return piece_table_at(&v->pieces, id); }

void vocab_free(struct vocab *v)
{
    if (!v)
        return;
    piece_table_release(&v->pieces);
    free(v);
}
