/* Tokenizers and vocabularies: a byte of settings, a line of text, then the bytes that a model file
 * holds, of a SentencePiece model or of a vocabulary.
 *
 * Aimed at: src/text/sentencepiece_check.c src/text/charsmap.c src/text/tokenizer.c
 *   src/text/vocab.c src/text/word.c src/text/char.c src/text/spaces.c */
#include "fuzz.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

enum { ROW = 3, FEATURES = 4, FORM_SHIFT = 3, VOCABULARY = 32, SAMPLE = 64 };
enum { PIECES_MAX = 4096 };

struct split {
    char *piece[PIECES_MAX];
    int count;
    const char *text;
};

/* Pieces are text, and stand where the text has whole characters. */
static void add(void *context, const struct tokenizer_piece *piece)
{
    struct split *s = context;
    FUZZ_CHECK(piece->length > 0 && utf8_valid(piece->text, piece->length, NULL));
    FUZZ_CHECK(!memchr(piece->text, '\n', piece->length));
    FUZZ_CHECK(!memchr(piece->text, '\0', piece->length));
    FUZZ_CHECK(piece->from <= piece->to && piece->to <= strlen(s->text));
    FUZZ_CHECK(utf8_valid(s->text + piece->from, piece->to - piece->from, NULL));
    if (s->count < PIECES_MAX)
        s->piece[s->count++] = strndup(piece->text, piece->length);
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The same text but for blanks; `word` has a mark of its own, which it takes out of texts. */
static void check_equal(const char *a, const char *b)
{
    if (strstr(b, "\xEF\xBF\xAD"))
        return;
    for (;; a++, b++) {
        while (is_blank(*a))
            a++;
        while (is_blank(*b))
            b++;
        FUZZ_CHECK(*a == *b);
        if (!*a)
            return;
    }
}

static void check_text(const struct tokenizer *t, const char *text, bool sample)
{
    static struct split s;
    const struct tokenizer_draw draw = {.alpha = 0.5, .key = 7};
    struct strbuf joined = {0};
    strbuf_adds(&joined, "");
    s.text = text;
    FUZZ_CHECK(tokenizer_sample(t, text, strlen(text), sample ? &draw : NULL, add, &s));
    tokenizer_join(t, &joined, (const char *const *)s.piece, s.count);
    FUZZ_CHECK(!joined.failed && strlen(joined.text) == joined.length);
    fuzz_check_text(joined.text, false);
    if (!t->state && !t->features && t->form == UTF8_NONE && s.count < PIECES_MAX)
        check_equal(joined.text, text);
    for (int i = 0; i < s.count; i++) {
        tokenizer_place(t, i ? s.piece[i - 1] : NULL, s.piece[i]);
        tokenizer_is_feature(t, s.piece[i]);
    }
    while (s.count)
        free(s.piece[--s.count]);
    strbuf_release(&joined);
}

/* Every piece has one id, and what is written is what is read. */
static void check_vocab(const struct vocab *v)
{
    struct strbuf bytes = {0}, again = {0};
    struct vocab *copy = NULL;
    FUZZ_CHECK(vocab_size(v) >= VOCAB_SPECIALS);
    for (int i = VOCAB_SPECIALS; i < vocab_size(v); i++) {
        const char *piece = vocab_piece(v, i);
        fuzz_check_text(piece, false);
        FUZZ_CHECK(*piece && vocab_id(v, piece, strlen(piece)) == i);
    }
    vocab_write(v, &bytes);
    FUZZ_CHECK(!vocab_parse(&copy, bytes.text, bytes.length, "copy", NULL));
    vocab_write(copy, &again);
    FUZZ_CHECK(again.length == bytes.length && !memcmp(again.text, bytes.text, again.length));
    strbuf_release(&bytes);
    strbuf_release(&again);
    vocab_free(copy);
}

static void check_state(const struct tokenizer *t)
{
    struct vocab *v = NULL;
    struct attend_error err = {""};
    if (!t->state || t->features)
        return; /* it would walk over text */
    const enum attend_status status = tokenizer_vocab(&v, t, NULL, 0, &err);
    fuzz_check_error(status, &err);
    if (!status)
        check_vocab(v);
    vocab_free(v);
}

static void read_vocab(const struct fuzz_input *in)
{
    struct vocab *v = NULL;
    struct attend_error err = {""};
    const enum attend_status status =
        vocab_parse(&v, (const char *)in->at, in->left, "vocabulary", &err);
    fuzz_check_error(status, &err);
    if (!status)
        check_vocab(v);
    vocab_free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct tokenizer *t = NULL;
    struct attend_error err = {""};
    const unsigned flags = fuzz_byte(&in);
    const struct tokenizer_ops *ops = tokenizers[(flags & ROW) % TOKENIZER_COUNT];
    const struct tokenizer_settings settings = {
        .form = utf8_forms[(flags >> FORM_SHIFT & 3) % UTF8_FORM_COUNT],
        .features = flags & FEATURES,
    };
    size_t length;
    char *text = fuzz_until(&in, '\n', &length);
    fuzz_make_text(text, length, false);
    if (flags & VOCABULARY)
        read_vocab(&in);
    const enum attend_status status =
        tokenizer_load(&t, ops->name, &settings, in.at, ops->load ? in.left : 0, &err);
    fuzz_check_error(status, &err);
    if (!status) {
        check_text(t, text, flags & SAMPLE);
        check_state(t);
    }
    tokenizer_free(t);
    free(text);
    return 0;
}
