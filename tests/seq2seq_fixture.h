/* A whole model of text on a small batch, its gradient check, and the invariants of batching. */
#ifndef ATTEND_TESTS_SEQ2SEQ_FIXTURE_H
#define ATTEND_TESTS_SEQ2SEQ_FIXTURE_H

#include "model/placement.h"
#include "model/seq2seq.h"
#include "nn/gradcheck.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small odd sizes, all different, so that a swapped dimension is noticed. */
static inline struct attend_network_options small(void)
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
/* Links (source, target) of these pairs: several for one word, none for others, and none in the last
 * pair. */
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

static inline void fixture_init(struct fixture *f, const struct attend_network_options *config,
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

static inline void fixture_release(struct fixture *f)
{
    team_free(f->team);
    seq2seq_release(&f->model);
    arena_release(&f->arena);
    free(f->values);
    free(f->grads);
}

static inline void bind(struct fixture *f, struct arena *arena, const struct batch_text *text)
{
    seq2seq_tape_bind(&f->tape, arena, &f->model, text, team_size(f->team));
    for (int i = 0; i < team_size(f->team); i++)
        gemm_scratch_bind(&f->scratch[i], arena);
}

static inline void fill(struct fixture *f, const int *items, int count)
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

static inline void run_worker(struct worker *w, void *job)
{
    struct fixture *f = job;
    struct compute c = {.worker = w, .gemm = f->scratch[w->index]};
    seq2seq_pack(&f->model, &c);
    const double loss = seq2seq_run(&f->model, &f->tape, &c, &f->job);
    if (w->index == 0)
        f->loss = loss;
}

static inline double run(void *context)
{
    struct fixture *f = context;
    team_run(f->team, run_worker, f);
    return f->loss;
}

static const int ALL[] = {0, 1, 2, 3};

/* Checks at most `most` numbers of each parameter, at different places in each. */
static inline void check_guided(const char *what, const struct attend_network_options *config,
                                double rate, int threads, size_t most, double guide)
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

static inline void check_config(const char *what, const struct attend_network_options *config,
                                double rate, int threads, size_t most)
{
    check_guided(what, config, rate, threads, most, 0);
}

static inline void need_double(void)
{
    if (sizeof(real) < sizeof(double))
        skip();
}

/* A copy of a name from a table, as an option would have it. */
static inline char *name_of(char *buffer, const char *name)
{
    snprintf(buffer, 32, "%s", name);
    return buffer;
}

static inline int placement_count(void)
{
    int count = 0;
    while (placements[count])
        count++;
    return count;
}

/* Placement k of the table, with input feeding if supported. Only one config at a time can use this
 * name. */
static inline void place(struct attend_network_options *c, int k)
{
    static char name[32];
    const struct placement_ops *placement = placements[k % placement_count()];
    c->placement = name_of(name, placement->name);
    c->input_feeding = placement->feeds;
}

/* A batch equals its sentences one by one: losses and gradients add up, for any neighbors and
 * lanes. */
static inline void check_guided_batch(const struct attend_network_options *config, int threads,
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

static inline void check_batch_equals_singles(const struct attend_network_options *config,
                                              int threads)
{
    check_guided_batch(config, threads, 0);
}

/* The same number of threads gives the same bytes. */
static inline void check_same_bytes(const struct attend_network_options *config)
{
    struct fixture a, b;
    fixture_init(&a, config, 3);
    fixture_init(&b, config, 3);
    fill(&a, ALL, 4);
    fill(&b, ALL, 4);
    run(&a);
    run(&b);
    assert_memory_equal(a.grads, b.grads, a.model.params.size * sizeof(real));
    assert_true(a.loss == b.loss);
    fixture_release(&a);
    fixture_release(&b);
}

#endif
