/* Sampled pieces (text/subword_sampling.h) of models that SentencePiece made. */
#include "base/io.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "test.h"
#include "lines_walk.h"
#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#define BLANK "\xE2\x96\x81" /* U+2581 */

static void add_piece(void *context, const struct tokenizer_piece *piece)
{
    struct strbuf *out = context;
    if (out->length)
        strbuf_addc(out, '|');
    strbuf_add(out, piece->text, piece->length);
}

/* The pieces, separated by bars; `sampling` may be NULL. */
static char *pieces_of(const struct tokenizer *t, const char *text,
                       const struct tokenizer_sampling *sampling)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "");
    assert_true(tokenizer_sample(t, text, strlen(text), sampling, add_piece, &out));
    return strbuf_detach(&out);
}

static void read_demo(struct lines *lines)
{
    assert_int_equal(lines_read(lines, ATTEND_SOURCE "/demo/valid.en", NULL), ATTEND_OK);
}

static struct tokenizer *learn_demo(const char *method)
{
    const struct tokenizer_settings settings = {.features = true};
    struct tokenizer *t;
    struct lines lines;
    read_demo(&lines);
    struct lines_walk walk = {.lines = &lines};
    assert_int_equal(tokenizer_new(&t, "sentencepiece", &settings, NULL), ATTEND_OK);
    assert_int_equal(tokenizer_learn(t, &(struct tokenizer_walk){lines_walk_next, &walk},
                                     &(struct tokenizer_lesson){.learn = attend_subwords_learn,
                                                                .vocab_size = 300,
                                                                .method = method},
                                     NULL),
                     ATTEND_OK);
    lines_release(&lines);
    return t;
}

/* The pieces without bars, which no text here contains. */
static char *joined(char *pieces)
{
    size_t to = 0;
    for (const char *c = pieces; *c; c++)
        if (*c != '|')
            pieces[to++] = *c;
    pieces[to] = 0;
    return pieces;
}

/* Whether at least one of a few samples differs from the best segmentation. */
static bool check_samples(const struct tokenizer *t, const char *text, double alpha)
{
    char *best = pieces_of(t, text, NULL), *plain = joined(pieces_of(t, text, NULL));
    bool differs = false;
    for (uint64_t key = 0; key < 10; key++) {
        const struct tokenizer_sampling sampling = {alpha, rng_seed(key)};
        char *one = pieces_of(t, text, &sampling), *again = pieces_of(t, text, &sampling);
        assert_string_equal(one, again);
        differs = differs || strcmp(one, best) != 0;
        assert_string_equal(joined(one), plain);
        free(one);
        free(again);
    }
    free(best);
    free(plain);
    return differs;
}

TEST(sentencepiece_samples_other_pieces_of_the_same_text)
{
    for (const char *const *method = tokenizer_methods; *method; method++) {
        struct tokenizer *t = learn_demo(*method);
        struct lines lines;
        int others = 0;
        read_demo(&lines);
        for (int i = 0; i < 100; i++)
            others += check_samples(t, lines_at(&lines, i, NULL), 0.2);
        assert_true(others > 90);
        /* Features and unknown characters do not change. */
        char *sampled = pieces_of(t, "\xE4\xBD\xA0\tV;PST", &(struct tokenizer_sampling){0.5, 3});
        assert_string_equal(sampled, "\xE2\x9F\xA8V\xE2\x9F\xA9|\xE2\x9F\xA8PST\xE2\x9F\xA9|" BLANK
                                     "|\xE4\xBD\xA0");
        free(sampled);
        check_samples(t, "", 0.2);
        lines_release(&lines);
        tokenizer_free(t);
    }
}

/* At the value of alpha where nothing is random, samples equal SentencePiece's best
 * segmentation. */
TEST(sentencepiece_samples_end_in_the_best_pieces)
{
    for (const char *const *method = tokenizer_methods; *method; method++) {
        struct tokenizer *t = learn_demo(*method);
        struct lines lines;
        read_demo(&lines);
        for (int i = 0; i < 200; i++) {
            const char *line = lines_at(&lines, i, NULL);
            const struct tokenizer_sampling sampling = {strcmp(*method, "bpe") == 0 ? 1e-9 : 1e4,
                                                        rng_seed((uint64_t)i)};
            char *sampled = pieces_of(t, line, &sampling), *best = pieces_of(t, line, NULL);
            assert_string_equal(sampled, best);
            free(best);
            free(sampled);
        }
        lines_release(&lines);
        tokenizer_free(t);
    }
}

/* Its rules rewrite text, it has a piece that sampling never makes, and unknown characters are
 * bytes. */
TEST(sentencepiece_samples_of_a_model_with_other_rules_are_of_its_text)
{
    struct strbuf bytes = {0};
    struct tokenizer *t = NULL;
    assert_int_equal(io_read(ATTEND_SOURCE "/tests/data/subwords.model", &bytes, NULL), ATTEND_OK);
    assert_int_equal(tokenizer_load(&t, "sentencepiece", NULL, bytes.text, bytes.length, NULL),
                     ATTEND_OK);
    assert_true(check_samples(t, "A \xEF\xAC\x81 the<mask> \xE4\xBD\xA0 other things", 0.3));
    tokenizer_free(t);
    strbuf_release(&bytes);
}

TEST(tokenizers_that_have_one_segmentation_draw_it)
{
    struct tokenizer *t;
    assert_int_equal(tokenizer_new(&t, "char", NULL, NULL), ATTEND_OK);
    assert_false(check_samples(t, "some text", 0.5));
    tokenizer_free(t);
}
