#include "base/strbuf.h"
#include "test.h"
#include "text/choose.h"
#include "lines_walk.h"
#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

static struct choose_result choose(const struct lines *lines, bool features)
{
    struct choose_result got;
    struct lines_walk walk = {.lines = lines};
    assert_int_equal(
        choose_tokenizer(&got, &(struct tokenizer_walk){lines_walk_next, &walk}, features, NULL),
        ATTEND_OK);
    return got;
}

static struct choose_result choose_text(const char *text, bool features)
{
    struct lines lines;
    assert_true(lines_of(&lines, text));
    const struct choose_result got = choose(&lines, features);
    lines_release(&lines);
    return got;
}

TEST(choose_takes_characters_for_single_words_and_names)
{
    const struct choose_result words = choose_text("Haus\nBaum\n\nNew York\nKind\n", false);
    assert_string_equal(words.tokenizer, "char");
    assert_int_equal(words.vocab_size, 0);
    assert_string_equal(words.reason, "1.2 words a line: char");
    assert_string_equal(choose_text("Ada Lovelace\nJohann Sebastian Bach\n", false).tokenizer,
                        "char");
    assert_string_equal(choose_text("", false).tokenizer, "char");
}

TEST(choose_takes_spaces_for_a_few_frequent_words_and_for_symbols)
{
    struct strbuf text = {0};
    for (int i = 0; i < 30; i++)
        strbuf_adds(&text, "turn right and walk\nturn left and walk twice\n");
    const struct choose_result got = choose_text(text.text, false);
    assert_string_equal(got.tokenizer, "spaces");
    assert_int_equal(got.vocab_size, 0);
    /* One word per line is spelled, even if there are few words. */
    strbuf_clear(&text);
    for (int i = 0; i < 30; i++)
        strbuf_adds(&text, "yes\nno\n");
    assert_string_equal(choose_text(text.text, false).tokenizer, "char");
    strbuf_release(&text);
    assert_string_equal(choose_text("AH B AE D IY\nAH B EY T IH NG\n", false).tokenizer, "spaces");
    assert_string_equal(choose_text("k a\xCB\x90 t\nb \xC9\x9C\xCB\x90\n", false).tokenizer,
                        "spaces");
}

TEST(choose_takes_subwords_for_sentences_in_proportion_to_the_text)
{
    struct strbuf text = {0};
    const char *sentence = "Two young guys with shaggy hair look at their hands number%d\n";
    for (int i = 0; i < 10; i++)
        strbuf_addf(&text, sentence, i);
    struct choose_result got = choose_text(text.text, false);
    assert_string_equal(got.tokenizer, "sentencepiece");
    assert_int_equal(got.vocab_size, 500);
    assert_string_equal(got.reason,
                        "11.0 words a line, 20 different: sentencepiece with 500 pieces");
    for (int i = 0; i < 5000; i++)
        strbuf_addf(&text, sentence, i);
    got = choose_text(text.text, false);
    assert_int_equal(got.vocab_size, 5010 * 11 / 50);
    strbuf_release(&text);
}

TEST(choose_does_not_take_features_for_text)
{
    const char *text = "gehen\tV;PST 1 SG x y\nlaufen\tV ; 3 ; PL a b c d\n";
    assert_string_equal(choose_text(text, true).reason, "1.0 words a line: char");
    assert_string_not_equal(choose_text(text, false).reason, "1.0 words a line: char");
}

TEST(choose_takes_spaces_for_both_sides_of_the_demo)
{
    const char *names[] = {ATTEND_SOURCE "/demo/train.hi", ATTEND_SOURCE "/demo/train.en"};
    for (int i = 0; i < 2; i++) {
        struct lines lines;
        assert_int_equal(lines_read(&lines, names[i], NULL), ATTEND_OK);
        assert_string_equal(choose(&lines, false).tokenizer, "spaces");
        lines_release(&lines);
    }
}
