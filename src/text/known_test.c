#include "base/strbuf.h"
#include "lines_walk.h"
#include "test.h"
#include "text/tokenized.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

/* A side of a few words. */
struct side {
    struct tokenizer *tokenizer;
    struct vocab *vocab;
};

static struct side make(const char *name, const char *letter_case, const char *text)
{
    struct side s = {0};
    struct lines lines;
    assert_true(lines_of(&lines, text));
    struct lines_walk learned = {.lines = &lines}, counted = {.lines = &lines};
    assert_int_equal(tokenizer_new(&s.tokenizer, name,
                                   &(struct tokenizer_settings){.letter_case = letter_case}, NULL),
                     ATTEND_OK);
    assert_int_equal(
        tokenizer_learn(
            s.tokenizer, &(struct tokenizer_walk){lines_walk_next, &learned},
            &(struct tokenizer_lesson){.learn = attend_subwords_learn, .vocab_size = 60}, NULL),
        ATTEND_OK);
    assert_int_equal(tokenizer_vocab(&s.vocab, s.tokenizer,
                                     &(struct tokenizer_walk){lines_walk_next, &counted}, 0, NULL),
                     ATTEND_OK);
    lines_release(&lines);
    return s;
}

static void release(struct side *s)
{
    tokenizer_free(s->tokenizer);
    vocab_free(s->vocab);
}

/* Expects the vocabulary's pieces that a text is read as, separated by bars. */
static void assert_read(const struct side *s, const char *text, const char *want)
{
    struct tokenized t = {0};
    struct strbuf got = {0};
    const struct tokenizing side = {.tokenizer = s->tokenizer, .vocab = s->vocab, .name = "text"};
    assert_int_equal(tokenized_make(&t, &side, TOKENIZED_SOURCE, &text, 1, NULL), ATTEND_OK);
    strbuf_adds(&got, "");
    for (int k = 0; k < tokenized_count(&t, 0); k++) {
        const struct token_span span = tokenized_span(&t, 0, k);
        assert_true(span.from <= span.to && span.to <= strlen(text));
        strbuf_addf(&got, "%s%s", k ? "|" : "", vocab_piece(s->vocab, t.ids.ids[k]));
    }
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    tokenized_release(&t);
}

TEST(known_words_are_read_as_they_are)
{
    struct side s = make("spaces", NULL, "Tom tom hoon hoon. the\n");
    assert_read(&s, "Tom tom hoon. hoon", "Tom|tom|hoon.|hoon");
    release(&s);
}

TEST(unknown_words_are_read_in_another_form)
{
    struct side s = make("spaces", NULL, "mai ghar Tom NATO don't caf\xC3\xA9\n");
    assert_read(&s, "Mai GHAR tom nato", "mai|ghar|Tom|NATO");
    assert_read(&s, "mai. (ghar) \"Tom\"!", "mai|ghar|Tom");
    assert_read(&s, "don\xE2\x80\x99t cafe\xCC\x81", "don't|caf\xC3\xA9");
    assert_read(&s, "\xEF\xBD\x8D\xEF\xBD\x81\xEF\xBD\x89", "mai"); /* full width */
    assert_read(&s, "mai ... ghar", "mai|ghar");
    assert_read(&s, "...", "<unk>");
    assert_read(&s, "hello Mai", "<unk>|mai");
    release(&s);
}

TEST(unknown_punctuation_between_words_leaves_a_blank)
{
    struct side s = make("word", NULL, "mai ghar us\n");
    assert_read(&s, "Mai, ghar.", "mai|ghar");
    assert_read(&s, "mai-ghar", "mai|ghar");
    release(&s);
    s = make("word", NULL, "don't \"no\"\n");
    assert_read(&s, "don\xE2\x80\x99t", "don|\xEF\xBF\xAD'\xEF\xBF\xAD|t");
    release(&s);
}

TEST(unknown_characters_are_read_in_another_form)
{
    struct side s = make("char", NULL, "gracht\n");
    assert_read(&s, "GRAcht", "g|r|a|c|h|t");
    assert_read(&s, "gr-a", "g|r|<unk>|a");
    release(&s);
    s = make("char", NULL, "ABACUS\n");
    assert_read(&s, "abacus", "A|B|A|C|U|S");
    release(&s);
}

static void assert_unknown(const struct side *s, const char *text, const char *want)
{
    struct tokenized t = {0};
    struct strbuf got = {0};
    const struct tokenizing side = {.tokenizer = s->tokenizer, .vocab = s->vocab, .name = "text"};
    const char *const texts[] = {"zz", text};
    int count = 0;
    assert_int_equal(tokenized_make(&t, &side, TOKENIZED_SOURCE, texts, 2, NULL), ATTEND_OK);
    const struct token_unknown *u = tokenized_unknown(&t, 1, &count);
    strbuf_adds(&got, "");
    for (int i = 0; i < count; i++)
        strbuf_addf(&got, "%s%s %d %d", i ? "|" : "", t.spelling.text + u[i].spelled, u[i].start,
                    u[i].end);
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    tokenized_release(&t);
}

TEST(unknown_text_has_its_place_in_code_points)
{
    struct side s = make("spaces", NULL, "mai ghar\n");
    assert_unknown(&s, "mai ghar", "");
    assert_unknown(&s, "\xC3\xA9t\xC3\xA9 mai na\xC3\xAFve",
                   "\xC3\xA9t\xC3\xA9 0 3|na\xC3\xAFve 8 13");
    assert_unknown(&s, "\xEF\xBB\xBFMai hello\r", "hello 5 10"); /* the byte order mark counts */
    release(&s);
    s = make("char", NULL, "mai ghar\n");
    assert_unknown(&s, "mai xyz", "xyz 4 7");
    assert_unknown(&s, "max\xE6\xBC\xA2\xE5\xAD\x97i", "x\xE6\xBC\xA2\xE5\xAD\x97 2 5");
    release(&s);
}

TEST(marks_and_known_forms_go_together)
{
    struct side s = make("spaces", "marked", "Tom saw the NATO men\n");
    assert_read(&s, "Saw the Tom.", "\xE2\x87\xA7|saw|the|\xE2\x87\xA7|tom");
    release(&s);
    s = make("spaces", "lower", "tom saw\n");
    assert_read(&s, "SAW TOM! Ann", "saw|tom|<unk>");
    assert_unknown(&s, "SAW TOM! Ann", "Ann 9 12");
    release(&s);
}
