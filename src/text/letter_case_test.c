#include "text/letter_case.h"

#include "base/rng.h"
#include "base/strbuf.h"
#include "lines_walk.h"
#include "test.h"
#include "text/fold.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

#define NEXT "\xE2\x87\xA7"
#define WORD "\xE2\x87\xAA"
#define SPAN "\xE2\x87\xAB"
#define END "\xE2\x87\xA9"

static const char LESSON[] = "The quick brown fox jumps over the lazy dog, and 12 more.\n"
                             "McDonald's iPhone, L'Europe and NATO's U.S.A. STOP NOW please\n"
                             "\xD0\x9C\xD0\xB8\xD1\x80 \xD0\xB8 \xD1\x82\xD1\x80\xD1\x83\xD0\xB4\n";

/* Ordinary and unusual words. */
static const char *const texts[] = {
    "",
    " ",
    "hello world",
    "Hello, World!",
    "I am Tom.",
    "HELLO",
    "HELLO WORLD",
    "He said NO WAY, JOSE 99 TIMES! and left.",
    "McDonald's iPhone and an eBay TV",
    "NATO's U.S.A. (The) \"Quoted\" l'Europe L'Europe L'EUROPE Jean-Pierre",
    "A B C D",
    "IT IS 5 O'CLOCK",
    "USAir aBC ABc a1B2 1A",
    /* Strasse in capitals and with sharp s, the sharp s as a capital, Greek with final sigma */
    "STRASSE Stra\xC3\x9F"
    "e STRA\xE1\xBA\x9E"
    "E STRA\xC3\x9F"
    "E",
    "\xCE\x9F\xCE\x94\xCE\x9F\xCE\xA3 \xCE\x9F\xCE\xB4\xCF\x8C\xCF\x82 \xCE\xA3 "
    "\xCE\xA3\xCE\x91\xCE\xA3.",
    /* Dotted I, dotless i, Kelvin, the digraphs of dz with caron, a Roman numeral, micro */
    "\xC4\xB0STANBUL \xC4\xB0stanbul \xC4\xB1s\xC4\xB1 \xE2\x84\xAA \xC7\x84\xC7\x85\xC7\x86 "
    "\xE2\x85\xA0\xE2\x85\xB1 \xC2\xB5",
    "\xC8\xBA\xC8\xBE \xE2\xB1\xA5", /* capitals whose small letters are longer */
    "e\xCC\x81t\xC3\xA9 E\xCC\x81T\xC3\x89 \xC3\x89t\xC3\xA9",
    "\xF0\x9F\x98\x80 OK \xE4\xBD\xA0\xE5\xA5\xBD ABC\xE4\xBD\xA0",
};
enum { TEXTS = sizeof texts / sizeof *texts };

struct pieces {
    char *item[4096];
    size_t from[4096], to[4096];
    int count;
};

static void collect(void *context, const struct tokenizer_piece *piece)
{
    struct pieces *p = context;
    assert_true(piece->length > 0 && piece->from <= piece->to && p->count < 4096);
    p->from[p->count] = piece->from;
    p->to[p->count] = piece->to;
    p->item[p->count++] = strndup(piece->text, piece->length);
}

static void pieces_release(struct pieces *p)
{
    while (p->count > 0)
        free(p->item[--p->count]);
}

static struct tokenizer *make(const char *name, const char *letter_case)
{
    struct tokenizer *t = NULL;
    struct attend_error err = {.message = ""};
    struct lines lines;
    assert_true(lines_of(&lines, LESSON));
    struct lines_walk walk = {.lines = &lines};
    const struct tokenizer_settings settings = {.letter_case = letter_case};
    if (tokenizer_new(&t, name, &settings, &err) ||
        tokenizer_learn(
            t, &(struct tokenizer_walk){lines_walk_next, &walk},
            &(struct tokenizer_lesson){.learn = attend_subwords_learn, .vocab_size = 200}, &err))
        fail_msg("%s: %s", name, err.message);
    lines_release(&lines);
    return t;
}

/* The text after a way to pieces and back. */
static char *round_trip(const struct tokenizer *t, const char *text,
                        const struct tokenizer_sampling *sampling)
{
    struct pieces p = {.count = 0};
    struct strbuf out = {0};
    strbuf_adds(&out, "");
    assert_true(tokenizer_sample(t, text, strlen(text), sampling, collect, &p));
    for (int i = 0; i < p.count; i++)
        assert_true(p.to[i] <= strlen(text) && (i == 0 || p.from[i] >= p.from[i - 1] || sampling));
    tokenizer_join(t, &out, (const char *const *)p.item, p.count);
    pieces_release(&p);
    return strbuf_detach(&out);
}

static void assert_same(const struct tokenizer *marked, const struct tokenizer *keep,
                        const char *text)
{
    const struct tokenizer_sampling sampling = {.alpha = 0.3, .key = 7};
    char *want = round_trip(keep, text, NULL), *got = round_trip(marked, text, NULL),
         *sampled = round_trip(marked, text, &sampling);
    assert_string_equal(got, want);
    assert_string_equal(sampled, want);
    free(want);
    free(got);
    free(sampled);
}

