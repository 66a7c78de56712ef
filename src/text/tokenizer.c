#include "text/tokenizer.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

#define ROW(name) &tokenizer_##name,
const struct tokenizer_ops *const tokenizers[TOKENIZER_COUNT] = {TOKENIZER_LIST(ROW)};
#undef ROW

const char *const tokenizer_methods[] = {"unigram", "bpe", NULL};

const struct tokenizer_ops *tokenizer_find(const char *name)
{
    for (int i = 0; i < TOKENIZER_COUNT; i++)
        if (strcmp(tokenizers[i]->name, name) == 0)
            return tokenizers[i];
    return NULL;
}

/* The index of a name in a NULL-terminated list; -1 when it is not there. */
static int place_of(const char *name, const char *const *list)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], name) == 0)
            return i;
    return -1;
}

/* ---- Creating one ---- */

static enum attend_status unknown(const char *name, struct attend_error *err)
{
    struct strbuf known = {0};
    for (int i = 0; i < TOKENIZER_COUNT; i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", tokenizers[i]->name);
    error_set(err, ATTEND_USAGE, "there is no tokenizer '%.64s'; known are %s", name,
              known.failed ? "others" : known.text);
    strbuf_release(&known);
    return ATTEND_USAGE;
}

enum attend_status tokenizer_new(struct tokenizer **out, const char *name,
                                 const struct tokenizer_settings *settings,
                                 struct attend_error *err)
{
    const struct tokenizer_ops *ops = tokenizer_find(name);
    if (!ops)
        return unknown(name, err);
    const char *form_name = settings && settings->form ? settings->form : utf8_forms[UTF8_NONE];
    const int form = place_of(form_name, utf8_forms);
    const int letter_case =
        settings && settings->letter_case ? place_of(settings->letter_case, letter_cases) : 0;
    if (letter_case < 0)
        return error_set(err, ATTEND_USAGE,
                         "there is no case '%.64s'; known are keep, lower and marked",
                         settings->letter_case);
    if (form < 0)
        return error_set(err, ATTEND_USAGE,
                         "there is no normal form '%.64s'; known are none, nfc and nfkc",
                         form_name);
    struct tokenizer *t = malloc(sizeof *t);
    if (!t)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a tokenizer");
    *t = (struct tokenizer){.ops = ops,
                            .form = (enum utf8_form)form,
                            .features = settings && settings->features,
                            .letter_case = (enum letter_case)letter_case};
    *out = t;
    return ATTEND_OK;
}

static enum attend_status load_state(struct tokenizer *t, const void *bytes, size_t length,
                                     struct attend_error *err)
{
    if (!t->ops->load != (length == 0))
        return error_set(err, ATTEND_FORMAT,
                         t->ops->load ? "the learned state of the tokenizer %s is missing"
                                      : "the tokenizer %s learns nothing, but has a state",
                         t->ops->name);
    return t->ops->load ? t->ops->load(&t->state, bytes, length, err) : ATTEND_OK;
}

enum attend_status tokenizer_load(struct tokenizer **out, const char *name,
                                  const struct tokenizer_settings *settings, const void *bytes,
                                  size_t length, struct attend_error *err)
{
    struct tokenizer *t = NULL;
    enum attend_status status = tokenizer_new(&t, name, settings, err);
    if (status == ATTEND_USAGE)
        status = ATTEND_FORMAT;
    if (!status)
        status = load_state(t, bytes, length, err);
    if (!status) {
        *out = t;
        t = NULL;
    }
    tokenizer_free(t);
    return status;
}

enum attend_status tokenizer_copy(struct tokenizer **out, const struct tokenizer *t,
                                  struct attend_error *err)
{
    const struct tokenizer_settings settings = {utf8_forms[t->form], t->features,
                                                letter_cases[t->letter_case]};
    const void *bytes;
    size_t length;
    if (!tokenizer_state(t, &bytes, &length))
        return tokenizer_new(out, t->ops->name, &settings, err);
    return tokenizer_load(out, t->ops->name, &settings, bytes, length, err);
}

void tokenizer_free(struct tokenizer *t)
{
    if (t && t->state)
        t->ops->free(t->state);
    free(t);
}

bool tokenizer_state(const struct tokenizer *t, const void **bytes, size_t *length)
{
    if (t->state)
        t->ops->save(t->state, bytes, length);
    return t->state;
}

/* ---- Splitting ---- */

/* A normalized line: its text, and its features if there are any. */
struct line {
    const char *start;           /* the whole line: the caller's text, or `normal` */
    const char *text, *features; /* parts of the line */
    size_t text_length, features_length;
    struct strbuf normal;
    struct utf8_origin origin; /* of `normal`; empty when normalization changes nothing */
    struct letter_fold fold;   /* of the text */
};

static void line_release(struct line *l)
{
    strbuf_release(&l->normal);
    utf8_origin_release(&l->origin);
    letter_fold_release(&l->fold);
}

static bool line_failed(const struct line *l) { return l->normal.failed || l->fold.text.failed; }

static void fold_text(struct line *l, const struct tokenizer *t)
{
    letter_fold_make(&l->fold, t->letter_case, l->text, l->text_length);
    if (l->fold.same)
        return;
    l->text = l->fold.text.text ? l->fold.text.text : "";
    l->text_length = l->fold.text.length;
}

static bool line_prepare(struct line *l, const struct tokenizer *t, const char *text, size_t length)
{
    strbuf_clear(&l->normal);
    l->origin.count = 0;
    if (t->form != UTF8_NONE) {
        utf8_normalize(&l->normal, text, length, t->form, &l->origin);
        text = l->normal.text ? l->normal.text : "";
        length = l->normal.length;
    }
    l->start = text;
    const char *tab = t->features && length ? memchr(text, '\t', length) : NULL;
    l->text = text;
    l->text_length = tab ? (size_t)(tab - text) : length;
    l->features = tab ? tab + 1 : NULL;
    l->features_length = tab ? length - l->text_length - 1 : 0;
    if (t->letter_case != LETTER_CASE_KEEP)
        fold_text(l, t);
    return !line_failed(l);
}

/* Passes pieces on with their positions in the caller's line. */
struct relay {
    const struct line *line;
    size_t base; /* start of the part that is split, in the normalized line */
    int marks;   /* of the folded text, passed on so far */
    tokenizer_piece_fn *emit;
    void *context;
};

static void relay(void *context, const struct tokenizer_piece *piece)
{
    const struct relay *r = context;
    struct tokenizer_piece placed = *piece;
    placed.from = utf8_origin_from(&r->line->origin, r->base + piece->from);
    placed.to = piece->to > piece->from ? utf8_origin_to(&r->line->origin, r->base + piece->to)
                                        : placed.from;
    r->emit(r->context, &placed);
}

static bool is_blank_piece(const struct tokenizer_piece *piece)
{
    size_t at = 0;
    while (at < piece->length && tokenizer_is_blank(piece->text[at]))
        at++;
    return at == piece->length;
}

/* Pass on the marks before a piece, at its position. A word's mark follows the blank before the word, if that is a
 * piece; the mark that ends capitals precedes it. */
static void relay_marks(struct relay *r, size_t from, bool blank)
{
    const struct letter_fold *f = &r->line->fold;
    const size_t at = utf8_origin_from(&f->origin, from);
    for (; r->marks < f->marks && from >= f->mark[r->marks].after; r->marks++) {
        const struct letter_fold_mark *m = &f->mark[r->marks];
        if (blank && m->mark != LETTER_MARK_END)
            return;
        relay(r, &(struct tokenizer_piece){letter_marks[m->mark], LETTER_MARK_BYTES, at, at});
    }
}

/* Pass on a piece of the text, whose position is one in the folded text. */
static void relay_text(void *context, const struct tokenizer_piece *piece)
{
    struct relay *r = context;
    const struct utf8_origin *folded = &r->line->fold.origin;
    struct tokenizer_piece given = *piece;
    if (r->marks < r->line->fold.marks)
        relay_marks(r, piece->from, is_blank_piece(piece));
    given.from = utf8_origin_from(folded, piece->from);
    given.to = piece->to > piece->from ? utf8_origin_to(folded, piece->to) : given.from;
    relay(r, &given);
}

/* Remove leading and trailing blanks. */
static void trim(const char **text, size_t *length)
{
    for (; *length && tokenizer_is_blank(**text); --*length)
        ++*text;
    while (*length && tokenizer_is_blank((*text)[*length - 1]))
        --*length;
}

static bool emit_features(const struct line *l, tokenizer_piece_fn *emit, void *context)
{
    struct relay out = {.line = l, .emit = emit, .context = context};
    struct strbuf piece = {0};
    for (size_t at = 0; at < l->features_length;) {
        const char *feature = l->features + at, *end;
        size_t length = l->features_length - at;
        if ((end = memchr(feature, ';', length)))
            length = (size_t)(end - feature);
        at += length + 1;
        trim(&feature, &length);
        strbuf_clear(&piece);
        strbuf_adds(&piece, TOKENIZER_OPEN);
        strbuf_add(&piece, feature, length);
        strbuf_adds(&piece, TOKENIZER_CLOSE);
        out.base = (size_t)(feature - l->start);
        if (length && !piece.failed)
            relay(&out, &(struct tokenizer_piece){piece.text, piece.length, 0, length});
    }
    const bool good = !piece.failed;
    strbuf_release(&piece);
    return good;
}

bool tokenizer_sample(const struct tokenizer *t, const char *text, size_t length,
                      const struct tokenizer_sampling *sampling, tokenizer_piece_fn *emit,
                      void *context)
{
    BUG_ON(tokenizer_must_learn(t));
    struct line line = {0};
    struct relay out = {.line = &line, .emit = emit, .context = context};
    bool good = line_prepare(&line, t, text, length) && emit_features(&line, emit, context);
    if (good && sampling && t->ops->sample)
        good = t->ops->sample(t->state, line.text, line.text_length, sampling, relay_text, &out);
    else if (good)
        good = t->ops->split(t->state, line.text, line.text_length, relay_text, &out);
    if (good)
        relay_marks(&out, line.text_length, false);
    line_release(&line);
    return good;
}

bool tokenizer_split(const struct tokenizer *t, const char *text, size_t length,
                     tokenizer_piece_fn *emit, void *context)
{
    return tokenizer_sample(t, text, length, NULL, emit, context);
}

/* ---- Learning ---- */

bool tokenizer_must_learn(const struct tokenizer *t) { return t->ops->learn && !t->state; }

/* Iterates over the texts of lines, as the row's split gets them. */
struct lesson_text {
    const struct tokenizer *tokenizer;
    const struct tokenizer_walk *lines;
    struct line line;
};

static bool next_text(void *context, const char **text, size_t *length)
{
    struct lesson_text *l = context;
    if (line_failed(&l->line) || !l->lines->next(l->lines->context, text, length) ||
        !line_prepare(&l->line, l->tokenizer, *text, *length))
        return false;
    *text = l->line.text;
    *length = l->line.text_length;
    return true;
}

enum attend_status tokenizer_learn(struct tokenizer *t, const struct tokenizer_walk *walk,
                                   const struct tokenizer_lesson *lesson, struct attend_error *err)
{
    if (!tokenizer_must_learn(t))
        return ATTEND_OK;
    struct tokenizer_lesson named = *lesson;
    if (!named.method)
        named.method = tokenizer_methods[0];
    if (place_of(named.method, tokenizer_methods) < 0)
        return error_set(err, ATTEND_USAGE, "a tokenizer learns with unigram or bpe, not '%.64s'",
                         named.method);
    named.symbols = t->letter_case == LETTER_CASE_MARKED ? letter_marks : NULL;
    struct lesson_text text = {.tokenizer = t, .lines = walk};
    enum attend_status status =
        t->ops->learn(&t->state, &(struct tokenizer_walk){next_text, &text}, &named, err);
    if (!status && line_failed(&text.line))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for text to learn from");
    line_release(&text.line);
    return status;
}

/* ---- Vocabularies ---- */

static void count_piece(void *context, const struct tokenizer_piece *piece)
{
    vocab_counter_add(context, piece->text, piece->length);
}

/* Counts the pieces of every line or, if the tokenizer has its own pieces, only the features. */
static void count(struct vocab_counter *counter, const struct tokenizer *t,
                  const struct tokenizer_walk *walk)
{
    const char *text;
    size_t length;
    struct line line = {0};
    while (!counter->failed && walk->next(walk->context, &text, &length)) {
        const bool good = t->state ? line_prepare(&line, t, text, length) &&
                                         emit_features(&line, count_piece, counter)
                                   : tokenizer_split(t, text, length, count_piece, counter);
        counter->failed = counter->failed || !good;
    }
    line_release(&line);
}

enum attend_status tokenizer_vocab(struct vocab **out, const struct tokenizer *t,
                                   const struct tokenizer_walk *walk, int max_size,
                                   struct attend_error *err)
{
    BUG_ON(tokenizer_must_learn(t));
    struct vocab_counter counter = {0};
    for (int i = 0; i < LETTER_MARKS && t->letter_case == LETTER_CASE_MARKED; i++)
        vocab_counter_pin(&counter, letter_marks[i], LETTER_MARK_BYTES);
    if (!t->state || t->features)
        count(&counter, t, walk);
    const enum attend_status status =
        t->state
            ? vocab_from_list(out, &(struct vocab_list){t->ops->piece, t->state}, &counter, err)
            : vocab_from_counter(out, &counter, max_size, err);
    vocab_counter_release(&counter);
    return status;
}
