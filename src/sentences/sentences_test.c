/* ICU's sentences, and texts split by them. */
#include "test.h"

#include "attend/document.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

struct taking {
    const char *text;
    size_t from;
    struct strbuf out;
};

static void take(void *taker, size_t end)
{
    struct taking *t = taker;
    strbuf_add(&t->out, t->text + t->from, end - t->from);
    strbuf_addc(&t->out, '|');
    t->from = end;
}

static void assert_found(struct attend_sentences *s, const char *language, const char *text,
                         const char *want)
{
    struct taking t = {.text = text};
    assert_true(s->find(s->context, language, text, strlen(text), take, &t));
    assert_string_equal(t.out.text ? t.out.text : "", want);
    strbuf_release(&t.out);
}

TEST(icu_finds_sentences_and_knows_abbreviations)
{
    struct attend_sentences s;
    assert_int_equal(attend_icu_open(&s, NULL), ATTEND_OK);
    assert_found(&s, "en", "Mr. Smith paid 3.50, e.g. for tea. Is it so?  Yes!",
                 "Mr. Smith paid 3.50, e.g. for tea. |Is it so?  |Yes!|");
    assert_found(&s, "fr", "M. Dupont est là. Il part.", "M. Dupont est là. |Il part.|");
    assert_found(&s, "hi", "मैं घर जा रहा हूँ। तुम कहाँ हो?", "मैं घर जा रहा हूँ। |तुम कहाँ हो?|");
    assert_found(&s, NULL, "One. Two.", "One. |Two.|");
    assert_found(&s, "no-such-language", "One. Two.", "One. |Two.|");
    assert_found(&s, "en", "", "");
    attend_icu_close(&s);
    attend_icu_close(&s);
}

TEST(icu_finds_sentences_without_spaces)
{
    struct attend_sentences s;
    assert_int_equal(attend_icu_open(&s, NULL), ATTEND_OK);
    assert_found(&s, "ja", "これは文です。次の文です！", "これは文です。|次の文です！|");
    assert_found(&s, "zh-CN", "你好。世界！好吗？", "你好。|世界！|好吗？|");
    attend_icu_close(&s);
}

TEST(icu_serves_more_languages_than_it_keeps)
{
    static const char *const codes[] = {"de", "en", "es", "fr", "it", "pt", "ru", "sv", "nl", "pl"};
    struct attend_sentences s;
    assert_int_equal(attend_icu_open(&s, NULL), ATTEND_OK);
    for (int i = 0; i < 30; i++)
        assert_found(&s, codes[i * 7 % 10], "One two. Three four.", "One two. |Three four.|");
    attend_icu_close(&s);
}

TEST(icu_opening_bracket_goes_with_the_next_sentence)
{
    static const char text[] = "次の文です！「はい。」と言った。";
    struct attend_sentences s;
    struct attend_span *span;
    int count;
    assert_int_equal(attend_icu_open(&s, NULL), ATTEND_OK);
    const struct attend_splitting how = {.sentences = &s, .language = "ja"};
    assert_int_equal(attend_split(&span, &count, text, strlen(text), &how, NULL, NULL), ATTEND_OK);
    assert_int_equal(count, 3);
    assert_memory_equal(text + span[1].from, "「はい。」", strlen("「はい。」"));
    free(span);
    attend_icu_close(&s);
}
