#include "base/strbuf.h"
#include "test.h"
#include "text/corpus.h"
#include "text/lines.h"
#include "text/tokenized.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

/* Two files and all that is made from them. */
struct fixture {
    struct lines source, target;
    struct tokenizer *spaces, *chars;
    struct vocab *source_vocab, *target_vocab;
    struct corpus_rule rule;
};

static struct tokenizer *make_tokenizer(const struct lines *lines, const char *name)
{
    struct tokenizer *t = NULL;
    struct corpus_walk walk = {.lines = {lines}};
    assert_int_equal(tokenizer_new(&t, name, NULL, NULL), ATTEND_OK);
    assert_int_equal(tokenizer_learn(t, &(struct tokenizer_walk){corpus_next, &walk},
                                     &(struct tokenizer_lesson){.vocab_size = 8000}, NULL),
                     ATTEND_OK);
    return t;
}

static struct vocab *make_vocab(const struct lines *lines, const struct tokenizer *tokenizer)
{
    struct vocab *vocab = NULL;
    struct corpus_walk walk = {.lines = {lines}};
    assert_int_equal(
        tokenizer_vocab(&vocab, tokenizer, &(struct tokenizer_walk){corpus_next, &walk}, 0, NULL),
        ATTEND_OK);
    return vocab;
}

static void setup(struct fixture *f, const char *source, const char *target, int max_length)
{
    *f = (struct fixture){0};
    assert_int_equal(lines_parse(&f->source, source, strlen(source), "a.txt", NULL), ATTEND_OK);
    assert_int_equal(lines_parse(&f->target, target, strlen(target), "b.txt", NULL), ATTEND_OK);
    f->spaces = make_tokenizer(&f->source, "spaces");
    f->chars = make_tokenizer(&f->target, "char");
    f->source_vocab = make_vocab(&f->source, f->spaces);
    f->target_vocab = make_vocab(&f->target, f->chars);
    f->rule = (struct corpus_rule){
        .source = {f->spaces, f->source_vocab, "a.txt"},
        .target = {f->chars, f->target_vocab, "b.txt"},
        .max_length = max_length,
    };
}

static void teardown(struct fixture *f)
{
    lines_release(&f->source);
    lines_release(&f->target);
    tokenizer_free(f->spaces);
    tokenizer_free(f->chars);
    vocab_free(f->source_vocab);
    vocab_free(f->target_vocab);
}

/* The text that the ids of a sequence stand for. */
static char *text_of(const struct sequences *s, int i, const struct corpus_side *side)
{
    const int count = sequences_length(s, i);
    const char **pieces = calloc((size_t)count + 1, sizeof *pieces);
    struct strbuf out = {0};
    for (int j = 0; j < count; j++)
        pieces[j] = vocab_piece(side->vocab, s->ids[s->start[i] + (size_t)j]);
    tokenizer_join(side->tokenizer, &out, pieces, count);
    free(pieces);
    return strbuf_detach(&out);
}

static void assert_text(const struct sequences *s, int i, const struct corpus_side *side,
                        const char *want)
{
    char *got = text_of(s, i, side);
    assert_string_equal(got, want);
    free(got);
}

TEST(corpus_load_encodes_both_sides_of_every_pair)
{
    struct fixture f;
    struct corpus c;
    setup(&f, "the cat\nthe dog barks\n", "le chat\nwouf\n", 0);
    assert_int_equal(corpus_load(&c, &f.source, &f.target, &f.rule, NULL), ATTEND_OK);
    assert_int_equal(c.source.count, 2);
    assert_int_equal(c.target.count, 2);
    assert_int_equal(c.source.start[2], 5);
    assert_int_equal(sequences_length(&c.source, 1), 3);
    /* `the` is the most frequent piece, so its id is the first after the special ones. */
    assert_int_equal(c.source.ids[0], VOCAB_SPECIALS);
    assert_int_equal(c.source.ids[2], VOCAB_SPECIALS);
    assert_text(&c.source, 1, &f.rule.source, "the dog barks");
    assert_text(&c.target, 0, &f.rule.target, "le chat");
    assert_int_equal(c.line[1], 2);
    assert_int_equal(c.skipped, 0);
    assert_int_equal(c.first_skipped, 0);
    corpus_release(&c);
    teardown(&f);
}

