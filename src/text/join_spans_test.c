#include "base/strbuf.h"
#include "lines_walk.h"
#include "test.h"
#include "text/tokenizer.h"

#include <stdlib.h>

struct pieces {
    char *item[256];
    struct token_span span[256]; /* in the given text */
    int count;
};

static void collect(void *context, const struct tokenizer_piece *piece)
{
    struct pieces *p = context;
    assert_true(p->count < 256);
    p->span[p->count] = (struct token_span){piece->from, piece->to};
    p->item[p->count++] = strndup(piece->text, piece->length);
}

static struct tokenizer *make(const char *name, bool features)
{
    static const char lesson[] = "the quick brown fox jumps over the lazy dog, and 12 more.\n";
    struct tokenizer *t = NULL;
    struct attend_error err = {.message = ""};
    struct lines lines;
    assert_true(lines_of(&lines, lesson));
    struct lines_walk walk = {.lines = &lines};
    const struct tokenizer_settings settings = {.features = features};
    if (tokenizer_new(&t, name, &settings, &err) ||
        tokenizer_learn(
            t, &(struct tokenizer_walk){lines_walk_next, &walk},
            &(struct tokenizer_lesson){.learn = attend_subwords_learn, .vocab_size = 100}, &err))
        fail_msg("%s: %s", name, err.message);
    lines_release(&lines);
    return t;
}

/* A text that survives the round trip: each piece writes the bytes that it was cut from. */
static void check(const char *name, bool features, const char *text)
{
    struct tokenizer *t = make(name, features);
    struct pieces p = {.count = 0};
    struct token_span span[256];
    struct strbuf joined = {0}, out = {0};
    assert_true(tokenizer_split(t, text, strlen(text), collect, &p));
    strbuf_adds(&out, "before ");
    tokenizer_join(t, &joined, (const char *const *)p.item, p.count);
    tokenizer_join_spans(t, &out, (const char *const *)p.item, p.count, span);
    assert_string_equal(joined.text, text);
    assert_string_equal(out.text + 7, text);
    for (int i = 0; i < p.count; i++) {
        struct token_span want = p.span[i];
        while (want.from < want.to && text[want.from] == ' ')
            want.from++;
        if (want.from == want.to)
            assert_int_equal(span[i].from, span[i].to);
        else if (span[i].from != want.from + 7 || span[i].to != want.to + 7)
            fail_msg("%s: '%s' is at %zu-%zu of '%s'", name, p.item[i], span[i].from, span[i].to,
                     out.text);
        free(p.item[i]);
    }
    strbuf_release(&joined);
    strbuf_release(&out);
    tokenizer_free(t);
}

TEST(join_spans_are_the_bytes_of_each_piece)
{
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        check(tokenizers[i]->name, false, "the quick brown fox, and 12 more.");
        check(tokenizers[i]->name, false, "dog");
        check(tokenizers[i]->name, true, "the lazy dog\tV;PST");
    }
    check("word", false, "\xe6\x88\x91 \"(fox)\" l'over.");
    check("char", false, "\xe6\x88\x91\xe4\xbd\xa0 e\xcc\x81");
}

TEST(join_spans_of_no_pieces_are_none)
{
    struct tokenizer *t = make("word", false);
    struct strbuf out = {0};
    tokenizer_join_spans(t, &out, NULL, 0, NULL);
    assert_false(out.failed);
    strbuf_release(&out);
    tokenizer_free(t);
}
