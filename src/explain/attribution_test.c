/* Leave-one-out, deletion curves and the summary over pairs. */
#include "explain/attribution.h"

#include "explain/deletion.h"
#include "explain/faithfulness.h"
#include "explain/gradient.h"
#include "explain/variants.h"
#include "search_fixture.h"

#include <math.h>

enum { PAIRS = 4 };
static int source_ids[] = {3, 7, 5, 12, 9, 4, 6, 8, 3};
static size_t source_start[] = {0, 4, 4, 6, 9}; /* the second is empty */
static int target_ids[] = {4, 9, 3, 5, 6, 7, 8, 10};
static size_t target_start[] = {0, 3, 4, 6, 8};
static const struct sequences source = {.count = PAIRS, .start = source_start, .ids = source_ids},
                              target = {.count = PAIRS, .start = target_start, .ids = target_ids};
static const struct attend_network_options SMALL = {
    .source_vocab = 13, .target_vocab = 11, .emb = 5, .hidden = 6};

struct nets {
    struct fixture runs;
    struct gradient_net trains;
};

static void nets_init(struct nets *n, const struct attend_network_options *config)
{
    fixture_init(&n->runs, config, 5);
    assert_int_equal(gradient_net_init(&n->trains, &n->runs.net, NULL), ATTEND_OK);
}

static void nets_release(struct nets *n)
{
    gradient_net_release(&n->trains);
    fixture_release(&n->runs);
}

static struct attribution_job job_of(const struct nets *n, int pair)
{
    return (struct attribution_job){.net = &n->runs.net,
                                    .trains = &n->trains.net,
                                    .source = source_ids + source_start[pair],
                                    .target = target_ids + target_start[pair],
                                    .source_length = sequences_length(&source, pair),
                                    .target_length = sequences_length(&target, pair),
                                    .ig_steps = 16};
}

/* log P of the target words of pair 0 under a given source. */
static void score_under(const struct seq2seq *net, int *ids, size_t length, double *out)
{
    size_t start[] = {0, length};
    const struct sequences one = {.count = 1, .start = start, .ids = ids};
    const struct variants_job job = {net, &one, target_ids, 3, NULL};
    assert_int_equal(variants_score(&job, out, NULL), ATTEND_OK);
}

TEST(attribution_leave_one_out_is_the_drop_without_the_word)
{
    struct nets n;
    struct attribution a;
    double whole[4], without[4];
    int left[] = {3, 7, 12}, masked[] = {3, 7, VOCAB_UNK, 12}; /* without the third word */
    nets_init(&n, &SMALL);
    struct attribution_job job = job_of(&n, 0);
    for (int mask = 0; mask < 2; mask++) {
        job.mask = mask;
        assert_int_equal(attribution_run(&a, &job, NULL), ATTEND_OK);
        score_under(&n.runs.net, source_ids, 4, whole);
        score_under(&n.runs.net, mask ? masked : left, mask ? 4 : 3, without);
        for (int t = 0; t < 4; t++) {
            assert_near(a.value[ATTRIBUTION_LEAVE_ONE_OUT][t * 5 + 2], whole[t] - without[t], 1e-5);
            assert_true(isnan(a.value[ATTRIBUTION_LEAVE_ONE_OUT][t * 5 + 4]));
            assert_near(a.score[t], whole[t], 1e-5);
        }
        attribution_release(&a);
    }
    nets_release(&n);
}

