#include "text/known.h"

#include "text/letter_case.h"
#include "text/tokenized.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <string.h>

/* ---- Whether a form is known ---- */

struct check {
    const struct tokenizing *side;
    int tokens, unknown;
};

/* Whether the vocabulary has a punctuation mark of the tokenizer `word`, wherever it touches. */
static bool is_known_touching(const struct vocab *vocab, const struct tokenizer_piece *piece)
{
    static const char MARK[] = "\xEF\xBF\xAD"; /* U+FFED */
    bool known = false;
    for (int sides = 1; sides < 4 && !known; sides++) {
        struct strbuf touching = {0};
        strbuf_adds(&touching, sides & 1 ? MARK : "");
        strbuf_add(&touching, piece->text, piece->length);
        strbuf_adds(&touching, sides & 2 ? MARK : "");
        known = !touching.failed && vocab_id(vocab, touching.text, touching.length) != VOCAB_UNK;
        strbuf_release(&touching);
    }
    return known;
}

static void check_piece(void *context, const struct tokenizer_piece *piece)
{
    struct check *c = context;
    const struct vocab *vocab = c->side->vocab;
    const bool known =
        vocab_id(vocab, piece->text, piece->length) != VOCAB_UNK ||
        (c->side->tokenizer->ops == &tokenizer_word && is_known_touching(vocab, piece));
    c->tokens++;
    c->unknown += !known;
}

static bool is_known(const struct tokenizing *side, const struct strbuf *text)
{
    struct check c = {.side = side};
    return text->length && !text->failed &&
           tokenizer_split(side->tokenizer, text->text, text->length, check_piece, &c) &&
           c.tokens && !c.unknown;
}

/* ---- Forms of a word ---- */

/* Punctuation that keyboards lack, and what people type instead. */
static const struct plain {
    int32_t from, to; /* code points */
    const char *text;
} plains[] = {
    {0x2018, 0x201b, "'"}, {0x2032, 0x2032, "'"}, {0x201c, 0x201f, "\""}, {0xab, 0xab, "\""},
    {0xbb, 0xbb, "\""},    {0x2010, 0x2015, "-"}, {0x2212, 0x2212, "-"},  {0xa0, 0xa0, " "},
    {0x3001, 0x3001, ","}, {0x3002, 0x3002, "."},
};

static void add_plain(struct strbuf *out, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        int32_t point = 0;
        const size_t bytes = utf8_next(text + at, length - at, &point);
        const struct plain *row = plains, *end = plains + sizeof plains / sizeof *plains;
        while (row < end && !(point >= row->from && point <= row->to))
            row++;
        if (row < end)
            strbuf_adds(out, row->text);
        else
            strbuf_add(out, text + at, bytes);
        at += bytes;
    }
}

enum base { GIVEN, COMPOSED, PLAIN, BASES };

static void write_base(struct strbuf *out, enum base base, const char *text, size_t length)
{
    struct strbuf normal = {0};
    if (base == GIVEN) {
        strbuf_add(out, text, length);
        return;
    }
    utf8_normalize(&normal, text, length, base == COMPOSED ? UTF8_NFC : UTF8_NFKC, NULL);
    if (base == COMPOSED)
        strbuf_add(out, normal.text ? normal.text : "", normal.length);
    else
        add_plain(out, normal.text ? normal.text : "", normal.length);
    out->failed = out->failed || normal.failed;
    strbuf_release(&normal);
}

static bool is_punctuation(const char *text, size_t length)
{
    int32_t point = 0;
    utf8_next(text, length, &point);
    return utf8_class(point) == UTF8_PUNCTUATION;
}

/* Remove punctuation at both ends. */
static void strip(const char **text, size_t *length)
{
    while (*length && is_punctuation(*text, *length)) {
        const size_t bytes = utf8_first(*text, *length);
        *text += bytes;
        *length -= bytes;
    }
    for (size_t at = *length; at > 0;) {
        do
            at--;
        while (at > 0 && ((unsigned char)(*text)[at] & 0xC0) == 0x80);
        if (!is_punctuation(*text + at, *length - at))
            return;
        *length = at;
    }
}

/* ---- Trying them ---- */

/* A search for a known form of one word. */
struct search {
    const struct tokenizing *side;
    const char *text;
    size_t length;
    struct strbuf base, form, last; /* `last`: the form that was tried before */
};

