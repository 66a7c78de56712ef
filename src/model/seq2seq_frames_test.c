/* The whole model over a source of frames: its gradient, and the invariants of batching. */
#include "model/seq2seq.h"

#include "model/placement.h"
#include "nn/gradcheck.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Four pairs. The sources have 7, 1, 4 and 10 frames of 3 numbers: odd and even at each level. */
enum { PAIRS = 4, WIDTH = 3, FRAMES = 22, MOST_THREADS = 3 };
static size_t source_start[] = {0, 7, 8, 12, FRAMES};
static float frames[FRAMES * WIDTH];
static int target_ids[] = {3, 4, 5, 6, 7, 8, 9, 10, 3};
static size_t target_start[] = {0, 1, 4, 7, 9};
static const int ALL[] = {0, 1, 2, 3};

struct fixture {
    struct seq2seq model;
    struct seq2seq_tape tape;
    struct arena arena;
    struct team *team;
    real *values, *grads;
    struct gemm_scratch scratch[MOST_THREADS];
    struct seq2seq_job job;
    double loss;
};

static struct attend_network_options small(void)
{
    return (struct attend_network_options){.source_width = WIDTH,
                                           .target_vocab = 11,
                                           .emb = 5,
                                           .hidden = 6,
                                           .attention_size = 7,
                                           .readout_size = 4,
                                           .positions = 5,
                                           .span = 2,
                                           .gaussians = 2,
                                           .location_filters = 3,
                                           .location_reach = 2};
}

