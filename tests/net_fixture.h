/* A whole model in training on a small batch: its loss and gradients, what finite differences say of them, and whether a
 * batch equals its sentences. */
#ifndef ATTEND_TESTS_NET_FIXTURE_H
#define ATTEND_TESTS_NET_FIXTURE_H

#include "model/seq2seq.h"
#include "nn/gradcheck.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int ALL[] = {0, 1, 2, 3}; /* every batch has four pairs */

/* Small odd sizes, all different, so that a swapped dimension is noticed. What the source and the
 * target consist of is left open. */
static inline struct attend_network_options small_sizes(void)
{
    return (struct attend_network_options){.emb = 5,
                                           .hidden = 6,
                                           .attention_size = 7,
                                           .readout_size = 4,
                                           .positions = 5,
                                           .span = 2,
                                           .gaussians = 2,
                                           .location_filters = 3,
                                           .location_reach = 2};
}

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

/* Biases become something else than 0, and no maxout is near its kink. */
static inline void fixture_nudge(struct fixture *f)
{
    for (size_t i = 0; i < f->model.params.size; i++)
        f->values[i] += (real)(0.1 * sin((double)i + 0.3));
}

static inline void fixture_release(struct fixture *f)
{
    team_free(f->team);
    seq2seq_release(&f->model);
    arena_release(&f->arena);
    free(f->values);
    free(f->grads);
}

static inline void fixture_bind(struct fixture *f, struct arena *arena,
                                const struct batch_text *text)
{
    seq2seq_tape_bind(&f->tape, arena, &f->model, text, team_size(f->team));
    for (int i = 0; i < team_size(f->team); i++)
        gemm_scratch_bind(&f->scratch[i], arena);
}

static inline void fixture_fill(struct fixture *f, const struct batch_text *text)
{
    struct arena counting = {0};
    fixture_bind(f, &counting, text);
    arena_release(&f->arena);
    f->arena = (struct arena){0};
    assert_int_equal(arena_reserve(&f->arena, counting.used, NULL), ATTEND_OK);
    /* NaN everywhere, so that reading before writing is noticed */
    memset(f->arena.block, 0xff, f->arena.size);
    fixture_bind(f, &f->arena, text);
    batch_fill(&f->tape.batch, text);
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

/* Run, and compare at most `most` numbers of each parameter's gradient with finite differences, at
 * different places in each. */
static inline void check_gradients(struct fixture *f, const char *what, size_t most)
{
    run(f);
    f->job.loss.gradient = false;
    for (int i = 0; i < f->model.params.count; i++) {
        const struct param *p = f->model.params.item[i];
        const size_t size = (size_t)p->rows * (size_t)p->cols, count = size < most ? size : most;
        const size_t from = (size - count) * (size_t)(i * 7 % 11) / 10;
        const struct gradcheck_result r = gradcheck(run, f, p->value + from, p->grad + from, count);
        if (!(r.worst <= 1e-6))
            print_error("%s: %s[%zu]: analytic %.9g numeric %.9g\n", what, p->path, r.at,
                        r.analytic, r.numeric);
        assert_true(r.worst <= 1e-6);
    }
}

typedef void fill_fn(struct fixture *, const int *items, int count);

/* The losses and gradients of four sentences add up to those of their batch. */
static inline void check_sum_of_singles(struct fixture *together, struct fixture *alone,
                                        fill_fn *fill_items, double tolerance)
{
    double sum = 0;
    fill_items(together, ALL, 4);
    run(together);
    for (int i = 0; i < 4; i++) {
        fill_items(alone, &ALL[i], 1);
        sum += run(alone);
    }
    assert_near(together->loss, sum, tolerance);
    for (size_t i = 0; i < together->model.params.size; i++)
        assert_near((double)together->grads[i], (double)alone->grads[i], tolerance);
}

static inline void need_double(void)
{
    if (sizeof(real) < sizeof(double))
        skip();
}

#endif
