/* Tokenizers and vocabularies: a byte of settings, a line of text, then the bytes of a
 * SentencePiece model or a vocabulary, as in a model file.
 *
 * Aimed at: src/text/protobuf.c src/text/sentencepiece_model.c src/text/charsmap.c
 *   src/text/normalizer.c src/text/piece_trie.c src/text/unigram.c src/text/bpe.c
 *   src/text/sentencepiece.c src/text/sentencepiece_join.c src/text/tokenizer.c src/text/vocab.c
 *   src/text/word.c src/text/char.c src/text/spaces.c */
#include "fuzz.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

enum { ROW = 3, FEATURES = 4, FORM_SHIFT = 3, VOCABULARY = 32, SAMPLE = 64, MARKED = 128 };
enum { PIECES_MAX = 4096 };

struct split {
    char *piece[PIECES_MAX];
    int count;
    const char *text;
};

/* Pieces are valid text, and their positions are at character boundaries. */
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

/* Check for equal text except blanks; `word` has its own mark, which it removes from texts. */
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
    const struct tokenizer_sampling sampling = {.alpha = 0.5, .key = 7};
    struct strbuf joined = {0};
    strbuf_adds(&joined, "");
    s.text = text;
    FUZZ_CHECK(tokenizer_sample(t, text, strlen(text), sample ? &sampling : NULL, add, &s));
    tokenizer_join(t, &joined, (const char *const *)s.piece, s.count);
    FUZZ_CHECK(!joined.failed && strlen(joined.text) == joined.length);
    fuzz_check_text(joined.text, false);
    /* Arrows of the text that are marks become others. */
    const bool arrows = t->letter_case != LETTER_CASE_KEEP && strstr(text, "\xE2\x87");
    if (!t->state && !t->features && t->form == UTF8_NONE && s.count < PIECES_MAX && !arrows)
        check_equal(joined.text, text);
    for (int i = 0; i < s.count; i++) {
        tokenizer_place(t, i ? s.piece[i - 1] : NULL, s.piece[i]);
        tokenizer_is_feature(t, s.piece[i]);
        tokenizer_is_mark(t, s.piece[i]);
    }
    while (s.count)
        free(s.piece[--s.count]);
    strbuf_release(&joined);
}

/* Every piece has one id, and a vocabulary survives writing and reading. */
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
    struct attend_error err = {.message = ""};
    if (!t->state || t->features)
        return; /* these bytes are part of the text */
    const enum attend_status status = tokenizer_vocab(&v, t, NULL, 0, &err);
    fuzz_check_error(status, &err);
    if (!status)
        check_vocab(v);
    vocab_free(v);
}

static void read_vocab(const struct fuzz_input *in)
{
    struct vocab *v = NULL;
    struct attend_error err = {.message = ""};
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
    struct attend_error err = {.message = ""};
    const unsigned flags = fuzz_byte(&in);
    const struct tokenizer_ops *ops = tokenizers[(flags & ROW) % TOKENIZER_COUNT];
    const struct tokenizer_settings settings = {
        .form = utf8_forms[(flags >> FORM_SHIFT & 3) % UTF8_FORM_COUNT],
        .features = flags & FEATURES,
        .letter_case = letter_cases[flags & MARKED ? LETTER_CASE_MARKED : LETTER_CASE_KEEP],
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