TEST(attribution_of_a_model_without_attention_or_gradients_leaves_them_out)
{
    static char none[] = "none";
    struct attend_network_options config = SMALL;
    struct nets n;
    struct attribution a;
    struct deletion d;
    config.attention = none;
    nets_init(&n, &config);
    struct attribution_job job = job_of(&n, 0);
    assert_int_equal(attribution_run(&a, &job, NULL), ATTEND_OK);
    assert_null(a.value[ATTRIBUTION_ATTENTION]);
    assert_non_null(a.value[ATTRIBUTION_GRADIENT]);
    assert_true(isnan(attribution_ranks(&a, ATTRIBUTION_LEAVE_ONE_OUT, 0).kendall));
    attribution_release(&a);
    job.trains = NULL;
    assert_int_equal(attribution_run(&a, &job, NULL), ATTEND_OK);
    assert_null(a.value[ATTRIBUTION_INTEGRATED]);
    assert_int_equal(deletion_run(&d, &job, &a, 1, NULL), ATTEND_OK);
    assert_null(d.y[ATTRIBUTION_ATTENTION]);
    assert_non_null(d.y[ATTRIBUTION_LEAVE_ONE_OUT]);
    deletion_release(&d);
    attribution_release(&a);
    nets_release(&n);
}

TEST(attribution_ranks_compare_sizes_and_leave_the_end_out)
{
    double attention[] = {0.1, 0.2, 0.6, 0.1}, value[] = {0.5, -1, 3, -100}, size[4];
    const struct attribution a = {.S = 4, .T = 1, .value = {attention, value}, .size = size};
    const struct attribution_ranks ranks = attribution_ranks(&a, ATTRIBUTION_LEAVE_ONE_OUT, 0);
    assert_near(ranks.kendall, 1, 1e-12);
    assert_near(ranks.spearman, 1, 1e-12);
    assert_int_equal(attribution_top(&a, ATTRIBUTION_LEAVE_ONE_OUT, 0), 2);
    value[0] = 200; /* now the least attended word matters most: one pair of three is concordant */
    assert_near(attribution_ranks(&a, ATTRIBUTION_LEAVE_ONE_OUT, 0).kendall, -1.0 / 3, 1e-12);
    assert_int_equal(attribution_top(&a, ATTRIBUTION_LEAVE_ONE_OUT, 0), 0);
}

/* ---- Deletion ---- */

static double sum_of(const double *x) { return x[0] + x[1] + x[2] + x[3]; }

