/* The pairs of each epoch. */
#include "api/train_draws.h"

#include "base/rng.h"
#include "test.h"
#include "text/lines.h"
#include "text/pairs.h"
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
    struct corpus_walk walk = {.lines = {&s->lines}};
    const struct tokenizer_walk lines = {corpus_next, &walk};
    assert_int_equal(tokenizer_new(&s->tokenizer, "sentencepiece", NULL, NULL), ATTEND_OK);
    assert_int_equal(
        tokenizer_learn(s->tokenizer, &lines, &(struct tokenizer_lesson){.vocab_size = 200}, NULL),
        ATTEND_OK);
    assert_int_equal(tokenizer_vocab(&s->vocab, s->tokenizer, &lines, 0, NULL), ATTEND_OK);
}

static struct train_draws *draws_of(const struct side *s, uint64_t key)
{
    const struct encode_rule rule = {.tokenizer = {s->tokenizer, s->tokenizer},
                                     .vocab = {s->vocab, s->vocab},
                                     .max_length = 1000,
                                     .alpha = 0.1,
                                     .key = rng_seed(key)};
    struct pairs *pairs;
    struct train_draws *out = NULL;
    assert_int_equal(pairs_new(&pairs, ".", NULL), ATTEND_OK);
    for (int i = 0; i < s->lines.count; i++) {
        size_t length;
        const char *text = lines_at(&s->lines, i, &length);
        const struct pair pair = {text, text, length, length, (size_t)i + 1};
        assert_int_equal(pairs_add(pairs, &pair, NULL), ATTEND_OK);
    }
    assert_int_equal(train_draws_new(&out, &pairs, ".", &rule, NULL), ATTEND_OK);
    assert_null(pairs);
    return out;
}

static uint64_t checksum_of(struct train_draws *d, int epoch)
{
    const struct feed_source source = train_draws_source(d);
    struct store *store = NULL;
    assert_int_equal(source.draw(source.context, epoch, &store, NULL), ATTEND_OK);
    assert_int_equal(store_pairs(store), 500);
    const uint64_t sum = store_checksum(store);
    store_free(store);
    return sum;
}

TEST(train_draws_differ_by_epoch_and_seed_and_not_by_what_was_drawn_before)
{
    struct side s = {0};
    learn(&s);
    struct train_draws *d = draws_of(&s, 1), *same = draws_of(&s, 1), *other = draws_of(&s, 2);
    const uint64_t first = checksum_of(d, 1), second = checksum_of(d, 2);
    assert_true(first != second);
    assert_true(checksum_of(same, 2) == second);
    assert_true(checksum_of(d, 1) == first);
    assert_true(checksum_of(other, 1) != first);
    train_draws_free(d);
    train_draws_free(same);
    train_draws_free(other);
    train_draws_free(NULL);
    assert_null(train_draws_source(NULL).draw);
    vocab_free(s.vocab);
    tokenizer_free(s.tokenizer);
    lines_release(&s.lines);
}
