#include "base/strbuf.h"
#include "base/utf8.h"
#include "test.h"
#include "text/lines.h"
#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

/* What a tokenizer made of a text. */
struct pieces {
    char *item[4096];
    int count;
};

static void collect(void *context, const char *piece, size_t length)
{
    struct pieces *p = context;
    assert_true(length > 0 && p->count < 4096);
    p->item[p->count++] = strndup(piece, length);
}

static void split(struct pieces *p, const struct tokenizer_ops *t, const char *text)
{
    p->count = 0;
    t->split(text, strlen(text), collect, p);
}

static char *join(const struct pieces *p, const struct tokenizer_ops *t)
{
    struct strbuf out = {0};
    t->join(&out, (const char *const *)p->item, p->count);
    return strbuf_detach(&out);
}

static void pieces_release(struct pieces *p)
{
    while (p->count > 0)
        free(p->item[--p->count]);
}

/* The pieces are those of `want`, which has a bar between them. */
static void assert_splits(const char *name, const char *text, const char *want)
{
    struct pieces p;
    struct strbuf got = {0};
    split(&p, tokenizer_find(name), text);
    strbuf_adds(&got, "");
    for (int i = 0; i < p.count; i++)
        strbuf_addf(&got, "%s%s", i ? "|" : "", p.item[i]);
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    pieces_release(&p);
}

TEST(tokenizer_find_knows_every_row_by_its_name)
{
    assert_int_equal(TOKENIZER_COUNT, 2);
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        assert_ptr_equal(tokenizer_find(tokenizers[i]->name), tokenizers[i]);
        assert_true(strlen(tokenizers[i]->help) > 0);
    }
    assert_ptr_equal(tokenizer_find("spaces"), &tokenizer_spaces);
    assert_ptr_equal(tokenizer_find("char"), &tokenizer_char);
    assert_null(tokenizer_find("chars"));
    assert_null(tokenizer_find(""));
}

TEST(spaces_splits_at_runs_of_spaces_and_tabs)
{
    assert_splits("spaces", "a bc  d\t\te", "a|bc|d|e");
    assert_splits("spaces", " \ta b\t ", "a|b");
    assert_splits("spaces", "", "");
    assert_splits("spaces", " \t ", "");
    /* A no-break space is there to keep a word together. */
    assert_splits("spaces", "10\xC2\xA0km x", "10\xC2\xA0km|x");
}

TEST(char_splits_into_what_a_reader_calls_characters)
{
    assert_splits("char", "abc", "a|b|c");
    assert_splits("char", "e\xCC\x81t\xC3\xA9", "e\xCC\x81|t|\xC3\xA9");
    /* A family of three joined by U+200D, and a flag of two letters. */
    assert_splits("char",
                  "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7x"
                  "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA",
                  "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7|x|"
                  "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA");
}

TEST(char_keeps_white_space_within_and_drops_it_around)
{
    assert_splits("char", " \ta  b\t", "a| | |b");
    assert_splits("char", "", "");
    assert_splits("char", "  ", "");
}

/* What each tokenizer keeps of a line's white space, said another way than by splitting. */
static char *trimmed(const char *text)
{
    size_t length;
    text += strspn(text, " \t");
    for (length = strlen(text); length && strchr(" \t", text[length - 1]); length--)
        ;
    return strndup(text, length);
}

static char *collapsed(const char *text)
{
    char *out = trimmed(text), *to = out;
    for (const char *from = out; *from; from++)
        if (!strchr(" \t", *from))
            *to++ = *from;
        else if (!strchr(" \t", from[1]))
            *to++ = ' ';
    *to = '\0';
    return out;
}

static void assert_joins(const struct tokenizer_ops *t, const char *text, char *want)
{
    struct pieces p, again;
    split(&p, t, text);
    char *got = join(&p, t);
    assert_string_equal(got, want);
    split(&again, t, got);
    assert_int_equal(again.count, p.count);
    for (int i = 0; i < p.count; i++)
        assert_string_equal(again.item[i], p.item[i]);
    free(got);
    free(want);
    pieces_release(&p);
    pieces_release(&again);
}

static void assert_round_trip(const char *text)
{
    assert_joins(&tokenizer_spaces, text, collapsed(text));
    assert_joins(&tokenizer_char, text, trimmed(text));
}

TEST(tokenizer_join_undoes_split)
{
    const char *texts[] = {"", " ", "a", "a b", " a \t b ", "caf\xC3\xA9 e\xCC\x81", "\r", "</s>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_round_trip(texts[i]);
}

TEST(tokenizer_join_undoes_split_on_hard_text)
{
    const char *data = getenv("ATTEND_DATA"), *names[] = {"UTF-8-demo.txt", "blns.txt"};
    const int at_least[] = {200, 700};
    if (!data)
        skip();
    for (int f = 0; f < 2; f++) {
        struct strbuf path = {0};
        struct lines lines = {0};
        struct attend_error err = {""};
        strbuf_addf(&path, "%s/hard-text/%s", data, names[f]);
        lines_read(&lines, path.text, &err);
        assert_string_equal(err.message, "");
        assert_true(lines.count > at_least[f]);
        for (int i = 0; i < lines.count; i++)
            assert_round_trip(lines_at(&lines, i, NULL));
        lines_release(&lines);
        strbuf_release(&path);
    }
}
