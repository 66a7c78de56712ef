/* The whole model: its gradient, and the invariants of batching. */
#include "model/seq2seq.h"

#include "nn/gradcheck.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small odd sizes, all different, so that a swapped dimension cannot pass. */
static const struct model_config SMALL = {.source_vocab = 13,
                                          .target_vocab = 11,
                                          .emb = 5,
                                          .hidden = 7,
                                          .attention_size = 6,
                                          .readout_size = 4};

/* Four pairs of different lengths; ids from 3, after the specials. */
static int source_ids[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 3};
static size_t source_start[] = {0, 3, 4, 9, 11};
static int target_ids[] = {3, 4, 5, 6, 7, 8, 9, 10, 3};
static size_t target_start[] = {0, 1, 4, 7, 9};
static const struct sequences source = {4, source_start, source_ids},
                              target = {4, target_start, target_ids};

struct fixture {
    struct seq2seq model;
    struct seq2seq_tape tape;
    struct arena arena;
    struct team *team;
    real *values, *grads;
    struct gemm_scratch scratch[4];
    struct seq2seq_job job;
    double loss;
};

static void fixture_init(struct fixture *f, const struct model_config *config, int threads)
{
    struct attend_error err;
    *f = (struct fixture){.job = {.loss = {.scale = 1, .gradient = true}}};
    assert_int_equal(team_new(&f->team, threads, &err), ATTEND_OK);
    assert_int_equal(seq2seq_init(&f->model, config, true, &err), ATTEND_OK);
    f->values = calloc(f->model.params.size, sizeof(real));
    f->grads = calloc(f->model.params.size, sizeof(real));
    param_bind(&f->model.params, f->values, f->grads);
    assert_int_equal(param_initialise(&f->model.params, 1, &err), ATTEND_OK);
}

static void fixture_release(struct fixture *f)
{
    team_free(f->team);
    seq2seq_release(&f->model);
    arena_release(&f->arena);
    free(f->values);
    free(f->grads);
}

static void bind(struct fixture *f, struct arena *arena, const struct batch_text *text)
{
    seq2seq_tape_bind(&f->tape, arena, &f->model, text, team_size(f->team));
    for (int i = 0; i < team_size(f->team); i++)
        gemm_scratch_bind(&f->scratch[i], arena);
}

static void fill(struct fixture *f, const int *items, int count)
{
    const struct batch_text text = {
        .source = &source, .target = &target, .item = items, .count = count};
    struct arena counting = {0};
    bind(f, &counting, &text);
    assert_int_equal(arena_reserve(&f->arena, counting.used, NULL), ATTEND_OK);
    memset(f->arena.block, 0xff, f->arena.size); /* NaN: whatever is read must have been written */
    bind(f, &f->arena, &text);
    batch_fill(&f->tape.batch, &text);
}

static void run_worker(struct worker *w, void *job)
{
    struct fixture *f = job;
    struct compute c = {.worker = w, .gemm = f->scratch[w->index]};
    seq2seq_pack(&f->model, &c);
    const double loss = seq2seq_run(&f->model, &f->tape, &c, &f->job);
    if (w->index == 0)
        f->loss = loss;
}

static double run(void *context)
{
    struct fixture *f = context;
    team_run(f->team, run_worker, f);
    return f->loss;
}

static const int ALL[] = {0, 1, 2, 3};

static void check_gradient(double rate, double smoothing, int threads)
{
    if (sizeof(real) < sizeof(double))
        skip();
    struct fixture f;
    fixture_init(&f, &SMALL, threads);
    for (size_t i = 0; i < f.model.params.size; i++)
        f.values[i] += (real)0.1 * (real)sin((double)i); /* biases too */
    fill(&f, ALL, 4);
    f.job.dropout = (struct dropout){.rate = rate, .key = 7};
    f.job.loss.smoothing = smoothing;
    run(&f);
    f.job.loss.gradient = false;
    for (int i = 0; i < f.model.params.count; i++) {
        struct param *p = f.model.params.item[i];
        const struct gradcheck_result r =
            gradcheck(run, &f, p->value, p->grad, (size_t)p->rows * (size_t)p->cols);
        if (r.worst > 1e-6)
            print_error("%s[%zu]: analytic %.9g numeric %.9g\n", p->path, r.at, r.analytic,
                        r.numeric);
        assert_true(r.worst <= 1e-6);
    }
    fixture_release(&f);
}

TEST(seq2seq_gradient_matches_finite_differences) { check_gradient(0, 0, 1); }
TEST(seq2seq_gradient_with_dropout_and_smoothing_matches) { check_gradient(0.3, 0.1, 1); }
TEST(seq2seq_gradient_on_three_threads_matches) { check_gradient(0.2, 0.1, 3); }

/* A batch is its sentences one by one: losses and gradients add up, whatever the neighbours and the
 * lanes. */
static void check_batch_equals_singles(int threads)
{
    struct fixture together, alone;
    fixture_init(&together, &SMALL, threads);
    fixture_init(&alone, &SMALL, 1);
    fill(&together, ALL, 4);
    together.job.dropout = alone.job.dropout = (struct dropout){.rate = 0.2, .key = 3};
    double sum = 0;
    run(&together);
    for (int i = 0; i < 4; i++) {
        fill(&alone, &ALL[i], 1);
        sum += run(&alone);
    }
    const double tolerance = sizeof(real) == sizeof(double) ? 1e-12 : 2e-6;
    assert_near(together.loss, sum, tolerance);
    for (size_t i = 0; i < together.model.params.size; i++)
        assert_near((double)together.grads[i], (double)alone.grads[i], tolerance);
    fixture_release(&together);
    fixture_release(&alone);
}

TEST(seq2seq_batch_equals_its_sentences) { check_batch_equals_singles(1); }
TEST(seq2seq_batch_in_lanes_equals_its_sentences) { check_batch_equals_singles(3); }

TEST(seq2seq_weights_sum_to_one_and_ignore_other_sentences)
{
    struct fixture f;
    fixture_init(&f, &SMALL, 2);
    fill(&f, ALL, 4);
    run(&f);
    const struct batch *b = &f.tape.batch;
    for (int lane = 0; lane < b->lanes; lane++)
        for (int t = 0; t < b->target[lane].count; t++)
            for (int i = 0; i < b->target[lane].active[t]; i++) {
                const real *weight = f.tape.decoder.weight + (b->target[lane].start[t] + i) * b->S;
                double sum = 0;
                for (int j = 0; j < b->S; j++) {
                    assert_true(weight[j] >= 0);
                    assert_true(j < b->memory_length[b->target[lane].first + i] || weight[j] == 0);
                    sum += (double)weight[j];
                }
                assert_near(sum, 1, 1e-6);
            }
    fixture_release(&f);
}

TEST(seq2seq_same_threads_give_the_same_bytes)
{
    struct fixture a, b;
    fixture_init(&a, &SMALL, 3);
    fixture_init(&b, &SMALL, 3);
    fill(&a, ALL, 4);
    fill(&b, ALL, 4);
    run(&a);
    run(&b);
    assert_memory_equal(a.grads, b.grads, a.model.params.size * sizeof(real));
    assert_true(a.loss == b.loss);
    fixture_release(&a);
    fixture_release(&b);
}