TEST(corpus_load_skips_pairs_with_an_empty_side)
{
    struct fixture f;
    struct corpus c;
    setup(&f, "a\n\nc\nd\n", "w\nx\n \t\nz\n", 0);
    assert_int_equal(corpus_load(&c, &f.source, &f.target, &f.rule, NULL), ATTEND_OK);
    assert_int_equal(c.source.count, 2);
    assert_int_equal(c.target.count, 2);
    assert_text(&c.source, 1, &f.rule.source, "d");
    assert_text(&c.target, 1, &f.rule.target, "z");
    assert_int_equal(c.line[0], 1);
    assert_int_equal(c.line[1], 4);
    assert_int_equal(c.skipped, 2);
    assert_int_equal(c.skipped_long, 0);
    assert_int_equal(c.first_skipped, 2);
    corpus_release(&c);
    teardown(&f);
}

TEST(corpus_load_skips_pairs_with_a_side_over_the_limit)
{
    struct fixture f;
    struct corpus c;
    setup(&f, "a b c\na b c d\na\na b c d\n", "xyz\nx\nwxyz\n\n", 3);
    assert_int_equal(corpus_load(&c, &f.source, &f.target, &f.rule, NULL), ATTEND_OK);
    assert_int_equal(c.source.count, 1);
    assert_int_equal(c.skipped, 3);
    assert_int_equal(c.skipped_long, 2);
    assert_int_equal(c.first_skipped, 2);
    corpus_release(&c);
    teardown(&f);
}

static void assert_load_fails(const char *source, const char *target, int max_length,
                              const char *message)
{
    struct fixture f;
    struct corpus c = {.skipped = 77};
    struct attend_error err;
    setup(&f, source, target, max_length);
    assert_int_equal(corpus_load(&c, &f.source, &f.target, &f.rule, &err), ATTEND_DATA);
    assert_string_equal(err.message, message);
    assert_int_equal(c.skipped, 77);
    teardown(&f);
}

TEST(corpus_load_of_files_that_do_not_pair_is_refused)
{
    assert_load_fails("a\nb\n", "x\n", 0,
                      "a.txt has 2 lines and b.txt has 1: they must pair line for line");
}

TEST(corpus_load_without_a_usable_pair_is_refused)
{
    assert_load_fails("", "", 0, "a.txt: holds no line to train on");
    assert_load_fails("\na b\nc\n", "x\nx\n\n", 1,
                      "a.txt: holds no line to train on: 2 have an empty side and 1 more than 1 "
                      "pieces");
}

/* The ids of all lines. */
static enum attend_status tokenize(struct tokenized *out, const struct lines *lines,
                                   const struct corpus_side *side, struct attend_error *err)
{
    const char **text = calloc((size_t)lines->count + 1, sizeof *text);
    for (int i = 0; i < lines->count; i++)
        text[i] = lines_at(lines, i, NULL);
    const enum attend_status status =
        tokenized_make(out, side, TOKENIZED_TEXT, text, lines->count, err);
    free(text);
    return status;
}

TEST(tokenized_keeps_empty_lines_and_marks_the_unknown)
{
    const char *text = "\nb </s> a\n\nnew\n";
    struct fixture f;
    struct lines lines;
    struct tokenized made;
    setup(&f, "a b\n", "x\n", 0);
    assert_int_equal(lines_parse(&lines, text, strlen(text), "c.txt", NULL), ATTEND_OK);
    assert_int_equal(tokenize(&made, &lines, &f.rule.source, NULL), ATTEND_OK);
    const struct sequences s = made.ids;
    assert_int_equal(s.count, 4);
    assert_int_equal(sequences_length(&s, 0), 0);
    assert_int_equal(sequences_length(&s, 1), 3);
    assert_int_equal(sequences_length(&s, 2), 0);
    const int want[] = {4, VOCAB_UNK, 3, VOCAB_UNK};
    assert_memory_equal(s.ids, want, sizeof want);
    tokenized_release(&made);
    lines_release(&lines);
    teardown(&f);
}

TEST(tokenized_of_no_lines_gives_none)
{
    struct fixture f;
    struct tokenized made;
    setup(&f, "", "", 0);
    assert_int_equal(tokenize(&made, &f.source, &f.rule.source, NULL), ATTEND_OK);
    assert_int_equal(made.ids.count, 0);
    assert_non_null(made.ids.ids);
    assert_int_equal(made.ids.start[0], 0);
    tokenized_release(&made);
    teardown(&f);
}

