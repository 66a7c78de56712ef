/* The whole model: its gradient, and the invariants of batching. */
#include "model/seq2seq.h"

#include "model/placement.h"
#include "nn/gradcheck.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small odd sizes, all different, so that a swapped dimension is noticed. */
static struct attend_network_options small(void)
{
    return (struct attend_network_options){.source_vocab = 13,
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

/* Four pairs of different lengths; ids from 3, after the specials. */
static int source_ids[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 3};
static size_t source_start[] = {0, 3, 4, 9, 11};
static int target_ids[] = {3, 4, 5, 6, 7, 8, 9, 10, 3};
static size_t target_start[] = {0, 1, 4, 7, 9};
static const struct sequences source = {.count = 4, .start = source_start, .ids = source_ids},
                              target = {.count = 4, .start = target_start, .ids = target_ids};
/* Links (source, target) of these pairs: several for one word, none for others, and none in the last pair. */
static int link_ids[] = {2, 0, 0, 0, 0, 1, 0, 2, 4, 0, 1, 1, 3, 1, 3, 1};
static size_t link_start[] = {0, 4, 8, 16, 16};
static const struct sequences links = {.count = 4, .start = link_start, .ids = link_ids};

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

static void fixture_init(struct fixture *f, const struct attend_network_options *config,
                         int threads)
{
    struct attend_error err;
    *f = (struct fixture){.job = {.loss = {.scale = 1, .gradient = true}}};
    assert_int_equal(team_new(&f->team, threads, &err), ATTEND_OK);
    assert_int_equal(seq2seq_init(&f->model, config, PACKING_TRAIN, &err), ATTEND_OK);
    f->values = calloc(f->model.params.size, sizeof(real));
    f->grads = calloc(f->model.params.size, sizeof(real));
    param_bind(&f->model.params, f->values, f->grads);
    assert_int_equal(param_initialize(&f->model.params, 1, &err), ATTEND_OK);
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
    const struct batch_text text = {.source = &source,
                                    .target = &target,
                                    .item = items,
                                    .count = count,
                                    .links = f->job.loss.guide > 0 ? &links : NULL};
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

static const int ALL[] = {0, 1, 2, 3};

/* Checks at most `most` numbers of each parameter, at different places in each. */
static void check_guided(const char *what, const struct attend_network_options *config, double rate,
                         int threads, size_t most, double guide)
{
    struct fixture f;
    fixture_init(&f, config, threads);
    f.job.loss.guide = guide;
    for (size_t i = 0; i < f.model.params.size; i++)
        f.values[i] +=
            (real)(0.1 * sin((double)i + 0.3)); /* biases too, and no maxout near its kink */
    fill(&f, ALL, 4);
    f.job.dropout = (struct dropouts){.plain = {.rate = rate, .key = 7},
                                      .recurrent = {.rate = rate, .key = 9},
                                      .words = {.rate = rate, .key = 7}};
    f.job.loss.smoothing = 0.1;
    run(&f);
    f.job.loss.gradient = false;
    for (int i = 0; i < f.model.params.count; i++) {
        struct param *p = f.model.params.item[i];
        const size_t size = (size_t)p->rows * (size_t)p->cols, count = size < most ? size : most;
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

static void check_config(const char *what, const struct attend_network_options *config, double rate,
                         int threads, size_t most)
{
    check_guided(what, config, rate, threads, most, 0);
}

static void need_double(void)
{
    if (sizeof(real) < sizeof(double))
        skip();
}

/* A copy of a name from a table, as an option would have it. */
static char *name_of(char *buffer, const char *name)
{
    snprintf(buffer, 32, "%s", name);
    return buffer;
}

static int placement_count(void)
{
    int count = 0;
    while (placements[count])
        count++;
    return count;
}

/* Placement k of the table, with input feeding if supported. Only one config at a time can use this
 * name. */
static void place(struct attend_network_options *c, int k)
{
    static char name[32];
    const struct placement_ops *placement = placements[k % placement_count()];
    c->placement = name_of(name, placement->name);
    c->input_feeding = placement->feeds;
}

TEST(seq2seq_gradient_of_every_attention_in_every_placement)
{
    need_double();
    const int count = placement_count();
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int k = 0; k < 3 * count; k++) {
            struct attend_network_options c = small();
            char attention[32], what[96];
            c.attention = name_of(attention, (*ops)->name);
            place(&c, k);
            c.heads = k / count == 1 ? 2 : 1;
            c.coverage = k / count == 2;
            if ((c.heads > 1 && !(*ops)->heads) || (c.coverage && !(*ops)->coverage))
                continue;
            snprintf(what, sizeof what, "%s %s heads %d coverage %d", c.attention, c.placement,
                     c.heads, c.coverage);
            check_config(what, &c, 0.2, k < count ? 2 : 1, 5);
        }
}

TEST(seq2seq_gradient_of_every_cell_and_depth)
{
    need_double();
    const int count = placement_count();
    for (const struct cell_ops *const *cell = cells; *cell; cell++)
        for (int k = 0; k < 4 * count; k++) {
            struct attend_network_options c = small();
            char name[32], what[96];
            c.cell = name_of(name, (*cell)->name);
            place(&c, k);
            c.input_feeding = false;
            c.encoder_layers = c.decoder_layers = 1 + (k / count & 1);
            c.residual = c.encoder_layers > 1;
            c.layer_norm = k / count >> 1;
            snprintf(what, sizeof what, "%s %s layers %d norm %d", c.cell, c.placement,
                     c.encoder_layers, c.layer_norm);
            check_config(what, &c, 0.2, 1, 5);
        }
}

/* Batches of long sources use the direct form, in which the layers' gradients meet in the context. */
TEST(seq2seq_gradient_of_skip_links)
{
    need_double();
    const int count = placement_count();
    for (int k = 0; k < 6 * count; k++) {
        static const char *const names[] = {"additive", "dot", "none", "window", "local", "copy"};
        const bool copy = k / count == 5;
        struct attend_network_options c = small();
        char attention[32], what[96];
        if (!placements[k % count]->skips)
            continue;
        place(&c, k);
        c.skip = true;
        c.attention = name_of(attention, copy ? "general" : names[k / count]);
        c.heads = k / count == 1 ? 2 : 1;
        c.copy = copy;
        c.decoder_layers = 3;
        c.residual = k % 2;
        snprintf(what, sizeof what, "skip links, %s %s heads %d", c.attention, c.placement,
                 c.heads);
        check_config(what, &c, 0.2, 1 + k % 3, 5);
    }
}

TEST(seq2seq_gradient_of_starts_readouts_ties_and_directions)
{
    need_double();
    static char starts[][8] = {"zero", "last", "mean", "copy"},
                readouts[][8] = {"linear", "tanh", "maxout"};
    static char ties[][8] = {"none", "target", "all"}, lstm[] = "lstm";
    for (int k = 0; k < 12 * placement_count(); k++) {
        struct attend_network_options c = small();
        char what[96];
        c.start = starts[k % 4];
        c.readout = readouts[k % 3];
        c.tie = ties[k % 12 / 4];
        c.readout_size = k % 12 / 4 ? c.emb : c.readout_size;
        c.source_vocab = k % 12 / 4 == 2 ? c.target_vocab = 13 : c.source_vocab;
        place(&c, k / 12);
        c.unidirectional = k % 5 == 1 || k % 5 == 3;
        c.cell = k % 2 ? lstm : NULL;
        c.encoder_layers = c.decoder_layers = 2;
        snprintf(what, sizeof what, "%s start %s readout %s tie %s one direction %d", c.placement,
                 c.start, c.readout, c.tie, c.unidirectional);
        check_config(what, &c, 0.1, 1, 5);
    }
}

/* Links teach every attention that has weights, in every placement. */
TEST(seq2seq_gradient_of_a_guide_for_every_attention)
{
    need_double();
    const int count = placement_count();
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int k = 0; k < 2 * count && *ops != &attention_none; k++) {
            struct attend_network_options c = small();
            char attention[32], what[96];
            c.attention = name_of(attention, (*ops)->name);
            place(&c, k);
            c.heads = k / count && (*ops)->heads ? 2 : 1;
            c.coverage = k / count && (*ops)->coverage;
            c.copy = k % 2;
            snprintf(what, sizeof what, "guided %s %s heads %d", c.attention, c.placement, c.heads);
            check_guided(what, &c, 0.2, 1 + k % 3, 5, 0.7);
        }
}

/* The sources have words twice (3), words that the target's vocabulary lacks (11, 12), and words
 * that the target has too. */
TEST(seq2seq_gradient_of_copying_with_every_attention)
{
    need_double();
    const int count = placement_count();
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int k = 0; k < 2 * count && *ops != &attention_none; k++) {
            struct attend_network_options c = small();
            char attention[32], what[96];
            c.copy = true;
            c.attention = name_of(attention, (*ops)->name);
            place(&c, k);
            c.heads = k / count && (*ops)->heads ? 2 : 1;
            c.coverage = k / count && (*ops)->coverage;
            snprintf(what, sizeof what, "copying %s %s heads %d", c.attention, c.placement,
                     c.heads);
            check_config(what, &c, 0.2, 1 + k % 3, 5);
        }
}

TEST(seq2seq_gradient_without_dropout_on_three_threads)
{
    need_double();
    const struct attend_network_options c = small();
    check_config("plain", &c, 0, 3, 1000);
}

/* Embeddings that are all 0 get no gradient; of a table the words that were not dropped do. */
static int untouched(const struct embedding *e)
{
    int rows = 0;
    for (int id = 0; id < e->table.rows; id++) {
        bool zero = true;
        for (int i = 0; i < e->table.cols; i++)
            zero = zero && e->table.grad[id * e->table.cols + i] == 0;
        rows += zero;
    }
    return rows;
}

TEST(seq2seq_dropped_words_bring_nothing_and_learn_nothing)
{
    const struct attend_network_options c = small();
    struct fixture f;
    fixture_init(&f, &c, 2);
    fill(&f, ALL, 4);
    run(&f);
    /* Of the 13 source and 11 target words, <unk> is never read, <s> only by the decoder and </s>
     * only by the encoder. */
    assert_int_equal(untouched(&f.model.encoder.embedding), 2);
    assert_int_equal(untouched(f.model.decoder.embedding), 2);
    memset(f.grads, 0, f.model.params.size * sizeof(real));
    f.job.dropout.words = (struct dropout){.rate = 0.5, .key = 5};
    run(&f);
    const int source_dropped = untouched(&f.model.encoder.embedding) - 2;
    const int target_dropped = untouched(f.model.decoder.embedding) - 2;
    assert_true(source_dropped > 0 && source_dropped < 11);
    assert_true(target_dropped > 0 && target_dropped < 9);
    /* Dropping all words gives the loss of zero tables. */
    f.job.loss.gradient = false;
    f.job.dropout.words.rate = 1;
    const double dropped = run(&f);
    f.job.dropout.words.rate = 0;
    memset(f.model.encoder.embedding.table.value, 0, 13 * 5 * sizeof(real));
    memset(f.model.decoder.embedding->table.value, 0, 11 * 5 * sizeof(real));
    assert_true(run(&f) == dropped);
    fixture_release(&f);
}

/* A batch equals its sentences one by one: losses and gradients add up, for any neighbors and
 * lanes. */
static void check_guided_batch(const struct attend_network_options *config, int threads,
                               double guide)
{
    struct fixture together, alone;
    fixture_init(&together, config, threads);
    fixture_init(&alone, config, 1);
    together.job.loss.guide = alone.job.loss.guide = guide;
    fill(&together, ALL, 4);
    together.job.dropout = alone.job.dropout =
        (struct dropouts){.plain = {.rate = 0.2, .key = 3},
                          .recurrent = {.rate = 0.1, .key = 4},
                          .words = {.rate = 0.3, .key = 3}};
    double sum = 0;
    run(&together);
    for (int i = 0; i < 4; i++) {
        fill(&alone, &ALL[i], 1);
        sum += run(&alone);
    }
    const double tolerance = sizeof(real) == sizeof(double) ? 1e-11 : 2e-5;
    assert_near(together.loss, sum, tolerance);
    for (size_t i = 0; i < together.model.params.size; i++)
        assert_near((double)together.grads[i], (double)alone.grads[i], tolerance);
    fixture_release(&together);
    fixture_release(&alone);
}

static void check_batch_equals_singles(const struct attend_network_options *config, int threads)
{
    check_guided_batch(config, threads, 0);
}

/* Check one head's weights in a row. */
static void check_weights(const real *weight, int S, int length)
{
    double sum = 0;
    for (int j = 0; j < S; j++) {
        assert_true(weight[j] >= 0);
        assert_true(j < length || weight[j] == 0);
        sum += (double)weight[j];
    }
    assert_near(sum, 1, 1e-6);
}

static void check_all_weights(const struct attend_network_options *config)
{
    struct fixture f;
    fixture_init(&f, config, 2);
    fill(&f, ALL, 4);
    run(&f);
    const struct batch *b = &f.tape.batch;
    const struct decoder *d = &f.model.decoder;
    const int S = decoder_memory_span(d, b->S), width = decoder_weight_width(d, b->S);
    for (int lane = 0; lane < b->lanes; lane++)
        for (int t = 0; t < b->target[lane].count; t++)
            for (int i = 0; i < b->target[lane].active[t]; i++) {
                const real *weight = f.tape.decoder.weight + (b->target[lane].start[t] + i) * width;
                const int length = b->memory_length[b->target[lane].first + i];
                for (int g = 0; g < width / S; g++)
                    check_weights(weight + g * S, S, S == 1 ? 1 : length);
            }
    fixture_release(&f);
}

TEST(seq2seq_batch_equals_its_sentences_for_every_attention)
{
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int k = 0; k < placement_count(); k++) {
            struct attend_network_options c = small();
            char name[32];
            c.attention = name_of(name, (*ops)->name);
            place(&c, k);
            c.heads = (*ops)->heads ? 2 : 1;
            c.coverage = (*ops)->coverage;
            check_batch_equals_singles(&c, 1 + k % 3);
            if (*ops != &attention_none)
                check_guided_batch(&c, 1 + k % 3, 0.7);
            check_all_weights(&c);
        }
}

TEST(seq2seq_batch_equals_its_sentences_with_copying)
{
    struct attend_network_options c = small();
    c.copy = true;
    check_batch_equals_singles(&c, 3);
}

TEST(seq2seq_batch_equals_its_sentences_for_every_cell)
{
    for (const struct cell_ops *const *cell = cells; *cell; cell++)
        for (int k = 0; k < placement_count(); k++) {
            struct attend_network_options c = small();
            char name[32];
            c.cell = name_of(name, (*cell)->name);
            place(&c, k);
            c.encoder_layers = c.decoder_layers = 2;
            c.residual = c.layer_norm = true;
            check_batch_equals_singles(&c, 2);
        }
}

TEST(seq2seq_same_threads_give_the_same_bytes)
{
    const struct attend_network_options config = small();
    struct fixture a, b;
    fixture_init(&a, &config, 3);
    fixture_init(&b, &config, 3);
    fill(&a, ALL, 4);
    fill(&b, ALL, 4);
    run(&a);
    run(&b);
    assert_memory_equal(a.grads, b.grads, a.model.params.size * sizeof(real));
    assert_true(a.loss == b.loss);
    fixture_release(&a);
    fixture_release(&b);
}
