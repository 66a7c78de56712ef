/* The tokenizer that learns its pieces: what it learns, stores, and accepts from others. */
#include "base/io.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "test.h"
#include "lines_walk.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BLANK "\xE2\x96\x81" /* U+2581 */

/* ---- Text, pieces, tokenizers ---- */

static void add_piece(void *context, const struct tokenizer_piece *piece)
{
    struct strbuf *out = context;
    if (out->length)
        strbuf_addc(out, '|');
    strbuf_add(out, piece->text, piece->length);
}

/* The pieces, separated by bars. */
static char *pieces_of(const struct tokenizer *t, const char *text)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "");
    assert_true(tokenizer_split(t, text, strlen(text), add_piece, &out));
    return strbuf_detach(&out);
}

static void assert_pieces(const struct tokenizer *t, const char *text, const char *want)
{
    char *got = pieces_of(t, text);
    assert_string_equal(got, want);
    free(got);
}

static const char *form; /* normal form for learning; NULL except in one test */

static enum attend_status learn(struct tokenizer **out, const struct lines *lines,
                                const struct tokenizer_lesson *lesson, struct attend_error *err)
{
    const struct tokenizer_settings settings = {.form = form, .features = true};
    struct lines_walk walk = {.lines = lines};
    assert_int_equal(tokenizer_new(out, "sentencepiece", &settings, err), ATTEND_OK);
    assert_true(tokenizer_must_learn(*out));
    return tokenizer_learn(*out, &(struct tokenizer_walk){lines_walk_next, &walk}, lesson, err);
}

static void read_demo(struct lines *lines)
{
    assert_int_equal(lines_read(lines, ATTEND_SOURCE "/demo/valid.en", NULL), ATTEND_OK);
}

static struct tokenizer *learn_demo(const char *method, int size)
{
    struct tokenizer *t = NULL;
    struct lines lines;
    struct attend_error err = {.message = ""};
    read_demo(&lines);
    if (learn(&t, &lines,
              &(struct tokenizer_lesson){
                  .learn = attend_subwords_learn, .vocab_size = size, .method = method},
              &err))
        fail_msg("%s", err.message);
    assert_false(tokenizer_must_learn(t));
    lines_release(&lines);
    return t;
}

static enum attend_status learn_text(const char *text, int size, struct tokenizer **out,
                                     struct attend_error *err)
{
    struct lines lines;
    assert_true(lines_of(&lines, text));
    const enum attend_status status =
        learn(out, &lines,
              &(struct tokenizer_lesson){.learn = attend_subwords_learn, .vocab_size = size}, err);
    lines_release(&lines);
    return status;
}

static struct vocab *vocab_of(const struct tokenizer *t, const char *text)
{
    struct vocab *v = NULL;
    struct lines lines;
    assert_true(lines_of(&lines, text));
    struct lines_walk walk = {.lines = &lines};
    assert_int_equal(
        tokenizer_vocab(&v, t, &(struct tokenizer_walk){lines_walk_next, &walk}, 0, NULL),
        ATTEND_OK);
    lines_release(&lines);
    return v;
}

static int id_of(const struct vocab *v, const char *piece)
{
    return vocab_id(v, piece, strlen(piece));
}

/* ---- Learning ---- */

TEST(sentencepiece_learns_words_and_parts_by_either_method)
{
    for (const char *const *method = tokenizer_methods; *method; method++) {
        struct tokenizer *t = learn_demo(*method, 300);
        struct vocab *v = vocab_of(t, "");
        assert_in_range(vocab_size(v), 200, 300);
        assert_true(id_of(v, BLANK "the") >= VOCAB_SPECIALS);
        assert_pieces(t, "  the\tV", "\xE2\x9F\xA8V\xE2\x9F\xA9|" BLANK "the");
        /* An unseen character is a piece that is not in the vocabulary. */
        assert_pieces(t, "the \xE4\xBD\xA0", BLANK "the|" BLANK "|\xE4\xBD\xA0");
        assert_int_equal(id_of(v, "\xE4\xBD\xA0"), VOCAB_UNK);
        struct strbuf text = {0};
        tokenizer_join(t, &text, (const char *const[]){BLANK "the", BLANK, "<unk>", "s"}, 4);
        assert_string_equal(text.text, "the <unk>s");
        strbuf_release(&text);
        vocab_free(v);
        tokenizer_free(t);
    }
}