TEST(deletion_removes_words_in_the_order_of_their_values)
{
    struct nets n;
    struct deletion d;
    nets_init(&n, &SMALL);
    struct attribution_job job = job_of(&n, 0);
    /* By attention, words are removed in the order 2 0 3 1: the sums of the two rows that are not
     * 0. */
    double attention[] = {2, 0, 3, 1, 9, 1, 0, 2, 1, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const struct attribution a = {.S = 5, .T = 4, .value = {attention}};
    assert_int_equal(deletion_run(&d, &job, &a, 1, NULL), ATTEND_OK);
    int left[][4] = {{3, 7, 5, 12}, {3, 7, 12}, {7, 12}, {7}, {0}};
    double area = 0, before = 0;
    assert_int_equal(d.points, 5);
    for (int k = 0; k < 5; k++) {
        double score[4];
        score_under(&n.runs.net, left[k], (size_t)(4 - k), score);
        assert_near(d.y[ATTRIBUTION_ATTENTION][k], sum_of(score) / 4, 1e-5);
        area += k ? (before + sum_of(score) / 4) / 8 : 0;
        before = sum_of(score) / 4;
    }
    assert_near(d.area[ATTRIBUTION_ATTENTION], area, 1e-5);
    /* Every order starts with the whole sentence and ends with an empty one. */
    assert_near(d.y[DELETION_RANDOM][0], d.y[ATTRIBUTION_ATTENTION][0], 1e-6);
    assert_near(d.y[DELETION_RANDOM][4], d.y[ATTRIBUTION_ATTENTION][4], 1e-6);
    assert_null(d.y[ATTRIBUTION_LEAVE_ONE_OUT]);
    deletion_release(&d);
    nets_release(&n);
}

TEST(deletion_by_leaving_one_out_begins_with_the_largest_drop)
{
    struct nets n;
    struct attribution a;
    struct deletion d, again;
    nets_init(&n, &SMALL);
    const struct attribution_job job = job_of(&n, 0);
    assert_int_equal(attribution_run(&a, &job, NULL), ATTEND_OK);
    assert_int_equal(deletion_run(&d, &job, &a, 1, NULL), ATTEND_OK);
    assert_int_equal(deletion_run(&again, &job, &a, 1, NULL), ATTEND_OK);
    for (int c = 0; c < DELETION_CURVES; c++) {
        assert_true(d.y[ATTRIBUTION_LEAVE_ONE_OUT][1] <= d.y[c][1] + 1e-9);
        assert_true(d.area[c] == again.area[c]);
    }
    deletion_release(&d);
    deletion_release(&again);
    attribution_release(&a);
    nets_release(&n);
}

/* ---- The summary ---- */

static struct faithfulness summary(const struct nets *n, int threads)
{
    struct team *team;
    struct faithfulness f;
    const struct faithfulness_job job = {.net = &n->runs.net,
                                         .source = &source,
                                         .target = &target,
                                         .ig_steps = 16,
                                         .resamples = 200,
                                         .seed = 1};
    assert_int_equal(team_new(&team, threads, NULL), ATTEND_OK);
    assert_int_equal(faithfulness_run(&f, team, &job, NULL), ATTEND_OK);
    team_free(team);
    return f;
}

/* Sums over the pairs, by hand. */
struct sums {
    double kendall, area, agree, first, half;
    int words;
};

static void add_pair(struct sums *sums, const struct attribution_job *job)
{
    struct attribution a;
    struct deletion d;
    assert_int_equal(attribution_run(&a, job, NULL), ATTEND_OK);
    assert_int_equal(deletion_run(&d, job, &a, 1, NULL), ATTEND_OK);
    for (int t = 0; t < job->target_length; t++, sums->words++) {
        sums->kendall += attribution_ranks(&a, ATTRIBUTION_INTEGRATED, t).kendall;
        sums->agree += attribution_top(&a, ATTRIBUTION_ATTENTION, t) ==
                       attribution_top(&a, ATTRIBUTION_LEAVE_ONE_OUT, t);
    }
    sums->area += d.area[ATTRIBUTION_GRADIENT] / 3;
    const double *y = d.y[ATTRIBUTION_GRADIENT];
    sums->first += y[0] / 3;
    sums->half += (y[(d.points - 1) / 2] + y[d.points / 2]) / 2 / 3;
    attribution_release(&a);
    deletion_release(&d);
}

TEST(faithfulness_is_the_mean_over_the_words_of_all_pairs)
{
    struct nets n;
    nets_init(&n, &SMALL);
    const struct faithfulness f = summary(&n, 1), g = summary(&n, 2);
    struct sums sums = {0};
    for (int i = 0; i < PAIRS; i++) {
        const struct attribution_job job = job_of(&n, i);
        if (job.source_length)
            add_pair(&sums, &job);
    }
    assert_int_equal(f.pairs, 3);
    assert_int_equal(f.words, sums.words);
    assert_near(f.kendall[ATTRIBUTION_INTEGRATED].mean, sums.kendall / sums.words, 1e-9);
    assert_near(f.area[ATTRIBUTION_GRADIENT].mean, sums.area, 1e-9);
    assert_near(f.curve[ATTRIBUTION_GRADIENT][0], sums.first, 1e-9);
    assert_near(f.curve[ATTRIBUTION_GRADIENT][FAITHFULNESS_SHARES / 2], sums.half, 1e-9);
    for (int c = 0; c < DELETION_CURVES; c++) /* the ends of the curve do not depend on the order */
        for (int end = 0; end < FAITHFULNESS_SHARES; end += FAITHFULNESS_SHARES - 1)
            assert_near(f.curve[c][end], f.curve[0][end], 1e-9);
    assert_near(f.agreement.mean, sums.agree / sums.words, 1e-12);
    assert_true(f.agreement.low <= f.agreement.mean && f.agreement.mean <= f.agreement.high);
    assert_true(isnan(f.kendall[ATTRIBUTION_ATTENTION].mean)); /* correlation with itself: not
                                                                * computed */
    assert_memory_equal(&f, &g, sizeof f);                     /* threads do not matter */
    nets_release(&n);
}
