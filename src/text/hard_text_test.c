/* Text that breaks tokenizers, from published collections. */
#include "base/strbuf.h"
#include "lines_walk.h"
#include "test.h"
#include "text/tokenized.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

static struct tokenizer *make_tokenizer(const struct lines *lines, const char *name)
{
    struct tokenizer *t = NULL;
    struct lines_walk walk = {.lines = lines};
    assert_int_equal(tokenizer_new(&t, name, NULL, NULL), ATTEND_OK);
    assert_int_equal(tokenizer_learn(t, &(struct tokenizer_walk){lines_walk_next, &walk},
                                     &(struct tokenizer_lesson){.learn = attend_subwords_learn,
                                                                .vocab_size = 8000},
                                     NULL),
                     ATTEND_OK);
    return t;
}

static struct vocab *make_vocab(const struct lines *lines, const struct tokenizer *tokenizer)
{
    struct vocab *vocab = NULL;
    struct lines_walk walk = {.lines = lines};
    assert_int_equal(tokenizer_vocab(&vocab, tokenizer,
                                     &(struct tokenizer_walk){lines_walk_next, &walk}, 0, NULL),
                     ATTEND_OK);
    return vocab;
}

/* The text that the ids of a sequence stand for. */
static char *text_of(const struct sequences *s, int i, const struct tokenizing *side)
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

/* The ids of all lines. */
static enum attend_status tokenize(struct tokenized *out, const struct lines *lines,
                                   const struct tokenizing *side, struct attend_error *err)
{
    const char **text = calloc((size_t)lines->count + 1, sizeof *text);
    for (int i = 0; i < lines->count; i++)
        text[i] = lines_at(lines, i, NULL);
    const enum attend_status status =
        tokenized_make(out, side, TOKENIZED_TEXT, text, lines->count, err);
    free(text);
    return status;
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
    const struct tokenizing side = {.tokenizer = tokenizer, .vocab = vocab, .name = "hard"},
                            first = {.tokenizer = tokenizer, .vocab = made, .name = "hard"};
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

TEST(hard_text_survives_every_tokenizer_and_a_written_vocabulary)
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
