/* Encoding pairs: which are skipped, and what sampling changes. */
#include "corpus/encode.h"

#include "base/rng.h"
#include "test.h"
#include "lines_walk.h"
#include "corpus/pairs.h"
#include "corpus/store.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdbool.h>
#include <string.h>

/* The demo's validation text: words on the source side, subwords on the target side. */
struct fixture {
    struct lines lines;
    struct pairs *pairs;
    struct tokenizer *tokenizer[2];
    struct vocab *vocab[2];
    struct encode_rule rule;
};

static void learn_side(struct fixture *f, int side, const char *name)
{
    struct lines_walk learning = {.lines = &f->lines}, counting = learning;
    assert_int_equal(tokenizer_new(&f->tokenizer[side], name, NULL, NULL), ATTEND_OK);
    assert_int_equal(
        tokenizer_learn(
            f->tokenizer[side], &(struct tokenizer_walk){lines_walk_next, &learning},
            &(struct tokenizer_lesson){.learn = attend_subwords_learn, .vocab_size = 300}, NULL),
        ATTEND_OK);
    assert_int_equal(tokenizer_vocab(&f->vocab[side], f->tokenizer[side],
                                     &(struct tokenizer_walk){lines_walk_next, &counting}, 10000,
                                     NULL),
                     ATTEND_OK);
    f->rule.tokenizer[side] = f->tokenizer[side];
    f->rule.vocab[side] = f->vocab[side];
}

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){.rule = {.max_length = 1000}};
    assert_int_equal(lines_read(&f->lines, ATTEND_SOURCE "/demo/valid.en", NULL), ATTEND_OK);
    assert_int_equal(pairs_new(&f->pairs, ".", NULL), ATTEND_OK);
    for (int i = 0; i < f->lines.count; i++) {
        size_t length;
        const char *text = lines_at(&f->lines, i, &length);
        const struct text_pair pair = {text, text, length, length, (size_t)i + 1, {0, 0}, NULL, 0};
        assert_int_equal(pairs_add(f->pairs, &pair, NULL), ATTEND_OK);
    }
    learn_side(f, 0, "spaces");
    learn_side(f, 1, "sentencepiece");
}

static void fixture_release(struct fixture *f)
{
    for (int i = 0; i < 2; i++) {
        vocab_free(f->vocab[i]);
        tokenizer_free(f->tokenizer[i]);
    }
    pairs_free(f->pairs);
    lines_release(&f->lines);
}

/* All pairs under the fixture's rule. */
static struct corpus encoded(struct fixture *f, struct encode_drops *drops, uint64_t *checksum)
{
    struct store *s;
    struct corpus out;
    *drops = (struct encode_drops){0};
    assert_int_equal(store_new(&s, ".", STORE_BLOCK, NULL), ATTEND_OK);
    assert_int_equal(encode_pairs(&f->rule, f->pairs, s, drops, NULL), ATTEND_OK);
    assert_int_equal(store_seal(s, NULL), ATTEND_OK);
    assert_int_equal(store_read_all(s, &out, NULL), ATTEND_OK);
    *checksum = store_checksum(s);
    store_free(s);
    return out;
}

static bool same(const struct sequences *a, int i, const struct sequences *b)
{
    const int length = sequences_length(a, i);
    return length == sequences_length(b, i) &&
           memcmp(a->ids + a->start[i], b->ids + b->start[i], (size_t)length * sizeof *a->ids) == 0;
}

TEST(encode_samples_pieces_of_the_side_that_has_others)
{
    struct fixture f;
    struct encode_drops drops[3];
    uint64_t sum[3];
    struct corpus c[3];
    fixture_init(&f);
    c[0] = encoded(&f, &drops[0], &sum[0]);
    f.rule.alpha = 0.2;
    for (int k = 1; k < 3; k++) {
        f.rule.key = rng_seed((uint64_t)k);
        c[k] = encoded(&f, &drops[k], &sum[k]);
    }
    assert_memory_equal(&drops[0], &drops[1], sizeof drops[0]);
    int others = 0, sampled_twice = 0;
    for (int i = 0; i < c[0].source.count; i++) {
        assert_int_equal(c[0].line[i], c[1].line[i]);
        assert_true(same(&c[0].source, i, &c[1].source));
        others += !same(&c[0].target, i, &c[1].target);
        sampled_twice += !same(&c[1].target, i, &c[2].target);
    }
    assert_true(others > c[0].source.count * 8 / 10);
    assert_true(sampled_twice > c[0].source.count * 8 / 10);
    uint64_t again;
    struct corpus last = encoded(&f, &drops[2], &again);
    assert_true(again == sum[2]);
    corpus_release(&last);
    for (int k = 0; k < 3; k++)
        corpus_release(&c[k]);
    fixture_release(&f);
}

/* Many best targets reach this limit, so many sampled ones exceed it. */
TEST(encode_samples_leave_out_what_the_best_pieces_do_and_keep_to_the_limit)
{
    struct fixture f;
    struct encode_drops best, sampled;
    uint64_t sum;
    fixture_init(&f);
    f.rule.max_length = 12;
    struct corpus one = encoded(&f, &best, &sum);
    assert_true(best.count[ENCODE_LONG] > 0 && one.source.count > 0);
    f.rule.alpha = 0.5;
    struct corpus two = encoded(&f, &sampled, &sum);
    assert_memory_equal(&best, &sampled, sizeof best);
    assert_int_equal(one.source.count, two.source.count);
    assert_memory_equal(one.line, two.line, (size_t)one.source.count * sizeof *one.line);
    assert_true(sequences_longest(&two.target) <= 12);
    int kept = 0;
    for (int i = 0; i < one.source.count; i++)
        kept += same(&one.target, i, &two.target);
    assert_true(kept > 0 && kept < one.source.count);
    corpus_release(&one);
    corpus_release(&two);
    fixture_release(&f);
}
