/* Gradient attributions, against finite differences and against the sums that they must have. */
#include "explain/gradient.h"

#include "explain/variants.h"
#include "search_fixture.h"

#include <math.h>

enum { SOURCE = 4, TARGET = 3, S = SOURCE + 1, T = TARGET + 1 };
static int source_ids[] = {3, 7, 5, 12}, target_ids[] = {4, 9, 3}; /* source words are distinct */
static size_t source_start[] = {0, SOURCE};
static const struct sequences source = {.count = 1, .start = source_start, .ids = source_ids};

static char LUONG[] = "luong", LSTM[] = "lstm", GENERAL[] = "general", NONE[] = "none",
            WINDOW[] = "window", COPY[] = "copy", MEAN[] = "mean", TRANSFORMER[] = "transformer",
            MONOTONIC[] = "monotonic";
static const struct attend_network_options SMALL = {.source_vocab = 13,
                                                    .target_vocab = 11,
                                                    .emb = 5,
                                                    .hidden = 6,
                                                    .attention_size = 7,
                                                    .readout_size = 4,
                                                    .gaussians = 2};

struct nets {
    struct fixture runs;
    struct gradient_net trains;
    struct gradient_job job;
};

static void nets_init(struct nets *n, const struct attend_network_options *config)
{
    fixture_init(&n->runs, config, 5);
    assert_int_equal(gradient_net_init(&n->trains, &n->runs.net, NULL), ATTEND_OK);
    n->job = (struct gradient_job){.net = &n->trains.net,
                                   .source = source_ids,
                                   .target = target_ids,
                                   .source_length = SOURCE,
                                   .target_length = TARGET};
}

static void nets_release(struct nets *n)
{
    gradient_net_release(&n->trains);
    fixture_release(&n->runs);
}

/* log P of every word with the embedding of source word j multiplied by `factor`. */
static void scores_with(struct nets *n, int j, double factor, double *out)
{
    const int id = j < SOURCE ? source_ids[j] : VOCAB_EOS, E = n->trains.net.encoder.E;
    real before[16], *row = n->trains.net.encoder.embedding.table.value + id * E;
    for (int e = 0; e < E; e++) {
        before[e] = row[e];
        row[e] = (real)((double)row[e] * factor);
    }
    assert_int_equal(gradient_scores(&n->job, 1, out, NULL), ATTEND_OK);
    for (int e = 0; e < E; e++)
        row[e] = before[e];
}

/* d log P / d x_j . x_j is the derivative with respect to a factor of x_j. */
static void check_differences(const struct attend_network_options *config)
{
    struct nets n;
    double got[T * S], above[T], below[T], largest = 0;
    const double step = 1e-5;
    nets_init(&n, config);
    assert_int_equal(gradient_run(&n.job, got, NULL), ATTEND_OK);
    for (int j = 0; j < S; j++) {
        scores_with(&n, j, 1 + step, above);
        scores_with(&n, j, 1 - step, below);
        for (int t = 0; t < T; t++) {
            assert_near(got[t * S + j], (above[t] - below[t]) / (2 * step), 1e-7);
            largest = fmax(largest, fabs(got[t * S + j]));
        }
    }
    assert_true(largest > 1e-2);
    nets_release(&n);
}

static struct attend_network_options deep(void)
{
    struct attend_network_options c = SMALL;
    c.cell = LSTM;
    c.placement = LUONG;
    c.attention = GENERAL;
    c.input_feeding = true;
    c.encoder_layers = c.decoder_layers = 2;
    c.residual = true;
    c.start = COPY;
    return c;
}

TEST(gradient_times_input_matches_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    struct attend_network_options c = SMALL; /* GRU, additive, bahdanau */
    check_differences(&c);
    c.encoder_layers = c.decoder_layers = 2;
    c.coverage = c.layer_norm = true;
    c.start = MEAN;
    check_differences(&c);
    c = deep();
    check_differences(&c);
    c.heads = 2;
    check_differences(&c);
    c.copy = true;
    check_differences(&c);
    c = SMALL;
    c.copy = true;
    check_differences(&c);
    c = SMALL;
    c.attention = NONE;
    check_differences(&c);
    c.attention = WINDOW;
    check_differences(&c);
    c.attention = MONOTONIC;
    check_differences(&c);
    c.placement = LUONG;
    c.monotonic_order = 1;
    c.readout_size = 4;
    check_differences(&c);
    for (int emb = 5; emb <= 6; emb++) {
        c = SMALL;
        c.encoder = TRANSFORMER;
        c.encoder_heads = 2;
        c.emb = emb;
        check_differences(&c);
    }
}

