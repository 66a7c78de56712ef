/* Plans: every pair once, within the budget, similar lengths together, another order in every
 * epoch. */
#include "train/plan.h"

#include "base/rng.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 200 };

struct fixture {
    size_t source_start[PAIRS + 1], target_start[PAIRS + 1];
    int ids[PAIRS * 40];
    struct corpus corpus;
};

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){0};
    for (int i = 0; i < PAIRS; i++) {
        f->source_start[i + 1] = f->source_start[i] + 1 + rng_below(1, (uint64_t)i, 30);
        f->target_start[i + 1] = f->target_start[i] + 1 + rng_below(2, (uint64_t)i, 30);
    }
    f->corpus.source = (struct sequences){.count = PAIRS, .start = f->source_start, .ids = f->ids};
    f->corpus.target = (struct sequences){.count = PAIRS, .start = f->target_start, .ids = f->ids};
}

static struct plan make(const struct fixture *f, struct plan_rule rule, int epoch)
{
    struct plan plan;
    assert_int_equal(plan_make(&plan, &f->corpus, &rule, epoch, NULL), ATTEND_OK);
    return plan;
}

TEST(plan_holds_every_pair_once_and_every_batch_once)
{
    struct fixture f;
    fixture_init(&f);
    struct plan plan = make(&f, (struct plan_rule){.tokens = 150, .seed = 3, .shuffle = true}, 2);
    int seen[PAIRS] = {0}, taken[PAIRS] = {0};
    for (int i = 0; i < plan.batches; i++) {
        taken[plan.order[i]]++;
        const struct batch_text text = plan_batch(&plan, &f.corpus, i);
        assert_true(text.count > 0);
        for (int k = 0; k < text.count; k++)
            seen[text.item[k]]++;
    }
    for (int i = 0; i < PAIRS; i++)
        assert_int_equal(seen[i], 1);
    for (int i = 0; i < plan.batches; i++)
        assert_int_equal(taken[i], 1);
    plan_release(&plan);
}

TEST(plan_keeps_both_budgets_and_fills_them)
{
    struct fixture f;
    fixture_init(&f);
    struct plan plan =
        make(&f, (struct plan_rule){.tokens = 150, .sentences = 9, .seed = 3, .shuffle = true}, 1);
    int full = 0;
    for (int i = 0; i < plan.batches; i++) {
        const struct batch_text text = plan_batch(&plan, &f.corpus, i);
        int source = 0, target = 0;
        for (int k = 0; k < text.count; k++) {
            source += sequences_length(&f.corpus.source, text.item[k]) + 1;
            target += sequences_length(&f.corpus.target, text.item[k]) + 1;
        }
        assert_true(source <= 150 && target <= 150 && text.count <= 9);
        full += text.count == 9 || source > 110 || target > 110;
    }
    assert_true(full >= plan.batches - 2);
    plan_release(&plan);
}

TEST(plan_puts_targets_of_like_length_together)
{
    struct fixture f;
    fixture_init(&f);
    struct plan plan = make(&f, (struct plan_rule){.sentences = 10, .seed = 1, .shuffle = true}, 1);
    int last = 0;
    for (int i = 0; i < PAIRS; i++) {
        const int length = sequences_length(&f.corpus.target, plan.item[i]);
        assert_true(length >= last);
        last = length;
    }
    plan_release(&plan);
}

static bool same(const struct plan *a, const struct plan *b)
{
    return a->batches == b->batches && memcmp(a->item, b->item, PAIRS * sizeof(int)) == 0 &&
           memcmp(a->order, b->order, (size_t)a->batches * sizeof(int)) == 0;
}

TEST(plan_is_a_function_of_seed_and_epoch)
{
    struct fixture f;
    fixture_init(&f);
    const struct plan_rule rule = {.tokens = 100, .seed = 4, .shuffle = true};
    struct plan_rule other = rule;
    other.seed = 5;
    struct plan plan[] = {make(&f, rule, 1), make(&f, rule, 1), make(&f, rule, 2),
                          make(&f, other, 1)};
    assert_true(same(&plan[0], &plan[1]));
    assert_false(same(&plan[0], &plan[2]));
    assert_false(same(&plan[0], &plan[3]));
    for (int i = 0; i < 4; i++)
        plan_release(&plan[i]);
}

TEST(plan_of_a_pair_longer_than_the_budget_is_a_batch_of_its_own)
{
    struct fixture f;
    fixture_init(&f);
    struct plan plan = make(&f, (struct plan_rule){.tokens = 1, .seed = 1}, 1);
    assert_int_equal(plan.batches, PAIRS);
    plan_release(&plan);
}

TEST(plan_counts_eight_frames_as_a_token)
{
    enum { ITEMS = 6 };
    size_t source[] = {0, 80, 160, 240, 320, 400, 480}, target[] = {0, 1, 2, 3, 4, 5, 6};
    int ids[ITEMS] = {0};
    float rows[480] = {0};
    struct fixture f = {
        .corpus = {.source = {.count = ITEMS, .start = source, .width = 1, .rows = rows},
                   .target = {.count = ITEMS, .start = target, .ids = ids}}};
    struct plan plan = make(&f, (struct plan_rule){.tokens = 20, .seed = 1}, 1);
    assert_int_equal(plan.batches, 3); /* of two sources with 10 tokens each */
    plan_release(&plan);
}