static bool same(const struct strbuf *a, const char *text, size_t length)
{
    return a->length == length && (!length || memcmp(a->text, text, length) == 0);
}

/* Try s->form, unless it is the given text or was the last one tried. */
static bool try_form(struct search *s)
{
    if (same(&s->form, s->text, s->length) || same(&s->form, s->last.text, s->last.length))
        return false;
    strbuf_clear(&s->last);
    strbuf_add(&s->last, s->form.text, s->form.length);
    return is_known(s->side, &s->form);
}

static bool try_cases(struct search *s, const char *text, size_t length)
{
    struct strbuf lower = {0};
    bool found = false;
    letter_write(&lower, LETTER_FORM_LOWER, text, length);
    static const enum letter_form forms[] = {LETTER_FORM_LOWER, LETTER_FORM_TITLE,
                                             LETTER_FORM_UPPER};
    strbuf_clear(&s->form);
    strbuf_add(&s->form, text, length);
    found = try_form(s);
    for (int i = 0; i < 3 && !found && lower.length; i++) {
        strbuf_clear(&s->form);
        letter_write(&s->form, forms[i], lower.text, lower.length);
        found = try_form(s);
    }
    strbuf_release(&lower);
    return found;
}

/* Find a known form; it is then in s->form. */
static bool find_form(struct search *s, bool words)
{
    for (int stripped = 0; stripped < (words ? 2 : 1); stripped++)
        for (int base = GIVEN; base < BASES; base++) {
            strbuf_clear(&s->base);
            write_base(&s->base, (enum base)base, s->text, s->length);
            const char *text = s->base.text ? s->base.text : "";
            size_t length = s->base.length;
            if (stripped)
                strip(&text, &length);
            if (length && !s->base.failed && try_cases(s, text, length))
                return true;
        }
    return false;
}

static bool is_all_punctuation(const char *text, size_t length)
{
    strip(&text, &length);
    return !length;
}

/* ---- A text ---- */

/* Copy the text up to `to`, and then put `word` for the range. */
static void replace(struct known_text *k, const char *text, size_t *copied,
                    const struct known_range *range, const char *word, size_t length)
{
    struct utf8_origin *o = &k->origin;
    bool good = utf8_origin_add(o, (struct utf8_stretch){k->text.length, *copied, true});
    strbuf_add(&k->text, text + *copied, range->from - *copied);
    good = good && utf8_origin_add(o, (struct utf8_stretch){k->text.length, range->from, false});
    strbuf_add(&k->text, word, length);
    *copied = range->to;
    k->text.failed = k->text.failed || !good;
}

static void finish(struct known_text *k, const char *text, size_t length, size_t copied)
{
    struct utf8_origin *o = &k->origin;
    bool good = utf8_origin_add(o, (struct utf8_stretch){k->text.length, copied, true});
    strbuf_add(&k->text, text + copied, length - copied);
    good = good && utf8_origin_add(o, (struct utf8_stretch){k->text.length, length, false});
    k->text.failed = k->text.failed || !good;
}

bool known_rewrite(struct known_text *k, const struct tokenizing *side, const char *text,
                   size_t length, const struct known_range *range, int count, bool beside)
{
    const struct tokenizer_ops *ops = side->tokenizer->ops;
    const bool words = ops == &tokenizer_spaces || ops == &tokenizer_word;
    struct search s = {.side = side};
    size_t copied = 0;
    int replaced = 0;
    for (int i = 0; i < count && !k->text.failed; i++) {
        s.text = text + range[i].from;
        s.length = range[i].to - range[i].from;
        strbuf_clear(&s.last);
        const bool found = find_form(&s, words);
        if (!found && !(words && beside && is_all_punctuation(s.text, s.length)))
            continue;
        replace(k, text, &copied, &range[i], found ? s.form.text : " ", found ? s.form.length : 1);
        replaced++;
    }
    if (replaced)
        finish(k, text, length, copied);
    k->text.failed = k->text.failed || s.base.failed || s.form.failed || s.last.failed;
    strbuf_release(&s.base);
    strbuf_release(&s.form);
    strbuf_release(&s.last);
    return replaced && !k->text.failed;
}

void known_release(struct known_text *k)
{
    strbuf_release(&k->text);
    utf8_origin_release(&k->origin);
}
