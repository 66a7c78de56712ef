#include "text/languages.h"

#include "base/strbuf.h"
#include "test.h"
#include "text/fold.h"
#include "text/tokenized.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

/* The tag of a target in German: an arrow in brackets. */
#define TAG_DE                                                                                     \
    "\xE2\x9F\xA8\xE2\x86\x92"                                                                     \
    "de\xE2\x9F\xA9"

static struct languages parse(const char *text)
{
    struct languages l = {0};
    struct attend_error err = {.message = ""};
    if (languages_parse(&l, text, "m", &err))
        fail_msg("%s", err.message);
    return l;
}

TEST(languages_come_back_from_their_text)
{
    static const char *const texts[] = {"en>de en>fr", "en>de fr>de", "a>b b>a a>c pt-BR>c"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct languages l = parse(texts[i]), copy;
        struct strbuf out = {0};
        assert_int_equal(languages_copy(&copy, &l, NULL), ATTEND_OK);
        assert_true(languages_same(&l, &copy));
        languages_write(&copy, &out);
        assert_string_equal(out.text, texts[i]);
        strbuf_release(&out);
        languages_release(&l);
        languages_release(&copy);
    }
}

TEST(languages_of_a_damaged_file_are_refused)
{
    struct strbuf many = {0};
    for (int i = 0; i <= LANGUAGES_MOST; i++)
        strbuf_addf(&many, "a>b%d ", i);
    const char *const texts[] = {"",          "en",
                                 "en>",       ">de",
                                 "en>de",     "en>d e",
                                 "a>b>c",     "en>de  en",
                                 "en>de\ten", "\xff>de en>fr",
                                 many.text,   "a>0123456789012345678901234567890123456 a>b"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct languages l = {0};
        struct attend_error err = {.message = ""};
        if (languages_parse(&l, texts[i], "m", &err) != ATTEND_FORMAT)
            fail_msg("'%s' was taken", texts[i]);
        assert_null(l.item);
        assert_int_equal(strncmp(err.message, "m: is damaged: ", 15), 0);
    }
    strbuf_release(&many);
}