TEST(sentencepiece_methods_differ_and_others_are_refused)
{
    struct tokenizer *t = NULL;
    struct lines lines;
    struct attend_error err;
    const void *bytes[2];
    size_t length[2];
    struct tokenizer *bpe = learn_demo("bpe", 300), *unigram = learn_demo("unigram", 300);
    assert_true(tokenizer_state(bpe, &bytes[0], &length[0]));
    assert_true(tokenizer_state(unigram, &bytes[1], &length[1]));
    assert_true(length[0] != length[1] || memcmp(bytes[0], bytes[1], length[0]) != 0);
    read_demo(&lines);
    assert_int_equal(learn(&t, &lines,
                           &(struct tokenizer_lesson){.learn = attend_subwords_learn,
                                                      .vocab_size = 300,
                                                      .method = "wordpiece"},
                           &err),
                     ATTEND_USAGE);
    assert_string_equal(err.message, "a tokenizer learns with unigram or bpe, not 'wordpiece'");
    lines_release(&lines);
    tokenizer_free(t);
    tokenizer_free(bpe);
    tokenizer_free(unigram);
}

/* Also with normalization, which does not change English text. */
TEST(sentencepiece_learns_the_same_bytes_every_time)
{
    for (const char *const *method = tokenizer_methods; *method; method++) {
        const void *bytes[2];
        size_t length[2];
        struct tokenizer *t[2];
        for (int i = 0; i < 2; i++) {
            form = i ? "nfkc" : NULL;
            t[i] = learn_demo(*method, 300);
            assert_true(tokenizer_state(t[i], &bytes[i], &length[i]));
        }
        form = NULL;
        assert_int_equal(length[0], length[1]);
        assert_memory_equal(bytes[0], bytes[1], length[0]);
        tokenizer_free(t[0]);
        tokenizer_free(t[1]);
    }
}

TEST(sentencepiece_state_saved_and_loaded_splits_the_same)
{
    const struct tokenizer_settings settings = {.form = "nfkc", .features = true};
    for (const char *const *method = tokenizer_methods; *method; method++) {
        struct tokenizer *t = learn_demo(*method, 300), *loaded = NULL;
        struct lines lines;
        const void *bytes;
        size_t length;
        assert_true(tokenizer_state(t, &bytes, &length));
        assert_int_equal(tokenizer_load(&loaded, "sentencepiece", &settings, bytes, length, NULL),
                         ATTEND_OK);
        assert_int_equal(loaded->form, UTF8_NFKC);
        assert_true(loaded->features);
        read_demo(&lines);
        for (int i = 0; i < lines.count; i++) {
            char *want = pieces_of(t, lines_at(&lines, i, NULL));
            assert_pieces(loaded, lines_at(&lines, i, NULL), want);
            free(want);
        }
        lines_release(&lines);
        tokenizer_free(t);
        tokenizer_free(loaded);
    }
}

TEST(sentencepiece_of_a_tiny_text_has_few_pieces)
{
    struct tokenizer *t = NULL;
    struct attend_error err = {.message = ""};
    if (learn_text("a cat\n\na dog\n \nthe end\n", 8000, &t, &err))
        fail_msg("%s", err.message);
    struct vocab *v = vocab_of(t, "");
    assert_in_range(vocab_size(v), 12, 40);
    char *got = pieces_of(t, "a cat");
    assert_non_null(strstr(got, "a"));
    free(got);
    vocab_free(v);
    tokenizer_free(t);
    if (learn_text("a\n", 8000, &t, &err))
        fail_msg("%s", err.message);
    tokenizer_free(t);
}

TEST(sentencepiece_without_text_or_room_is_refused)
{
    struct tokenizer *t = NULL;
    struct attend_error err;
    assert_int_equal(learn_text("", 100, &t, &err), ATTEND_DATA);
    assert_string_equal(err.message, "there is no text to learn subwords from");
    tokenizer_free(t);
    assert_int_equal(learn_text("\n \t\n", 100, &t, &err), ATTEND_DATA);
    tokenizer_free(t);
    /* Eleven letters and the blank. */
    assert_int_equal(learn_text("abc def ghijk\n", 12, &t, &err), ATTEND_USAGE);
    assert_string_equal(err.message, "a vocabulary of 12 is too small for subwords of this text; "
                                     "ask for 27 or more, or split it into characters");
    tokenizer_free(t);
    assert_int_equal(learn_text("abc def ghijk\n", 27, &t, &err), ATTEND_OK);
    tokenizer_free(t);
    for (int size = 0; size < 5; size++) {
        assert_int_equal(learn_text("a\n", size, &t, &err), ATTEND_USAGE);
        tokenizer_free(t);
    }
}