static void fixture_init(struct fixture *f, const struct attend_network_options *config,
                         int threads)
{
    struct attend_error err;
    *f = (struct fixture){.job = {.loss = {.scale = 1, .gradient = true, .smoothing = 0.1}}};
    for (int i = 0; i < FRAMES * WIDTH; i++)
        frames[i] = (float)sin(1.7 * i);
    assert_int_equal(team_new(&f->team, threads, &err), ATTEND_OK);
    assert_int_equal(seq2seq_init(&f->model, config, PACKING_TRAIN, &err), ATTEND_OK);
    f->values = calloc(f->model.params.size, sizeof(real));
    f->grads = calloc(f->model.params.size, sizeof(real));
    param_bind(&f->model.params, f->values, f->grads);
    assert_int_equal(param_initialize(&f->model.params, 1, &err), ATTEND_OK);
    for (size_t i = 0; i < f->model.params.size; i++)
        f->values[i] += (real)(0.1 * sin((double)i + 0.3)); /* biases too */
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
    const struct sequences source = {.count = PAIRS,
                                     .start = source_start,
                                     .width = WIDTH,
                                     .rows = frames},
                           target = {.count = PAIRS, .start = target_start, .ids = target_ids};
    const struct batch_text text = {&source, &target, items, count, NULL};
    struct arena counting = {0};
    bind(f, &counting, &text);
    assert_int_equal(arena_reserve(&f->arena, counting.used, NULL), ATTEND_OK);
    /* NaN everywhere, so that reading before writing is noticed */
    memset(f->arena.block, 0xff, f->arena.size);
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

/* ---- Gradients ---- */

static void check_gradient(const char *what, const struct attend_network_options *config,
                           double rate, int threads)
{
    enum { MOST = 6 };
    struct fixture f;
    if (sizeof(real) < sizeof(double))
        skip();
    fixture_init(&f, config, threads);
    fill(&f, ALL, PAIRS);
    f.job.dropout = (struct dropouts){.plain = {.rate = rate, .key = 7},
                                      .recurrent = {.rate = rate, .key = 9},
                                      .words = {.rate = rate, .key = 7}};
    f.job.masks = (struct frame_masks){
        .times = rate > 0, .time_share = 0.5, .bands = rate > 0, .band_share = 0.4, .key = 5};
    run(&f);
    f.job.loss.gradient = false;
    for (int i = 0; i < f.model.params.count; i++) {
        const struct param *p = f.model.params.item[i];
        const size_t size = (size_t)p->rows * (size_t)p->cols, count = size < MOST ? size : MOST;
        const size_t from = (size - count) * (size_t)(i * 7 % 11) / 10;
        const struct gradcheck_result r =
            gradcheck(run, &f, p->value + from, p->grad + from, count);
        if (!(r.worst <= 1e-6))
            print_error("%s: %s[%zu]: analytic %.9g numeric %.9g\n", what, p->path, r.at,
                        r.analytic, r.numeric);
        assert_true(r.worst <= 1e-6);
    }
    fixture_release(&f);
}

TEST(seq2seq_gradient_of_frames)
{
    const struct attend_network_options c = small();
    check_gradient("plain", &c, 0, 3);
    check_gradient("with dropout", &c, 0.2, 1);
}

static struct attend_network_options transformer(int emb)
{
    struct attend_network_options c = small();
    c.encoder = "transformer";
    c.encoder_heads = 2;
    c.encoder_layers = 2;
    c.emb = emb;
    return c;
}

TEST(seq2seq_gradient_of_frames_through_a_transformer)
{
    for (int emb = 5; emb <= 6; emb++) { /* with a product before it, and without */
        const struct attend_network_options c = transformer(emb);
        check_gradient("transformer", &c, 0.2, emb - 4);
    }
}

/* Variant k of a pyramid: its height, layers, direction, cell, norm, links and start all change. */
static struct attend_network_options pyramid(int k)
{
    static const char *const starts[] = {"last", "copy", "mean", "zero"};
    static const char *const names[] = {"gru", "lstm", "tanh"};
    struct attend_network_options c = small();
    c.pyramid = 1 + k % 3;
    c.encoder_layers = c.decoder_layers = c.pyramid + 1 + k % 2;
    c.unidirectional = k / 2 % 2;
    c.residual = k % 2;
    c.layer_norm = k / 3 % 2;
    c.cell = names[k % 3];
    c.start = starts[k % 4];
    return c;
}
enum { VARIANTS = 12 };

TEST(seq2seq_gradient_of_a_pyramid)
{
    for (int k = 0; k < VARIANTS; k++) {
        const struct attend_network_options c = pyramid(k);
        char what[64];
        snprintf(what, sizeof what, "pyramid %d of variant %d", c.pyramid, k);
        check_gradient(what, &c, k % 2 ? 0.2 : 0, 1 + k % 3);
    }
}

TEST(seq2seq_gradient_of_a_pyramid_in_every_placement_with_every_attention)
{
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (const struct placement_ops *const *placement = placements; *placement; placement++) {
            struct attend_network_options c = small();
            char what[64];
            c.attention = (*ops)->name;
            c.placement = (*placement)->name;
            c.pyramid = 1;
            c.encoder_layers = 2;
            snprintf(what, sizeof what, "%s %s", c.attention, c.placement);
            check_gradient(what, &c, 0.1, 2);
        }
}

/* ---- Batches ---- */

static void check_batch_equals_singles(const struct attend_network_options *config, int threads)
{
    struct fixture together, alone;
    fixture_init(&together, config, threads);
    fixture_init(&alone, config, 1);
    fill(&together, ALL, PAIRS);
    together.job.dropout = alone.job.dropout =
        (struct dropouts){.plain = {.rate = 0.2, .key = 3},
                          .recurrent = {.rate = 0.1, .key = 4},
                          .words = {.rate = 0.3, .key = 3}};
    together.job.masks = alone.job.masks = (struct frame_masks){
        .times = 2, .time_share = 0.3, .bands = 1, .band_share = 0.4, .key = 6};
    double sum = 0;
    run(&together);
    for (int i = 0; i < PAIRS; i++) {
        fill(&alone, &ALL[i], 1);
        sum += run(&alone);
    }
    const double tolerance = sizeof(real) == sizeof(double) ? 1e-11 : 3e-5;
    assert_near(together.loss, sum, tolerance);
    for (size_t i = 0; i < together.model.params.size; i++)
        assert_near((double)together.grads[i], (double)alone.grads[i], tolerance);
    fixture_release(&together);
    fixture_release(&alone);
}

TEST(seq2seq_batch_of_frames_equals_its_sentences)
{
    const struct attend_network_options plain = small();
    for (int threads = 1; threads <= MOST_THREADS; threads++)
        check_batch_equals_singles(&plain, threads);
    for (int k = 0; k < VARIANTS; k++) {
        const struct attend_network_options c = pyramid(k);
        check_batch_equals_singles(&c, 1 + k % MOST_THREADS);
    }
    for (int emb = 5; emb <= 6; emb++) {
        const struct attend_network_options c = transformer(emb);
        check_batch_equals_singles(&c, emb - 3);
    }
}

TEST(seq2seq_of_frames_gives_the_same_bytes_again)
{
    for (int k = 0; k < VARIANTS; k++) {
        const struct attend_network_options c = pyramid(k);
        struct fixture a, b;
        fixture_init(&a, &c, MOST_THREADS);
        fixture_init(&b, &c, MOST_THREADS);
        fill(&a, ALL, PAIRS);
        fill(&b, ALL, PAIRS);
        run(&a);
        run(&b);
        assert_memory_equal(a.grads, b.grads, a.model.params.size * sizeof(real));
        assert_true(a.loss == b.loss);
        fixture_release(&a);
        fixture_release(&b);
    }
}

/* ---- The pyramid itself ---- */

TEST(seq2seq_pyramid_halves_the_annotations)
{
    static const int expected[][PAIRS] = {{7, 1, 4, 10}, {4, 1, 2, 5}, {2, 1, 1, 3}, {1, 1, 1, 2}};
    for (int height = 0; height < 4; height++) {
        struct attend_network_options c = small();
        struct fixture f;
        c.pyramid = height;
        c.encoder_layers = height + 1;
        fixture_init(&f, &c, 2);
        fill(&f, ALL, PAIRS);
        const struct batch *b = &f.tape.batch;
        int sum = 0;
        for (int i = 0; i < PAIRS; i++) {
            const int item = b->item[i], length = expected[height][item];
            assert_int_equal(b->memory_length[i], length);
            assert_int_equal(b->memory_start[i], sum);
            assert_int_equal(
                seq2seq_annotations(&f.model, (int)(source_start[item + 1] - source_start[item])),
                length);
            sum += length;
        }
        assert_int_equal(b->memory_rows, sum);
        assert_int_equal(b->S, expected[height][3]);
        fixture_release(&f);
    }
}

/* The odd last row is paired with zeros: its second half is 0, and nothing else is. */
TEST(seq2seq_pyramid_pairs_the_last_of_an_odd_number_with_zeros)
{
    struct attend_network_options c = small();
    struct fixture f;
    const int item = 0; /* of 7 frames */
    c.pyramid = 1;
    c.encoder_layers = 2;
    fixture_init(&f, &c, 1);
    fill(&f, &item, 1);
    run(&f);
    const int C = f.model.encoder.C;
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 2 * C; i++)
            assert_int_equal(f.tape.encoder.recurrent.x[1][row * 2 * C + i] == 0,
                             row == 3 && i >= C);
    fixture_release(&f);
}
