#include "text/tokenized.h"

#include "base/io.h"
#include "test.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

#define BOM "\xEF\xBB\xBF"
#define MARK "\xE2\x96\x81" /* U+2581 */

static const char PIECES[] = "<unk>\n<s>\n</s>\na\nb\nc\n b\nca\xC3\xA9\n";

static struct tokenizing side_of(const char *name, const char *form, bool features)
{
    struct tokenizer *tokenizer;
    struct vocab *vocab;
    struct strbuf bytes = {0};
    struct attend_error err = {.message = ""};
    if (strcmp(name, "sentencepiece") == 0)
        assert_int_equal(io_read(ATTEND_SOURCE "/tests/data/subwords.model", &bytes, NULL),
                         ATTEND_OK);
    if (tokenizer_load(&tokenizer, name,
                       &(struct tokenizer_settings){.form = form, .features = features}, bytes.text,
                       bytes.length, &err))
        fail_msg("%s: %s", name, err.message);
    assert_int_equal(vocab_parse(&vocab, PIECES, strlen(PIECES), "pieces", NULL), ATTEND_OK);
    strbuf_release(&bytes);
    return (struct tokenizing){.tokenizer = tokenizer, .vocab = vocab, .name = "input"};
}

static void side_release(const struct tokenizing *side)
{
    tokenizer_free((struct tokenizer *)side->tokenizer);
    vocab_free((struct vocab *)side->vocab);
}

/* "spelling[bytes of the text]" of each token, separated by bars. */
static void describe(struct strbuf *out, const struct tokenized *t, int i, const char *text)
{
    strbuf_adds(out, "");
    for (int k = 0; k < tokenized_count(t, i); k++) {
        const struct token_span span = tokenized_span(t, i, k);
        assert_true(span.from <= span.to && span.to <= strlen(text));
        strbuf_addf(out, "%s%s[%.*s]", k ? "|" : "", tokenized_spelling(t, i, k),
                    (int)(span.to - span.from), text + span.from);
    }
}

static void assert_tokens(const struct tokenizing *side, enum tokenized_as as, const char *text,
                          const char *want)
{
    struct tokenized t;
    struct strbuf got = {0};
    struct attend_error err = {.message = ""};
    if (tokenized_make(&t, side, as, &text, 1, &err))
        fail_msg("%s: %s", text, err.message);
    describe(&got, &t, 0, text);
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    tokenized_release(&t);
}

static void check_tokens(const char *name, const char *form, const char *text, const char *want)
{
    const struct tokenizing side = side_of(name, form, true);
    assert_tokens(&side, TOKENIZED_TEXT, text, want);
    side_release(&side);
}

TEST(tokenized_knows_where_its_tokens_stand)
{
    check_tokens("spaces", "none", " a  bc\t", "a[a]|bc[bc]");
    check_tokens("char", "none", "ab c", "a[a]|b[b]| [ ]|c[c]");
    check_tokens("word", "none", "a, b", "a[a]|\xEF\xBF\xAD,[,]|b[b]");
    check_tokens("spaces", "nfc", "b cafe\u0301 b", "b[b]|caf\u00e9[cafe\u0301]|b[b]");
    check_tokens("char", "nfkc", "\ufb01x", "f[\ufb01]|i[\ufb01]|x[x]");
    check_tokens("spaces", "nfc", "ae\u0301 b\tV; e\u0301x",
                 "\u27e8V\u27e9[V]|\u27e8\u00e9x\u27e9[e\u0301x]|a\u00e9[ae\u0301]|b[b]");
}

TEST(tokenized_drops_a_mark_in_front_and_returns_behind)
{
    check_tokens("spaces", "none", BOM "a b", "a[a]|b[b]");
    check_tokens("spaces", "none", BOM BOM "a", BOM "a[" BOM "a]");
    check_tokens("spaces", "none", "a b\r\r", "a[a]|b[b]");
    check_tokens("spaces", "none", "a \r b", "a[a]|\r[\r]|b[b]");
    check_tokens("spaces", "nfc", BOM "e\u0301 b\r", "\u00e9[e\u0301]|b[b]");
    check_tokens("spaces", "none", BOM "\r", "");
    check_tokens("spaces", "none", "\r\r", "");
}

/* The first subword has the blank that SentencePiece adds, which is not in the text; a mark in the
 * text is a blank of three bytes. */
TEST(tokenized_places_subwords_in_the_text_as_it_was_given)
{
    const struct tokenizing side = side_of("sentencepiece", "nfc", false);
    const char *const text = "the" MARK "the e\u0301 the";
    struct tokenized t;
    struct strbuf all = {0};
    assert_int_equal(tokenized_make(&t, &side, TOKENIZED_TEXT, &text, 1, NULL), ATTEND_OK);
    size_t end = 0;
    for (int k = 0; k < tokenized_count(&t, 0); k++) {
        const struct token_span span = tokenized_span(&t, 0, k);
        assert_true(span.from == end && span.to >= span.from);
        end = span.to;
        strbuf_addf(&all, "%.*s", (int)(span.to - span.from), text + span.from);
    }
    assert_string_equal(all.text, text);
    strbuf_release(&all);
    tokenized_release(&t);
    side_release(&side);
}

