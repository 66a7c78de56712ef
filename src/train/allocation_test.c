/* Training and search allocate nothing in their loops. malloc and its relatives are wrapped
 * (-Wl,--wrap) and counted. */
#include "decode/search.h"
#include "decode/write.h"
#include "test.h"
#include "train/update.h"

#include <stdlib.h>

static int allocations;

/* The linker's names for the wrapped functions. */
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size)
{
    allocations++;
    return __real_realloc(old, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    allocations++;
    return __real_posix_memalign(out, alignment, size);
}

static int ids[] = {3, 4, 5, 6, 7, 8, 3, 5, 7, 4};
static size_t start[] = {0, 2, 5, 6, 10};
static const struct sequences text = {.count = 4, .start = start, .ids = ids};
static const int items[] = {0, 1, 2, 3};
static const struct attend_network_options config = {.source_vocab = 9,
                                                     .target_vocab = 9,
                                                     .emb = 4,
                                                     .hidden = 6,
                                                     .attention_size = 5,
                                                     .readout_size = 3};
/* The same lengths in frames. */
static float rows[20] = {0.1f, 0.9f, -0.3f, 1.2f, -0.8f, 0.4f, 0.5f, -1.1f, 0.2f, 0.7f};
static const struct sequences frames = {.count = 4, .start = start, .width = 2, .rows = rows};
static const struct attend_network_options pyramid = {.source_width = 2,
                                                      .target_vocab = 9,
                                                      .emb = 4,
                                                      .hidden = 6,
                                                      .attention_size = 5,
                                                      .readout_size = 3,
                                                      .attention = "location_aware",
                                                      .pyramid = 1,
                                                      .encoder_layers = 2};
/* E differs from H. */
static const struct attend_network_options transformer = {.source_vocab = 9,
                                                          .target_vocab = 9,
                                                          .encoder = "transformer",
                                                          .encoder_layers = 2,
                                                          .encoder_heads = 2,
                                                          .encoder_positions = "learned",
                                                          .positions = 3,
                                                          .emb = 4,
                                                          .hidden = 6,
                                                          .attention_size = 5,
                                                          .readout_size = 3};

static const struct attend_network_options hard = {.source_vocab = 9,
                                                   .target_vocab = 9,
                                                   .attention = "monotonic",
                                                   .monotonic_order = 1,
                                                   .emb = 4,
                                                   .hidden = 6,
                                                   .readout_size = 3};

/* The same lengths in strokes. */
static float ink[30] = {0, 0, 0, 0.4f, -0.9f, 1, 0, 0, 0, 1.1f, 0.2f, 0, -0.6f, 0.8f, 1};
static const struct sequences strokes = {.count = 4, .start = start, .width = 3, .rows = ink};
static const struct attend_network_options pen = {.source_vocab = 9,
                                                  .target_width = 3,
                                                  .mixtures = 2,
                                                  .stroke_floor = 0.1,
                                                  .decoder_layers = 2,
                                                  .skip = true,
                                                  .attention = "window",
                                                  .gaussians = 2,
                                                  .emb = 4,
                                                  .hidden = 6,
                                                  .readout_size = 3};

TEST(allocations_are_seen)
{
    allocations = 0;
    struct arena arena = {0};
    assert_int_equal(arena_reserve(&arena, 100, NULL), ATTEND_OK);
    arena_release(&arena);
    assert_int_equal(allocations, 1);
}

static void check_update(const struct attend_network_options *network,
                         const struct sequences *source, const struct sequences *target)
{
    struct seq2seq net;
    struct team *team;
    struct updater updater;
    const struct batch_text batch = {source, target, items, 4, NULL};
    assert_int_equal(team_new(&team, 2, NULL), ATTEND_OK);
    assert_int_equal(seq2seq_init(&net, network, PACKING_TRAIN, NULL), ATTEND_OK);
    real *values = calloc(net.params.size, sizeof *values),
         *grads = calloc(net.params.size, sizeof *grads);
    param_bind(&net.params, values, grads);
    assert_int_equal(param_initialize(&net.params, 1, NULL), ATTEND_OK);
    const struct updater_parts parts = {.net = &net,
                                        .team = team,
                                        .values = values,
                                        .grads = grads,
                                        .optimizer = &optimizer_adam,
                                        .average_decay = 0.99};
    assert_int_equal(updater_init(&updater, &parts, NULL), ATTEND_OK);
    assert_int_equal(updater_reserve(&updater, updater_measure(&updater, &batch), NULL), ATTEND_OK);
    const struct update_settings settings = {.dropout = {.plain = {.rate = 0.1, .key = 1}},
                                             .lr = 0.01,
                                             .clip = 1,
                                             .sampling = 0.5,
                                             .words = 28};
    const struct batch_text both[] = {batch, batch};
    const double before = updater_loss(&updater, &batch);
    allocations = 0;
    for (int i = 0; i < 20; i++)
        updater_update(&updater, both, 2, &settings);
    assert_int_equal(allocations, 0);
    assert_true(updater_loss(&updater, &batch) < before); /* the updates did something */
    updater_release(&updater);
    seq2seq_release(&net);
    team_free(team);
    free(values);
    free(grads);
}
TEST(update_allocates_nothing)
{
    check_update(&config, &text, &text);
    check_update(&pyramid, &frames, &text);
    check_update(&transformer, &text, &text);
    check_update(&hard, &text, &text);
    check_update(&pen, &text, &strokes);
}

static void bind(struct search *search, struct gemm_scratch *gemm, struct arena *arena,
                 const struct search_setup *setup, const struct batch_text *batch)
{
    gemm_scratch_bind(gemm, arena);
    search_bind(search, arena, setup, batch);
}

static void check_search(const struct attend_network_options *network,
                         const struct sequences *source)
{
    struct seq2seq net;
    struct search search;
    struct arena count = {0}, arena = {0};
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    const struct batch_text batch = {source, NULL, items, 4, NULL};
    assert_int_equal(seq2seq_init(&net, network, PACKING_RUN, NULL), ATTEND_OK);
    real *values = calloc(net.params.size, sizeof *values);
    param_bind(&net.params, values, NULL);
    assert_int_equal(param_initialize(&net.params, 1, NULL), ATTEND_OK);
    seq2seq_pack(&net, &compute);
    const struct search_setup setup = {
        .net = {&net},
        .nets = 1,
        .options = {.beam = 3, .length_penalty = 1, .max_length = 2, .no_repeat = 2}};
    bind(&search, &compute.gemm, &count, &setup, &batch);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    bind(&search, &compute.gemm, &arena, &setup, &batch);
    allocations = 0;
    search_run(&search, &compute, &batch);
    assert_int_equal(allocations, 0);
    for (int b = 0; b < 4; b++)
        assert_true(search.finished_count[b] > 0);
    arena_release(&arena);
    seq2seq_release(&net);
    free(values);
}
TEST(search_allocates_nothing)
{
    check_search(&config, &text);
    check_search(&pyramid, &frames);
    check_search(&transformer, &text);
    check_search(&hard, &text);
}

static void bind_write(struct write *write, struct gemm_scratch *gemm, struct arena *arena,
                       const struct write_setup *setup, const struct batch_text *batch)
{
    gemm_scratch_bind(gemm, arena);
    write_bind(write, arena, setup, batch);
}

TEST(write_allocates_nothing)
{
    struct seq2seq net;
    struct write write;
    struct arena count = {0}, arena = {0};
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    const struct batch_text batch = {&text, NULL, items, 4, NULL};
    assert_int_equal(seq2seq_init(&net, &pen, PACKING_RUN, NULL), ATTEND_OK);
    real *values = calloc(net.params.size, sizeof *values);
    param_bind(&net.params, values, NULL);
    assert_int_equal(param_initialize(&net.params, 1, NULL), ATTEND_OK);
    seq2seq_pack(&net, &compute);
    const struct write_setup setup = {.net = &net, .limit = 30};
    bind_write(&write, &compute.gemm, &count, &setup, &batch);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    bind_write(&write, &compute.gemm, &arena, &setup, &batch);
    allocations = 0;
    assert_true(write_run(&write, &compute, &batch));
    assert_int_equal(allocations, 0);
    arena_release(&arena);
    seq2seq_release(&net);
    free(values);
}