TEST(marks_restore_every_text_with_every_tokenizer)
{
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        struct tokenizer *marked = make(tokenizers[i]->name, "marked"),
                         *keep = make(tokenizers[i]->name, NULL);
        for (int k = 0; k < TEXTS; k++)
            assert_same(marked, keep, texts[k]);
        tokenizer_free(marked);
        tokenizer_free(keep);
    }
}

TEST(marks_restore_random_words)
{
    static const char *const parts[] = {"a",
                                        "b",
                                        "A",
                                        "B",
                                        "C",
                                        " ",
                                        "  ",
                                        "'",
                                        ".",
                                        "-",
                                        "1",
                                        "\xC3\x9F",
                                        "\xCE\xA3",
                                        "\xCF\x83",
                                        "\xCF\x82",
                                        "\xC4\xB0",
                                        "\xC7\x85",
                                        "\xC8\xBA",
                                        "\xE2\x84\xAA",
                                        "\xCC\x81",
                                        "\xE4\xBD\xA0"};
    enum { PARTS = sizeof parts / sizeof *parts };
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        struct tokenizer *marked = make(tokenizers[i]->name, "marked"),
                         *keep = make(tokenizers[i]->name, NULL);
        for (uint64_t n = 0; n < 500; n++) {
            struct strbuf text = {0};
            const uint64_t length = 1 + rng_key(n, 1000) % 24;
            for (uint64_t k = 0; k < length; k++)
                strbuf_adds(&text, parts[rng_key(n, k) % PARTS]);
            assert_same(marked, keep, text.text);
            strbuf_release(&text);
        }
        tokenizer_free(marked);
        tokenizer_free(keep);
    }
}

static void assert_pieces(const char *name, const char *letter_case, const char *text,
                          const char *want)
{
    struct tokenizer *t = make(name, letter_case);
    struct pieces p = {.count = 0};
    struct strbuf got = {0};
    strbuf_adds(&got, "");
    assert_true(tokenizer_split(t, text, strlen(text), collect, &p));
    for (int i = 0; i < p.count; i++)
        strbuf_addf(&got, "%s%s", i ? "|" : "", p.item[i]);
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    pieces_release(&p);
    tokenizer_free(t);
}

TEST(marks_are_pieces_before_words_and_characters_within)
{
    assert_pieces("spaces", "marked", "The cat SAT on", NEXT "|the|cat|" WORD "|sat|on");
    assert_pieces("spaces", "marked", "A BIG DOG 2 RAN off", SPAN "|a|big|dog|2|ran|" END "|off");
    assert_pieces("spaces", "marked", "McDonald eBay NATO's",
                  NEXT "|mc" NEXT "donald|e" NEXT "bay|" WORD "|nato" END "'s");
    assert_pieces("char", "marked", "Ab CD", NEXT "|a|b| |" WORD "|c|d");
    assert_pieces("char", "marked", "AB CD e", SPAN "|a|b| |c|d|" END "| |e");
    assert_pieces("char", "marked", "aB", "a|" NEXT "|b");
    assert_pieces("word", "marked", "Hi, Tom", NEXT "|hi|\xEF\xBF\xAD,|" NEXT "|tom");
}

TEST(lower_folds_any_script_and_writes_nothing_back)
{
    assert_pieces("spaces", "lower", "HELLO \xC3\x89T\xC3\x89 Hi", "hello|\xC3\xA9t\xC3\xA9|hi");
    assert_pieces("spaces", "lower", "\xC4\xB0STANBUL \xE2\x84\xAA \xC7\x85",
                  "istanbul|k|\xC7\x86");
    assert_pieces("spaces", "lower", "\xCE\x9F\xCE\x94\xCE\x9F\xCE\xA3",
                  "\xCE\xBF\xCE\xB4\xCE\xBF\xCF\x82");
    assert_pieces("spaces", "lower", NEXT "A", NEXT "a"); /* no marks, so arrows are arrows */
    assert_pieces("spaces", "keep", "HELLO", "HELLO");
}

TEST(positions_are_those_of_the_given_text)
{
    /* A dotted I and a Kelvin sign get shorter, a stroked A longer. */
    static const char text[] = "x \xC4\xB0 \xE2\x84\xAA \xC8\xBA"
                               "b y";
    struct tokenizer *t = make("spaces", "lower");
    struct pieces p = {.count = 0};
    assert_true(tokenizer_split(t, text, sizeof text - 1, collect, &p));
    static const size_t from[] = {0, 2, 5, 9, 13}, to[] = {1, 4, 8, 12, 14};
    assert_int_equal(p.count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(p.from[i], from[i]);
        assert_int_equal(p.to[i], to[i]);
    }
    pieces_release(&p);
    tokenizer_free(t);
    t = make("word", "marked");
    static const char name[] = "Mr McDonald";
    assert_true(tokenizer_split(t, name, sizeof name - 1, collect, &p));
    assert_int_equal(p.count, 6); /* mark mr mark mc mark donald */
    assert_int_equal(p.from[2], 3);
    assert_int_equal(p.to[2], 3);
    assert_int_equal(p.from[3], 3);
    assert_int_equal(p.to[3], 5);
    assert_int_equal(p.from[5], 5);
    assert_int_equal(p.to[5], 11);
    pieces_release(&p);
    tokenizer_free(t);
}

