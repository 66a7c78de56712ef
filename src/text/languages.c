#include "text/languages.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "text/detect.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool languages_code_valid(const char *code, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    for (size_t i = 0; i < length; i++)
        if (!code[i] || !strchr(letters, code[i]))
            return false;
    return length > 0 && length < LANGUAGES_CODE;
}

/* ---- Collecting ---- */

int languages_find(const struct languages *l, const char *code, size_t length)
{
    for (int i = 0; i < l->count; i++)
        if (strlen(l->item[i].code) == length && memcmp(l->item[i].code, code, length) == 0)
            return i;
    return -1;
}

int languages_add(struct languages *l, int side, const char *code, size_t length)
{
    int i = languages_find(l, code, length);
    if (i < 0) {
        if (l->count == LANGUAGES_MOST)
            return -1;
        struct language *more = realloc(l->item, ((size_t)l->count + 1) * sizeof *more);
        if (!more)
            return -2;
        l->item = more;
        i = l->count++;
        l->item[i] = (struct language){.code = ""};
        memcpy(l->item[i].code, code, length);
    }
    l->item[i].on[side] = true;
    return i;
}

bool languages_has(const struct languages *l, struct language_pair pair)
{
    for (int i = 0; i < l->pairs; i++)
        if (l->pair[i].from == pair.from && l->pair[i].to == pair.to)
            return true;
    return false;
}

bool languages_add_pair(struct languages *l, struct language_pair pair)
{
    if (languages_has(l, pair))
        return true;
    struct language_pair *more = realloc(l->pair, ((size_t)l->pairs + 1) * sizeof *more);
    if (!more)
        return false;
    l->pair = more;
    l->pair[l->pairs++] = pair;
    return true;
}

static enum attend_status no_memory(struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for languages");
}

static bool copy_detect(struct language *to, const struct language *from)
{
    if (!from->detect)
        return true;
    to->detect = malloc(sizeof *to->detect);
    if (to->detect)
        *to->detect = *from->detect;
    return to->detect;
}

enum attend_status languages_copy(struct languages *out, const struct languages *l,
                                  struct attend_error *err)
{
    struct languages copy = {.item = calloc((size_t)l->count + 1, sizeof *copy.item)};
    bool good = copy.item;
    for (int i = 0; good && i < l->count; i++) {
        copy.item[i] = l->item[i];
        copy.item[i].detect = NULL;
        copy.count++;
        good = copy_detect(&copy.item[i], &l->item[i]);
    }
    for (int i = 0; good && i < l->pairs; i++)
        good = languages_add_pair(&copy, l->pair[i]);
    if (!good) {
        languages_release(&copy);
        return no_memory(err);
    }
    *out = copy;
    return ATTEND_OK;
}

bool languages_same(const struct languages *a, const struct languages *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = strcmp(a->item[i].code, b->item[i].code) == 0 &&
               a->item[i].on[0] == b->item[i].on[0] && a->item[i].on[1] == b->item[i].on[1];
    return same;
}

void languages_release(struct languages *l)
{
    for (int i = 0; i < l->count; i++)
        free(l->item[i].detect);
    free(l->item);
    free(l->pair);
    *l = (struct languages){0};
}

/* ---- Tags ---- */

bool languages_tagged(const struct languages *l, int side)
{
    int count = 0;
    for (int i = 0; i < l->count; i++)
        count += l->item[i].on[side];
    return count > 1;
}

int languages_tags(const struct languages *l)
{
    return languages_tagged(l, 0) + languages_tagged(l, 1);
}

int languages_ids(const struct languages *l, struct language_pair pair, int out[LANGUAGES_TAGS])
{
    int count = 0;
    if (languages_tagged(l, 0))
        out[count++] = l->item[pair.from].tag[0];
    if (languages_tagged(l, 1))
        out[count++] = l->item[pair.to].tag[1];
    return count;
}

void languages_spell(const struct languages *l, struct language_pair pair, int k,
                     struct strbuf *out)
{
    if (k == 0 && languages_tagged(l, 0))
        strbuf_addf(out, "\xE2\x9F\xA8%s\xE2\x86\x92\xE2\x9F\xA9", l->item[pair.from].code);
    else
        strbuf_addf(out, "\xE2\x9F\xA8\xE2\x86\x92%s\xE2\x9F\xA9", l->item[pair.to].code);
}

enum { TAG_PIECE = LANGUAGES_CODE + 2 };

static void tag_piece(char out[TAG_PIECE], const struct language *language, int side)
{
    snprintf(out, TAG_PIECE, "\t%c%s", side ? '>' : '<', language->code);
}

/* The pieces of a vocabulary, then the tags, as a list for vocab_from_list. */
struct tagged_list {
    const struct vocab *from;
    char (*piece)[TAG_PIECE];
    int count;
};

static const char *list_piece(const void *context, int i)
{
    const struct tagged_list *list = context;
    const int old = vocab_size(list->from) - VOCAB_SPECIALS;
    if (i < old)
        return vocab_piece(list->from, VOCAB_SPECIALS + i);
    return i - old < list->count ? list->piece[i - old] : NULL;
}

enum attend_status languages_vocab(struct vocab **out, const struct languages *l,
                                   const struct vocab *from, struct attend_error *err)
{
    struct tagged_list list = {.from = from,
                               .piece = calloc(2 * (size_t)l->count + 1, sizeof *list.piece)};
    struct vocab_counter none = {0};
    if (!list.piece)
        return no_memory(err);
    for (int side = 0; side < 2; side++)
        for (int i = 0; languages_tagged(l, side) && i < l->count; i++)
            if (l->item[i].on[side])
                tag_piece(list.piece[list.count++], &l->item[i], side);
    const enum attend_status status =
        vocab_from_list(out, &(struct vocab_list){list_piece, &list}, &none, err);
    free(list.piece);
    return status;
}

