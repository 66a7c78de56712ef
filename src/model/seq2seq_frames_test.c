/* The whole model over a source of frames: its gradient, and the invariants of batching. */
#include "net_fixture.h"

#include "model/placement.h"

#include <stdio.h>

/* Four pairs. The sources have 7, 1, 4 and 10 frames of 3 numbers: odd and even at each level. */
enum { PAIRS = 4, WIDTH = 3, FRAMES = 22, MOST_THREADS = 3 };
static size_t source_start[] = {0, 7, 8, 12, FRAMES};
static float frames[FRAMES * WIDTH];
static int target_ids[] = {3, 4, 5, 6, 7, 8, 9, 10, 3};
static size_t target_start[] = {0, 1, 4, 7, 9};

static struct attend_network_options small(void)
{
    struct attend_network_options c = small_sizes();
    c.source_width = WIDTH;
    c.target_vocab = 11;
    return c;
}

static void init(struct fixture *f, const struct attend_network_options *config, int threads)
{
    for (int i = 0; i < FRAMES * WIDTH; i++)
        frames[i] = (float)sin(1.7 * i);
    fixture_init(f, config, threads);
    fixture_nudge(f);
    f->job.loss.smoothing = 0.1;
}

static void fill(struct fixture *f, const int *items, int count)
{
    const struct sequences source = {.count = PAIRS,
                                     .start = source_start,
                                     .width = WIDTH,
                                     .rows = frames},
                           target = {.count = PAIRS, .start = target_start, .ids = target_ids};
    fixture_fill(f, &(struct batch_text){&source, &target, items, count, NULL});
}

/* ---- Gradients ---- */

static void check_gradient(const char *what, const struct attend_network_options *config,
                           double rate, int threads)
{
    struct fixture f;
    need_double();
    init(&f, config, threads);
    fill(&f, ALL, PAIRS);
    f.job.dropout = (struct dropouts){.plain = {.rate = rate, .key = 7},
                                      .recurrent = {.rate = rate, .key = 9},
                                      .words = {.rate = rate, .key = 7}};
    f.job.masks = (struct frame_masks){
        .times = rate > 0, .time_share = 0.5, .bands = rate > 0, .band_share = 0.4, .key = 5};
    check_gradients(&f, what, 6);
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
    init(&together, config, threads);
    init(&alone, config, 1);
    together.job.dropout = alone.job.dropout =
        (struct dropouts){.plain = {.rate = 0.2, .key = 3},
                          .recurrent = {.rate = 0.1, .key = 4},
                          .words = {.rate = 0.3, .key = 3}};
    together.job.masks = alone.job.masks = (struct frame_masks){
        .times = 2, .time_share = 0.3, .bands = 1, .band_share = 0.4, .key = 6};
    check_sum_of_singles(&together, &alone, fill, sizeof(real) == sizeof(double) ? 1e-11 : 3e-5);
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
        init(&a, &c, MOST_THREADS);
        init(&b, &c, MOST_THREADS);
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
        init(&f, &c, 2);
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
    init(&f, &c, 1);
    fill(&f, &item, 1);
    run(&f);
    const int C = f.model.encoder.C;
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 2 * C; i++)
            assert_int_equal(f.tape.encoder.recurrent.x[1][row * 2 * C + i] == 0,
                             row == 3 && i >= C);
    fixture_release(&f);
}