TEST(arrows_of_the_text_are_no_marks)
{
    struct tokenizer *t = make("char", "marked");
    char *got = round_trip(t, "press " NEXT "a or " WORD SPAN END, NULL);
    assert_string_equal(got, "press \xE2\xAC\x86"
                             "a or \xE2\xAC\x86\xE2\xAC\x86\xE2\xAC\x87");
    free(got);
    tokenizer_free(t);
}

static void assert_restored(const char *name, const char *const *piece, int count, const char *want)
{
    struct tokenizer *t = make(name, "marked");
    struct strbuf out = {0};
    strbuf_adds(&out, "");
    tokenizer_join(t, &out, piece, count);
    assert_string_equal(out.text, want);
    strbuf_release(&out);
    tokenizer_free(t);
}

TEST(what_a_model_invents_is_restored_sensibly)
{
    assert_restored("spaces", (const char *const[]){NEXT}, 1, "");
    assert_restored("spaces", (const char *const[]){END, END, "a"}, 3, "a");
    assert_restored("spaces", (const char *const[]){NEXT, "12", "ab"}, 3, "12 ab");
    assert_restored("spaces", (const char *const[]){SPAN, "ab", "cd"}, 3, "AB CD");
    assert_restored("spaces", (const char *const[]){WORD, "ab", "cd"}, 3, "AB cd");
    assert_restored("spaces", (const char *const[]){SPAN, "<unk>", "cd"}, 3, "<unk> CD");
    assert_restored("spaces", (const char *const[]){NEXT, NEXT, "Ab"}, 3, "Ab");
}

static void assert_words(const char *name, const char *text, const char *want)
{
    struct tokenizer *t = make(name, "marked");
    struct pieces p = {.count = 0};
    struct strbuf got = {0};
    assert_true(tokenizer_split(t, text, strlen(text), collect, &p));
    p.item[p.count++] = strdup("</s>");
    struct fold f = {
        .tokenizer = t, .piece = (const char *const *)p.item, .count = p.count, .ended = true};
    assert_true(fold_init(&f));
    for (int at = 0, i = 0; i < f.words; i++) {
        strbuf_adds(&got, i ? "|" : "");
        fold_spell(&f, &at, &got);
    }
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    fold_release(&f);
    pieces_release(&p);
    tokenizer_free(t);
}

TEST(marks_belong_to_their_word)
{
    static const char text[] = "The McDonald's said NO WAY 1 JOSE to NATO's Tom";
    static const char want[] = "The|McDonald's|said|NO|WAY|1|JOSE|to|NATO's|Tom|</s>";
    for (int i = 0; i < TOKENIZER_COUNT; i++)
        assert_words(tokenizers[i]->name, text, want);
    for (int i = 0; i < TOKENIZER_COUNT; i++)
        assert_words(tokenizers[i]->name, "TO BE HERE", "TO|BE|HERE|</s>");
}

TEST(marks_are_in_every_vocabulary)
{
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        struct tokenizer *t = make(tokenizers[i]->name, "marked");
        struct vocab *vocab = NULL;
        struct lines lines;
        assert_true(lines_of(&lines, "no capitals\n"));
        struct lines_walk walk = {.lines = &lines};
        assert_int_equal(
            tokenizer_vocab(&vocab, t, &(struct tokenizer_walk){lines_walk_next, &walk}, 8, NULL),
            ATTEND_OK);
        for (int k = 0; k < LETTER_MARKS; k++)
            assert_int_not_equal(vocab_id(vocab, letter_marks[k], LETTER_MARK_BYTES), VOCAB_UNK);
        vocab_free(vocab);
        lines_release(&lines);
        tokenizer_free(t);
    }
}

TEST(a_long_line_of_capitals_is_no_trouble)
{
    enum { WORDS = 100000 };
    struct strbuf text = {0};
    struct letter_fold f = {0};
    for (int i = 0; i < WORDS; i++)
        strbuf_adds(&text, "A 1 ");
    letter_fold_make(&f, LETTER_CASE_MARKED, text.text, text.length);
    assert_false(f.text.failed);
    assert_int_equal(f.marks, WORDS);
    letter_fold_release(&f);
    strbuf_release(&text);
}

TEST(forms_of_a_text)
{
    static const struct {
        enum letter_form form;
        const char *want;
    } rows[] = {{LETTER_FORM_LOWER, "(the) cat's mcdonald"},
                {LETTER_FORM_UPPER, "(THE) CAT'S MCDONALD"},
                {LETTER_FORM_TITLE, "(The) Cat's McDonald"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char text[] = "(the) Cat's McDonald";
        struct strbuf out = {0};
        letter_write(&out, rows[i].form, text, sizeof text - 1);
        assert_string_equal(out.text, rows[i].want);
        strbuf_release(&out);
    }
}