enum attend_status languages_bind(struct languages *l, const struct vocab *vocab,
                                  struct attend_error *err)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; languages_tagged(l, side) && i < l->count; i++) {
            char piece[TAG_PIECE];
            if (!l->item[i].on[side])
                continue;
            tag_piece(piece, &l->item[i], side);
            l->item[i].tag[side] = vocab_id(vocab, piece, strlen(piece));
            if (l->item[i].tag[side] == VOCAB_UNK)
                return error_set(err, ATTEND_FORMAT,
                                 "the vocabulary has no tag for the language %s", l->item[i].code);
        }
    return ATTEND_OK;
}

/* ---- As text ---- */

void languages_write(const struct languages *l, struct strbuf *out)
{
    for (int i = 0; i < l->pairs; i++)
        strbuf_addf(out, "%s%s>%s", i ? " " : "", l->item[l->pair[i].from].code,
                    l->item[l->pair[i].to].code);
}

static enum attend_status parse_pair(struct languages *l, const char *text, size_t length,
                                     const char *name, struct attend_error *err)
{
    const char *arrow = memchr(text, '>', length);
    const size_t first = arrow ? (size_t)(arrow - text) : 0;
    if (!arrow || !languages_code_valid(text, first) ||
        !languages_code_valid(arrow + 1, length - first - 1))
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: its languages have the pair '%.*s'",
                         name, length < 80 ? (int)length : 80, text);
    struct language_pair pair;
    pair.from = languages_add(l, 0, text, first);
    pair.to = languages_add(l, 1, arrow + 1, length - first - 1);
    if (pair.from == -1 || pair.to == -1)
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: it has more than %d languages", name,
                         LANGUAGES_MOST);
    return pair.from >= 0 && pair.to >= 0 && languages_add_pair(l, pair) ? ATTEND_OK
                                                                         : no_memory(err);
}

enum attend_status languages_parse(struct languages *out, const char *text, const char *name,
                                   struct attend_error *err)
{
    struct languages l = {0};
    enum attend_status status = ATTEND_OK;
    while (!status && *text) {
        const size_t length = strcspn(text, " ");
        status = parse_pair(&l, text, length, name, err);
        text += length;
        text += *text == ' ';
    }
    if (!status && languages_tags(&l) == 0)
        status = error_set(err, ATTEND_FORMAT, "%s: is damaged: its languages are one pair", name);
    if (status)
        languages_release(&l);
    else
        *out = l;
    return status;
}

/* ---- Choosing ---- */

/* Append the codes of a side, those that go with `other` on the other side (-1: any). */
static void list_codes(const struct languages *l, int side, int other, struct strbuf *out)
{
    enum { ENOUGH = 300 };
    bool listed[LANGUAGES_MOST] = {false};
    for (int i = 0; i < l->pairs && out->length < ENOUGH; i++) {
        const int one = side ? l->pair[i].to : l->pair[i].from;
        const int two = side ? l->pair[i].from : l->pair[i].to;
        if (listed[one] || (other >= 0 && other != two))
            continue;
        listed[one] = true;
        strbuf_addf(out, "%s%s", out->length ? ", " : "", l->item[one].code);
    }
    if (out->length >= ENOUGH)
        strbuf_adds(out, " ...");
}

static const char *const side_options[] = {"from", "to"};

enum attend_status languages_check(const struct languages *l, int side, const char *code,
                                   struct attend_error *err)
{
    const int i = code ? languages_find(l, code, strlen(code)) : -1;
    if (!code || (i >= 0 && l->item[i].on[side]))
        return ATTEND_OK;
    struct strbuf codes = {0};
    list_codes(l, side, -1, &codes);
    error_set(err, ATTEND_USAGE, "the model does not translate %s %.40s, only %s %s",
              side_options[side], code, side_options[side], codes.failed ? "others" : codes.text);
    strbuf_release(&codes);
    return ATTEND_USAGE;
}

/* Several pairs are left: ask for the side that decides. */
static enum attend_status refuse(const struct languages *l, int from, int to,
                                 struct attend_error *err)
{
    const int side = to < 0 && languages_tagged(l, 1);
    const int other = side ? from : to;
    struct strbuf codes = {0};
    list_codes(l, side, other, &codes);
    const char *known = codes.failed ? "several languages" : codes.text, *name = side_options[side];
    if (other < 0)
        error_set(err, ATTEND_USAGE, "`%s` is needed: the model translates %s %s", name, name,
                  known);
    else
        error_set(err, ATTEND_USAGE, "`%s` is needed: the model translates %s %s %s %s", name,
                  side_options[!side], l->item[other].code, name, known);
    strbuf_release(&codes);
    return ATTEND_USAGE;
}

enum attend_status languages_choose(const struct languages *l, const char *from, const char *to,
                                    struct language_pair *out, bool *seen, struct attend_error *err)
{
    enum attend_status status = languages_check(l, 0, from, err);
    if (!status)
        status = languages_check(l, 1, to, err);
    if (status)
        return status;
    struct language_pair pair = {from ? languages_find(l, from, strlen(from)) : -1,
                                 to ? languages_find(l, to, strlen(to)) : -1};
    struct language_pair one = pair; /* zero-shot if both are given and no pair has both */
    int found = 0;
    for (int i = 0; i < l->pairs; i++) {
        const struct language_pair *p = &l->pair[i];
        if ((pair.from >= 0 && p->from != pair.from) || (pair.to >= 0 && p->to != pair.to))
            continue;
        one = *p;
        found++;
    }
    if (found > 1)
        return refuse(l, pair.from, pair.to, err);
    *out = one;
    *seen = found;
    return ATTEND_OK;
}