TEST(tokenized_takes_pieces_with_blanks_in_them)
{
    const struct tokenizing side = side_of("char", "none", false);
    assert_tokens(&side, TOKENIZED_PIECES, " a " MARK "b  x" MARK " ",
                  "a[a]| b[" MARK "b]|x" MARK "[x" MARK "]");
    side_release(&side);
}

TEST(tokenized_text_in_a_batch_is_the_text_alone)
{
    static const char *const text[] = {BOM "a", "", BOM "b\r", "\r", BOM, "a b c", BOM " c"};
    enum { COUNT = sizeof text / sizeof *text };
    const struct tokenizing side = side_of("spaces", "nfc", false);
    struct tokenized all, one;
    assert_int_equal(tokenized_make(&all, &side, TOKENIZED_TEXT, text, COUNT, NULL), ATTEND_OK);
    for (int i = 0; i < COUNT; i++) {
        struct strbuf together = {0}, alone = {0};
        assert_int_equal(tokenized_make(&one, &side, TOKENIZED_TEXT, &text[i], 1, NULL), ATTEND_OK);
        describe(&together, &all, i, text[i]);
        describe(&alone, &one, 0, text[i]);
        assert_string_equal(together.text, alone.text);
        assert_int_equal(sequences_length(&all.ids, i), sequences_length(&one.ids, 0));
        strbuf_release(&together);
        strbuf_release(&alone);
        tokenized_release(&one);
    }
    tokenized_release(&all);
    side_release(&side);
}

TEST(tokenized_refuses_what_is_not_one_line_of_utf8)
{
    static const char *const broken[] = {"a", "b\xC3\x28"}, *const two[] = {"a\nb"};
    const struct tokenizing side = side_of("spaces", "none", false);
    struct tokenized t;
    struct attend_error err = {.message = ""};
    assert_int_equal(tokenized_make(&t, &side, TOKENIZED_TEXT, broken, 2, &err), ATTEND_DATA);
    assert_string_equal(err.message, "input:2: invalid UTF-8 at byte 2; convert it to UTF-8");
    assert_int_equal(tokenized_make(&t, &side, TOKENIZED_PIECES, broken, 2, &err), ATTEND_DATA);
    assert_int_equal(tokenized_make(&t, &side, TOKENIZED_TEXT, two, 1, &err), ATTEND_DATA);
    assert_string_equal(err.message, "input:1: holds a line end; give one line at a time");
    side_release(&side);
}

TEST(tokenized_keeps_empty_lines_and_marks_the_unknown)
{
    static const char *const text[] = {"", "b </s> a", "", "new"};
    const struct tokenizing side = side_of("spaces", "none", false);
    struct tokenized made;
    assert_int_equal(tokenized_make(&made, &side, TOKENIZED_TEXT, text, 4, NULL), ATTEND_OK);
    const struct sequences s = made.ids;
    assert_int_equal(s.count, 4);
    assert_int_equal(sequences_length(&s, 0), 0);
    assert_int_equal(sequences_length(&s, 1), 3);
    assert_int_equal(sequences_length(&s, 2), 0);
    const int want[] = {4, VOCAB_UNK, 3, VOCAB_UNK};
    assert_memory_equal(s.ids, want, sizeof want);
    tokenized_release(&made);
    side_release(&side);
}

TEST(tokenized_of_no_lines_gives_none)
{
    const struct tokenizing side = side_of("spaces", "none", false);
    struct tokenized made;
    assert_int_equal(tokenized_make(&made, &side, TOKENIZED_TEXT, NULL, 0, NULL), ATTEND_OK);
    assert_int_equal(made.ids.count, 0);
    assert_non_null(made.ids.ids);
    assert_int_equal(made.ids.start[0], 0);
    tokenized_release(&made);
    side_release(&side);
}

/* U+FDFA is one character that NFKC turns into 18. */
TEST(tokenized_limits_the_tokens_of_a_text)
{
    struct tokenizing side = side_of("char", "nfkc", false);
    const char *const text[] = {"abc", "\ufdfa"};
    struct tokenized made = {.ids.count = 77};
    struct attend_error err;
    side.most = 18;
    assert_int_equal(tokenized_make(&made, &side, TOKENIZED_TEXT, text, 2, &err), ATTEND_OK);
    assert_int_equal(tokenized_count(&made, 1), 18);
    tokenized_release(&made);
    side.most = 17;
    assert_int_equal(tokenized_make(&made, &side, TOKENIZED_TEXT, text, 2, &err), ATTEND_DATA);
    assert_string_equal(err.message, "input:2: has more than 17 pieces; shorten the line");
    side_release(&side);
}

TEST(tokenized_refuses_a_line_without_end)
{
    const struct tokenizing side = side_of("char", "none", false);
    char *endless = malloc(SEQUENCES_MAX_LENGTH + 2);
    memset(endless, 'x', SEQUENCES_MAX_LENGTH + 1);
    endless[SEQUENCES_MAX_LENGTH + 1] = '\0';
    const char *const text[] = {"a", endless};
    struct tokenized made = {.ids.count = 77};
    struct attend_error err;
    assert_int_equal(tokenized_make(&made, &side, TOKENIZED_TEXT, text, 2, &err), ATTEND_DATA);
    assert_string_equal(err.message, "input:2: has more than 1048576 pieces; shorten the line");
    assert_int_equal(made.ids.count, 77);
    side_release(&side);
    free(endless);
}