TEST(sentencepiece_leaves_rare_characters_of_a_large_alphabet_out)
{
    struct strbuf text = {0};
    struct tokenizer *t = NULL;
    /* Some 2,000 ideographs, once each, among 120,000 other characters. */
    for (int i = 0; i < 2000; i++)
        strbuf_addf(&text, "the cat and the dog went home to sleep beside the old stove %c%c%c\n",
                    0xE4 + i / 1000, 0x80 + i % 1000 / 64, 0x80 + i % 64);
    assert_int_equal(learn_text(text.text, 500, &t, NULL), ATTEND_OK);
    struct vocab *v = vocab_of(t, "");
    assert_in_range(vocab_size(v), 20, 500);
    vocab_free(v);
    tokenizer_free(t);
    assert_int_equal(learn_text(text.text, 12000, &t, NULL), ATTEND_OK);
    v = vocab_of(t, "");
    assert_true(vocab_size(v) > 1900);
    vocab_free(v);
    tokenizer_free(t);
    strbuf_release(&text);
}

TEST(sentencepiece_vocabulary_ends_with_the_features_of_the_text)
{
    struct tokenizer *t = learn_demo("unigram", 300);
    struct vocab *plain = vocab_of(t, "the dog\n"),
                 *v = vocab_of(t, "the\tN;SG\ndogs\tN;PL\nx\tN\n");
    const int size = vocab_size(plain);
    assert_int_equal(vocab_size(v), size + 3);
    assert_string_equal(vocab_piece(v, VOCAB_EOS), "</s>");
    assert_string_equal(vocab_piece(v, size - 1), vocab_piece(plain, size - 1));
    assert_string_equal(vocab_piece(v, size), "\xE2\x9F\xA8N\xE2\x9F\xA9");
    assert_int_equal(id_of(v, "\xE2\x9F\xA8PL\xE2\x9F\xA9"), size + 1);
    vocab_free(plain);
    vocab_free(v);
    tokenizer_free(t);
}

/* ---- Models of users ---- */

static struct strbuf read_user_model(void)
{
    struct strbuf bytes = {0};
    assert_int_equal(io_read(ATTEND_SOURCE "/tests/data/subwords.model", &bytes, NULL), ATTEND_OK);
    return bytes;
}

TEST(sentencepiece_takes_a_model_with_other_ids_rules_and_byte_pieces)
{
    struct strbuf bytes = read_user_model(), out = {0};
    struct tokenizer *t = NULL;
    struct attend_error err = {.message = ""};
    if (tokenizer_load(&t, "sentencepiece", NULL, bytes.text, bytes.length, &err))
        fail_msg("%s", err.message);
    assert_pieces(t, "A \xEF\xAC\x81 the<mask>", BLANK "a|" BLANK "|f|i|" BLANK "the|<mask>");
    assert_pieces(t, "\xE4\xBD\xA0", BLANK "|<0xE4>|<0xBD>|<0xA0>");
    struct vocab *v = vocab_of(t, "");
    assert_int_equal(id_of(v, "<mask>"), VOCAB_SPECIALS);
    assert_int_equal(id_of(v, "<0x00>"), VOCAB_SPECIALS + 1);
    assert_int_equal(id_of(v, "<0xFF>"), VOCAB_SPECIALS + 256);
    assert_int_equal(id_of(v, "<pad>"), VOCAB_UNK);
    assert_int_equal(id_of(v, "<lang>"), VOCAB_UNK);
    const char *pieces[] = {"<s>",    BLANK "the", "<0xE4>", "<0xBD>", "<0xA0>",
                            "<0x0A>", "<0x00>",    "<0xE4>", "</s>"};
    tokenizer_join(t, &out, pieces, 9);
    /* Bytes that are not text become U+FFFD; a line stays one line. */
    assert_string_equal(out.text, "the\xE4\xBD\xA0  \xEF\xBF\xBD");
    strbuf_release(&out);
    vocab_free(v);
    tokenizer_free(t);
    strbuf_release(&bytes);
}

