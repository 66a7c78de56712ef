/* The pairs of each epoch. */
#include "corpus/resampling.h"

#include "base/rng.h"
#include "test.h"
#include "lines_walk.h"
#include "corpus/pairs.h"
#include "corpus/store.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

struct side {
    struct lines lines;
    struct tokenizer *tokenizer;
    struct vocab *vocab;
};

static void learn(struct side *s)
{
    assert_int_equal(lines_read(&s->lines, ATTEND_SOURCE "/demo/valid.en", NULL), ATTEND_OK);
    struct lines_walk walk = {.lines = &s->lines};
    const struct tokenizer_walk lines = {lines_walk_next, &walk};
    assert_int_equal(tokenizer_new(&s->tokenizer, "sentencepiece", NULL, NULL), ATTEND_OK);
    assert_int_equal(tokenizer_learn(s->tokenizer, &lines,
                                     &(struct tokenizer_lesson){.learn = attend_subwords_learn,
                                                                .vocab_size = 200},
                                     NULL),
                     ATTEND_OK);
    assert_int_equal(tokenizer_vocab(&s->vocab, s->tokenizer, &lines, 0, NULL), ATTEND_OK);
}

static struct resampling *samples_of(const struct side *s, uint64_t key)
{
    const struct encode_rule rule = {.tokenizer = {s->tokenizer, s->tokenizer},
                                     .vocab = {s->vocab, s->vocab},
                                     .max_length = 1000,
                                     .alpha = 0.1,
                                     .key = rng_seed(key)};
    struct pairs *pairs;
    struct resampling *out = NULL;
    assert_int_equal(pairs_new(&pairs, ".", NULL), ATTEND_OK);
    for (int i = 0; i < s->lines.count; i++) {
        size_t length;
        const char *text = lines_at(&s->lines, i, &length);
        const struct text_pair pair = {text, text, length, length, (size_t)i + 1, {0, 0}, NULL, 0};
        assert_int_equal(pairs_add(pairs, &pair, NULL), ATTEND_OK);
    }
    assert_int_equal(resampling_new(&out, &pairs, ".", &rule, NULL), ATTEND_OK);
    assert_null(pairs);
    return out;
}

static uint64_t checksum_of(struct resampling *d, int epoch)
{
    const struct pair_source source = resampling_source(d);
    struct store *store = NULL;
    assert_int_equal(source.sample(source.context, epoch, &store, NULL), ATTEND_OK);
    assert_int_equal(store_pairs(store), 500);
    const uint64_t sum = store_checksum(store);
    store_free(store);
    return sum;
}

TEST(resampling_differs_by_epoch_and_seed_and_not_by_what_was_sampled_before)
{
    struct side s = {0};
    learn(&s);
    struct resampling *d = samples_of(&s, 1), *same = samples_of(&s, 1), *other = samples_of(&s, 2);
    const uint64_t first = checksum_of(d, 1), second = checksum_of(d, 2);
    assert_true(first != second);
    assert_true(checksum_of(same, 2) == second);
    assert_true(checksum_of(d, 1) == first);
    assert_true(checksum_of(other, 1) != first);
    resampling_free(d);
    resampling_free(same);
    resampling_free(other);
    resampling_free(NULL);
    assert_null(resampling_source(NULL).sample);
    vocab_free(s.vocab);
    tokenizer_free(s.tokenizer);
    lines_release(&s.lines);
}