TEST(tokenized_refuses_a_line_without_end)
{
    const size_t length = SEQUENCES_MAX_LENGTH + 3;
    char *text = malloc(length + 1);
    struct fixture f;
    struct tokenized made = {.ids.count = 77};
    struct attend_error err;
    memset(text, 'x', length);
    memcpy(text, "a\n", 2);
    text[length] = '\0';
    setup(&f, "a\n", text, 0);
    assert_int_equal(tokenize(&made, &f.target, &f.rule.target, &err), ATTEND_DATA);
    assert_string_equal(err.message, "b.txt:2: has more than 1048576 pieces; shorten the line");
    assert_int_equal(made.ids.count, 77);
    teardown(&f);
    free(text);
}

/* Lines to ids and back, through a vocabulary that was written and parsed. */
static void assert_survives(const struct lines *lines, const char *name)
{
    struct tokenizer *tokenizer = make_tokenizer(lines, name);
    struct vocab *made = make_vocab(lines, tokenizer), *vocab = NULL;
    struct strbuf file = {0};
    vocab_write(made, &file);
    assert_int_equal(vocab_parse(&vocab, file.text, file.length, "v.txt", NULL), ATTEND_OK);
    assert_int_equal(vocab_size(vocab), vocab_size(made));
    const struct corpus_side side = {tokenizer, vocab, "hard"}, first = {tokenizer, made, "hard"};
    struct tokenized parsed, counted;
    assert_int_equal(tokenize(&parsed, lines, &side, NULL), ATTEND_OK);
    assert_int_equal(tokenize(&counted, lines, &first, NULL), ATTEND_OK);
    const struct sequences s = parsed.ids, t = counted.ids;
    assert_int_equal(s.count, lines->count);
    assert_memory_equal(s.ids, t.ids, s.start[s.count] * sizeof *s.ids);
    size_t unknown = 0;
    for (size_t i = 0; i < s.start[s.count]; i++)
        unknown += s.ids[i] < VOCAB_SPECIALS;
    /* What is learned leaves out characters too rare to learn. */
    assert_true(unknown <= (tokenizer->state ? s.start[s.count] / 20 : 0));
    for (int i = 0; tokenizer->ops == &tokenizer_char && i < s.count; i++) {
        char *got = text_of(&s, i, &side);
        assert_non_null(strstr(lines_at(lines, i, NULL), got));
        free(got);
    }
    tokenized_release(&parsed);
    tokenized_release(&counted);
    strbuf_release(&file);
    vocab_free(vocab);
    vocab_free(made);
    tokenizer_free(tokenizer);
}

TEST(corpus_walk_visits_every_line_of_both_files_or_one_in_so_many)
{
    struct fixture f;
    setup(&f, "a\n\nb\n", "x\n", 0);
    const char *want[] = {"a", "", "b", "x"}, *text;
    size_t length;
    struct corpus_walk walk = {.lines = {&f.source, &f.target}};
    for (int i = 0; i < 4; i++) {
        assert_true(corpus_next(&walk, &text, &length));
        assert_string_equal(text, want[i]);
        assert_int_equal(length, strlen(want[i]));
    }
    assert_false(corpus_next(&walk, &text, &length));
    assert_false(corpus_next(&walk, &text, &length));
    walk = (struct corpus_walk){.lines = {&f.source}, .step = 2};
    assert_true(corpus_next(&walk, &text, &length));
    assert_true(corpus_next(&walk, &text, &length));
    assert_string_equal(text, "b");
    assert_false(corpus_next(&walk, &text, &length));
    teardown(&f);
}

TEST(corpus_hard_text_survives_every_tokenizer_and_a_written_vocabulary)
{
    const char *data = getenv("ATTEND_DATA"), *names[] = {"UTF-8-demo.txt", "blns.txt"};
    if (!data)
        skip();
    for (int f = 0; f < 2; f++) {
        struct strbuf path = {0};
        struct lines lines = {0};
        strbuf_addf(&path, "%s/hard-text/%s", data, names[f]);
        assert_int_equal(lines_read(&lines, path.text, NULL), ATTEND_OK);
        for (int i = 0; i < TOKENIZER_COUNT; i++)
            assert_survives(&lines, tokenizers[i]->name);
        lines_release(&lines);
        strbuf_release(&path);
    }
}