/* ---- Damage ---- */

/* Any bytes are either refused or usable. */
static bool survives(const char *bytes, size_t length)
{
    struct tokenizer *t = NULL;
    struct attend_error err = {.message = ""};
    const enum attend_status status =
        tokenizer_load(&t, "sentencepiece", NULL, bytes, length, &err);
    if (status) {
        assert_int_equal(status, ATTEND_FORMAT);
        assert_true(strlen(err.message) > 0);
        assert_null(t);
        return false;
    }
    struct strbuf out = {0};
    struct vocab *v = vocab_of(t, "");
    static const char text[] = "A \xEF\xAC\x81sh the man \xE4\xBD\xA0";
    tokenizer_split(t, text, strlen(text), add_piece, &out);
    strbuf_release(&out);
    vocab_free(v);
    tokenizer_free(t);
    return true;
}

TEST(sentencepiece_state_cut_short_or_empty_is_refused_or_works)
{
    struct strbuf bytes = read_user_model();
    int refused = 0;
    for (size_t length = 0; length < bytes.length; length += 7)
        refused += !survives(bytes.text, length);
    assert_true(refused > 800);
    assert_false(survives("no model", 8));
    assert_false(survives("\0\0\0\0", 4));
    strbuf_release(&bytes);
}

TEST(sentencepiece_state_with_wrong_bytes_is_refused_or_works)
{
    struct strbuf bytes = read_user_model();
    const char *quick = getenv("ATTEND_QUICK");
    const uint64_t rounds = quick ? 500 : 3000;
    int refused = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        const size_t at = rng_below(7, i, (uint32_t)bytes.length);
        const char old = bytes.text[at];
        bytes.text[at] = (char)(old ^ (char)(1 << rng_below(8, i, 8)));
        refused += !survives(bytes.text, bytes.length);
        bytes.text[at] = old;
    }
    assert_true(refused > 50);
    assert_true(survives(bytes.text, bytes.length));
    strbuf_release(&bytes);
}

/* ---- Threads ---- */

struct reader {
    const struct tokenizer *tokenizer;
    const struct lines *lines;
    struct strbuf out;
};

static void *read_all(void *context)
{
    struct reader *r = context;
    for (int i = 0; i < r->lines->count; i++) {
        size_t length;
        const char *text = lines_at(r->lines, i, &length);
        const struct tokenizer_sampling sampling = {.alpha = 0.2, .key = rng_seed((uint64_t)i)};
        if (!tokenizer_split(r->tokenizer, text, length, add_piece, &r->out) ||
            !tokenizer_sample(r->tokenizer, text, length, &sampling, add_piece, &r->out))
            r->out.failed = true;
    }
    return NULL;
}

TEST(tokenizer_may_be_used_by_two_threads_at_once)
{
    const struct tokenizer_settings settings = {.form = "nfkc", .features = true};
    struct lines lines;
    read_demo(&lines);
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        struct tokenizer *t = NULL;
        struct lines_walk walk = {.lines = &lines};
        assert_int_equal(tokenizer_new(&t, tokenizers[i]->name, &settings, NULL), ATTEND_OK);
        assert_int_equal(tokenizer_learn(t, &(struct tokenizer_walk){lines_walk_next, &walk},
                                         &(struct tokenizer_lesson){.learn = attend_subwords_learn,
                                                                    .vocab_size = 300},
                                         NULL),
                         ATTEND_OK);
        struct reader readers[3] = {{t, &lines, {0}}, {t, &lines, {0}}, {t, &lines, {0}}};
        pthread_t threads[2];
        for (int k = 0; k < 2; k++)
            assert_int_equal(pthread_create(&threads[k], NULL, read_all, &readers[k]), 0);
        for (int k = 0; k < 2; k++)
            pthread_join(threads[k], NULL);
        read_all(&readers[2]);
        for (int k = 0; k < 2; k++) {
            assert_false(readers[k].out.failed);
            assert_string_equal(readers[k].out.text, readers[2].out.text);
        }
        for (int k = 0; k < 3; k++)
            strbuf_release(&readers[k].out);
        tokenizer_free(t);
    }
    lines_release(&lines);
}