TEST(languages_tag_the_sides_that_have_several)
{
    const struct {
        const char *text;
        bool source, target;
    } cases[] = {
        {"en>de en>fr", false, true}, {"en>de fr>de", true, false}, {"en>de de>en", true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct languages l = parse(cases[i].text);
        assert_int_equal(languages_tagged(&l, 0), cases[i].source);
        assert_int_equal(languages_tagged(&l, 1), cases[i].target);
        assert_int_equal(languages_tags(&l), cases[i].source + cases[i].target);
        languages_release(&l);
    }
}

static void assert_choice(const struct languages *l, const char *from, const char *to,
                          const char *want)
{
    struct language_pair pair;
    bool seen;
    struct attend_error err = {.message = ""};
    struct strbuf got = {0};
    if (languages_choose(l, from, to, &pair, &seen, &err))
        strbuf_adds(&got, err.message);
    else
        strbuf_addf(&got, "%s>%s%s", l->item[pair.from].code, l->item[pair.to].code,
                    seen ? "" : " unseen");
    assert_string_equal(got.text, want);
    strbuf_release(&got);
}

TEST(languages_choose_the_only_pair_that_is_left)
{
    struct languages l = parse("en>de en>fr nl>de");
    assert_choice(&l, "en", "de", "en>de");
    assert_choice(&l, NULL, "fr", "en>fr");
    assert_choice(&l, "nl", NULL, "nl>de");
    assert_choice(&l, "nl", "fr", "nl>fr unseen");
    assert_choice(&l, NULL, NULL, "`to` is needed: the model translates to de, fr");
    assert_choice(&l, "en", NULL, "`to` is needed: the model translates from en to de, fr");
    assert_choice(&l, NULL, "de", "`from` is needed: the model translates to de from en, nl");
    assert_choice(&l, NULL, "en", "the model does not translate to en, only to de, fr");
    assert_choice(&l, "x", "de", "the model does not translate from x, only from en, nl");
    languages_release(&l);
    l = parse("en>ipa nl>ipa");
    assert_choice(&l, NULL, NULL, "`from` is needed: the model translates from en, nl");
    assert_choice(&l, "nl", NULL, "nl>ipa");
    languages_release(&l);
}

/* ---- Tokens ---- */

struct tagged {
    struct languages languages;
    struct tokenizer *tokenizer;
    struct vocab *vocab;
};

static struct tagged tagged_new(const char *pairs, const char *tokenizer)
{
    static const char pieces[] = "<unk>\n<s>\n</s>\na\nb\n";
    struct tagged t = {.languages = parse(pairs)};
    struct vocab *plain;
    const struct tokenizer_settings settings = {.form = "nfkc"};
    assert_int_equal(tokenizer_new(&t.tokenizer, tokenizer, &settings, NULL), ATTEND_OK);
    assert_int_equal(vocab_parse(&plain, pieces, strlen(pieces), "v", NULL), ATTEND_OK);
    assert_int_equal(languages_bind(&t.languages, plain, NULL), ATTEND_FORMAT);
    assert_int_equal(languages_vocab(&t.vocab, &t.languages, plain, NULL), ATTEND_OK);
    assert_int_equal(languages_bind(&t.languages, t.vocab, NULL), ATTEND_OK);
    vocab_free(plain);
    return t;
}

static void tagged_release(struct tagged *t)
{
    languages_release(&t->languages);
    tokenizer_free(t->tokenizer);
    vocab_free(t->vocab);
}

static void tokenize(struct tokenized *out, const struct tagged *t, const char *text)
{
    const struct language_pair pair = {0, 1};
    const struct tokenizing side = {t->tokenizer, t->vocab, "input", &t->languages, &pair, 0};
    assert_int_equal(tokenized_make(out, &side, TOKENIZED_TEXT, &text, 1, NULL), ATTEND_OK);
}

TEST(languages_tags_come_first_and_are_no_piece_of_any_text)
{
    static const char *const texts[] = {"a b", "\t>de a", "\t<en\t>de", TAG_DE " a", ">de", "<en"};
    static const char *const names[] = {"spaces", "char", "word"};
    for (size_t i = 0; i < 3 * sizeof texts / sizeof *texts; i++) {
        struct tagged t = tagged_new("en>de nl>fr", names[i % 3]);
        struct tokenized out;
        tokenize(&out, &t, texts[i / 3]);
        const struct language *l = t.languages.item;
        assert_int_equal(out.tags, 2);
        assert_int_equal(out.ids.ids[0], l[0].tag[0]);
        assert_int_equal(out.ids.ids[1], l[1].tag[1]);
        assert_string_equal(tokenized_spelling(&out, 0, 0), "\xE2\x9F\xA8"
                                                            "en\xE2\x86\x92\xE2\x9F\xA9");
        assert_string_equal(tokenized_spelling(&out, 0, 1), TAG_DE);
        for (int k = 2; k < tokenized_count(&out, 0); k++)
            assert_true(out.ids.ids[k] < 5);
        tokenized_release(&out);
        tagged_release(&t);
    }
}

TEST(languages_do_not_tag_a_text_without_words)
{
    struct tagged t = tagged_new("en>de en>fr", "spaces");
    struct tokenized out;
    tokenize(&out, &t, " ");
    assert_int_equal(tokenized_count(&out, 0), 0);
    tokenized_release(&out);
    tagged_release(&t);
}

TEST(languages_tags_are_words_of_their_own)
{
    static const char *const names[] = {"spaces", "char", "word"};
    static const char *const piece[] = {TAG_DE, "a", "</s>"};
    for (int i = 0; i < 3; i++) {
        struct tagged t = tagged_new("en>de en>fr", names[i]);
        struct fold f = {
            .tokenizer = t.tokenizer, .piece = piece, .count = 3, .ended = true, .tags = 1};
        struct strbuf first = {0}, second = {0};
        int at = 0;
        assert_true(fold_init(&f));
        assert_int_equal(f.words, 3);
        fold_spell(&f, &at, &first);
        fold_spell(&f, &at, &second);
        assert_string_equal(first.text, piece[0]);
        assert_string_equal(second.text, "a");
        strbuf_release(&first);
        strbuf_release(&second);
        fold_release(&f);
        tagged_release(&t);
    }
}
