#include "text/fold.h"

#include "base/strbuf.h"
#include "test.h"
#include "lines_walk.h"
#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#define MARK "\xEF\xBF\xAD"  /* U+FFED */
#define BLANK "\xE2\x96\x81" /* U+2581 */
#define O "\xE2\x9F\xA8"     /* U+27E8 */
#define C "\xE2\x9F\xA9"     /* U+27E9 */

static struct tokenizer *make(const char *name)
{
    static const char lesson[] = "The quick brown fox, (he) jumps over the lazy dog.\n";
    struct tokenizer *t = NULL;
    struct attend_error err = {.message = ""};
    struct lines lines;
    assert_true(lines_of(&lines, lesson));
    struct lines_walk walk = {.lines = &lines};
    if (tokenizer_new(&t, name, &(struct tokenizer_settings){.features = true}, &err) ||
        tokenizer_learn(
            t, &(struct tokenizer_walk){lines_walk_next, &walk},
            &(struct tokenizer_lesson){.learn = attend_subwords_learn, .vocab_size = 80}, &err))
        fail_msg("%s: %s", name, err.message);
    lines_release(&lines);
    return t;
}

/* Expects the words, separated by bars, and the word of each piece; that of a blank is in
 * brackets. */
static void assert_folds(const struct tokenizer *t, const char *const *piece, int count, bool ended,
                         const char *words, const char *numbers)
{
    struct fold f = {.tokenizer = t, .piece = piece, .count = count, .ended = ended};
    struct strbuf got = {0}, places = {0};
    assert_true(fold_init(&f));
    strbuf_adds(&got, "");
    for (int i = 0, at = 0; i < f.words; i++) {
        strbuf_adds(&got, i ? "|" : "");
        fold_spell(&f, &at, &got);
    }
    for (int i = 0; i < count; i++)
        strbuf_addf(&places, f.blank[i] ? "(%d)" : "%d", f.word[i]);
    assert_string_equal(got.text, words);
    if (numbers)
        assert_string_equal(places.text ? places.text : "", numbers);
    strbuf_release(&got);
    strbuf_release(&places);
    fold_release(&f);
}
#define ASSERT_FOLDS(name, ended, words, numbers, ...)                                             \
    do {                                                                                           \
        const char *const piece[] = {__VA_ARGS__};                                                 \
        struct tokenizer *t = make(name);                                                          \
        assert_folds(t, piece, (int)(sizeof piece / sizeof *piece), ended, words, numbers);        \
        tokenizer_free(t);                                                                         \
    } while (0)

struct pieces {
    char *item[256];
    int count;
};

static void collect(void *context, const struct tokenizer_piece *piece)
{
    struct pieces *p = context;
    assert_true(p->count < 255);
    p->item[p->count++] = strndup(piece->text, piece->length);
}

TEST(fold_gives_what_stands_between_blanks_in_every_tokenizer)
{
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        struct tokenizer *t = make(tokenizers[i]->name);
        struct pieces p = {0};
        static const char text[] = "The fox, (he) jumps zebra-like! \xC3\xA9\tV;3 SG";
        assert_true(tokenizer_split(t, text, strlen(text), collect, &p));
        p.item[p.count++] = strdup("</s>");
        assert_folds(t, (const char *const *)p.item, p.count, true,
                     O "V" C "|" O "3 SG" C "|The|fox,|(he)|jumps|zebra-like!|\xC3\xA9|</s>", NULL);
        while (p.count)
            free(p.item[--p.count]);
        tokenizer_free(t);
    }
}

TEST(fold_of_spaces_keeps_each_piece)
{
    ASSERT_FOLDS("spaces", true, "a|,|b|</s>", "0123", "a", ",", "b", "</s>");
}

TEST(fold_of_words_joins_at_the_mark)
{
    ASSERT_FOLDS("word", true, "(a),|b|</s>", "000012", "(" MARK, "a", MARK ")", MARK ",", "b",
                 "</s>");
    ASSERT_FOLDS("word", false, ",|a", "01", MARK ",", "a");
}

TEST(fold_of_subwords_begins_at_the_blank)
{
    ASSERT_FOLDS("sentencepiece", true, "The|fox|</s>", "0000112", BLANK, "T", "h", "e", BLANK,
                 "fox", "</s>");
    ASSERT_FOLDS("sentencepiece", false, "e|" BLANK "|f", "0122", "e", BLANK, BLANK, "f");
}

TEST(fold_of_spelling_gives_blanks_to_the_word_before)
{
    ASSERT_FOLDS("char", true, "ab|c|</s>", "00(0)(0)1(1)2", "a", "b", " ", " ", "c", " ", "</s>");
    ASSERT_FOLDS("char", true, "a|</s>", "(0)01", " ", "a", "</s>");
    ASSERT_FOLDS("char", true, "</s>", "(0)0", " ", "</s>");
    ASSERT_FOLDS("char", true, O "V" C "|a|</s>", "012", O "V" C, "a", "</s>");
}

TEST(fold_knows_the_end_from_its_text)
{
    ASSERT_FOLDS("char", false, "a</s>", "00", "a", "</s>");
    struct tokenizer *t = make("char");
    assert_folds(t, NULL, 0, true, "", "");
    tokenizer_free(t);
}