/* The largest |sum_j - (log P - log P without embeddings)| over the words. */
static double incompleteness(struct nets *n, int points)
{
    double got[T * S], full[T], blank[T], worst = 0;
    n->job.points = points;
    assert_int_equal(gradient_run(&n->job, got, NULL), ATTEND_OK);
    assert_int_equal(gradient_scores(&n->job, 1, full, NULL), ATTEND_OK);
    assert_int_equal(gradient_scores(&n->job, 0, blank, NULL), ATTEND_OK);
    for (int t = 0; t < T; t++) {
        double sum = 0;
        for (int j = 0; j < S; j++)
            sum += got[t * S + j];
        assert_true(isfinite(sum));
        worst = fmax(worst, fabs(sum - (full[t] - blank[t])));
    }
    return worst;
}

TEST(gradient_integrated_is_complete)
{
    struct attend_network_options configs[] = {SMALL, deep()};
    for (int i = 0; i < 2; i++) {
        struct nets n;
        nets_init(&n, &configs[i]);
        const double coarse = incompleteness(&n, 8), fine = incompleteness(&n, 64);
        assert_true(fine < 1e-3);
        /* With eight times the points, the midpoint error falls to 1/64, or below rounding. */
        assert_true(fine < coarse / 40 || fine < 2e-5);
        nets_release(&n);
    }
}

TEST(gradient_scores_are_those_of_the_model_that_runs)
{
    const struct attend_network_options config = deep();
    struct nets n;
    double trained[T], run[T];
    nets_init(&n, &config);
    const struct variants_job job = {&n.runs.net, &source, target_ids, TARGET, NULL};
    assert_int_equal(variants_score(&job, run, NULL), ATTEND_OK);
    assert_int_equal(gradient_scores(&n.job, 1, trained, NULL), ATTEND_OK);
    for (int t = 0; t < T; t++)
        assert_near(trained[t], run[t], 1e-5);
    nets_release(&n);
}

/* More copies than one batch holds, with words in any order. */
TEST(gradient_of_a_long_pair_is_that_of_its_words)
{
    enum { LONG = 100 };
    static double together[(LONG + 1) * S], alone[(LONG + 1) * S];
    int target[LONG];
    struct nets n;
    for (int i = 0; i < LONG; i++)
        target[i] = 3 + i * 5 % 8;
    nets_init(&n, &SMALL);
    n.job.target = target;
    n.job.target_length = LONG;
    assert_int_equal(gradient_run(&n.job, together, NULL), ATTEND_OK);
    n.job.target_length = 7; /* earlier words do not depend on later ones */
    assert_int_equal(gradient_run(&n.job, alone, NULL), ATTEND_OK);
    for (int i = 0; i < 7 * S; i++)
        assert_near(together[i], alone[i], 1e-4);
    nets_release(&n);
}

TEST(gradient_of_int8_weights_is_refused)
{
    struct attend_error err;
    struct gradient_net g;
    const struct seq2seq runs = {.int8 = true};
    assert_int_equal(gradient_net_init(&g, &runs, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "int8"));
    gradient_net_release(&g);
}

/* ---- Variants ---- */

TEST(variants_in_a_batch_are_as_probable_as_alone)
{
    enum { COUNT = 300 };
    static int ids[COUNT * SOURCE];
    static size_t start[COUNT + 1];
    static double together[COUNT * T], alone[T];
    struct nets n;
    for (size_t i = 0; i < COUNT; i++) { /* lengths 4, 3, 2, 1, 0, 4 ... */
        start[i + 1] = start[i] + (SOURCE - i % (SOURCE + 1));
        for (size_t k = start[i]; k < start[i + 1]; k++)
            ids[k] = 3 + (int)(k * 7 % 10);
    }
    const struct sequences all = {.count = COUNT, .start = start, .ids = ids};
    nets_init(&n, &SMALL);
    const struct variants_job job = {&n.runs.net, &all, target_ids, TARGET, NULL};
    assert_int_equal(variants_score(&job, together, NULL), ATTEND_OK);
    for (int i = 0; i < COUNT; i += 37) {
        const struct sequences single = {.count = 1, .start = start + i, .ids = ids};
        const struct variants_job one = {&n.runs.net, &single, target_ids, TARGET, NULL};
        assert_int_equal(variants_score(&one, alone, NULL), ATTEND_OK);
        for (int t = 0; t < T; t++)
            assert_near(together[i * T + t], alone[t], 1e-5);
    }
    nets_release(&n);
}
