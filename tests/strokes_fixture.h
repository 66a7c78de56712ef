/* A small network whose target is strokes, and four pairs of a text and a trace. */
#ifndef ATTEND_TESTS_STROKES_FIXTURE_H
#define ATTEND_TESTS_STROKES_FIXTURE_H

#include "model/seq2seq.h"

#include "base/rng.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Small odd sizes, all different, so that a swapped dimension is noticed. */
static inline struct attend_network_options strokes_config(void)
{
    return (struct attend_network_options){.source_vocab = 13,
                                           .target_width = MIXTURE_STROKE,
                                           .mixtures = 3,
                                           .stroke_floor = 0.1,
                                           .emb = 5,
                                           .hidden = 6,
                                           .attention_size = 7,
                                           .readout_size = 4,
                                           .attention = "window",
                                           .positions = 5,
                                           .span = 2,
                                           .gaussians = 2};
}

enum { TRACES = 4, STROKES = 13 };

struct strokes_pairs {
    int ids[11];
    size_t source_start[TRACES + 1], target_start[TRACES + 1];
    float rows[STROKES * MIXTURE_STROKE];
    struct sequences source, target;
};

/* Four pairs of different lengths; ids from 3, after the specials. p must not move. */
static inline void strokes_pairs_init(struct strokes_pairs *p)
{
    static const size_t source_start[] = {0, 3, 4, 9, 11}, target_start[] = {0, 2, 7, 10, STROKES};
    for (int i = 0; i < 11; i++)
        p->ids[i] = 3 + i % 10;
    memcpy(p->source_start, source_start, sizeof source_start);
    memcpy(p->target_start, target_start, sizeof target_start);
    for (int i = 0; i < STROKES * MIXTURE_STROKE; i++)
        p->rows[i] = (float)(i % 3 < 2 ? rng_normal(8, (uint64_t)i) : i / 3 % 4 == 1);
    p->source = (struct sequences){.count = TRACES, .start = p->source_start, .ids = p->ids};
    p->target = (struct sequences){
        .count = TRACES, .start = p->target_start, .width = MIXTURE_STROKE, .rows = p->rows};
}

struct strokes_fixture {
    struct strokes_pairs pairs;
    struct seq2seq model;
    struct seq2seq_tape tape;
    struct arena arena;
    struct team *team;
    real *values, *grads;
    struct gemm_scratch scratch[4];
    struct seq2seq_job job;
    double loss;
};

static inline void strokes_init(struct strokes_fixture *f,
                                const struct attend_network_options *config, int threads)
{
    struct attend_error err;
    *f = (struct strokes_fixture){.job = {.loss = {.scale = 1, .gradient = true}}};
    strokes_pairs_init(&f->pairs);
    assert_int_equal(team_new(&f->team, threads, &err), ATTEND_OK);
    assert_int_equal(seq2seq_init(&f->model, config, PACKING_TRAIN, &err), ATTEND_OK);
    f->values = calloc(f->model.params.size, sizeof(real));
    f->grads = calloc(f->model.params.size, sizeof(real));
    param_bind(&f->model.params, f->values, f->grads);
    assert_int_equal(param_initialize(&f->model.params, 1, &err), ATTEND_OK);
    for (size_t i = 0; i < f->model.params.size; i++) /* biases too, and no maxout near its kink */
        f->values[i] += (real)(0.1 * sin((double)i + 0.3));
}

static inline void strokes_release(struct strokes_fixture *f)
{
    team_free(f->team);
    seq2seq_release(&f->model);
    arena_release(&f->arena);
    free(f->values);
    free(f->grads);
}

static inline void strokes_bind(struct strokes_fixture *f, struct arena *arena,
                                const struct batch_text *text)
{
    seq2seq_tape_bind(&f->tape, arena, &f->model, text, team_size(f->team));
    for (int i = 0; i < team_size(f->team); i++)
        gemm_scratch_bind(&f->scratch[i], arena);
}

static inline void strokes_fill(struct strokes_fixture *f, const int *items, int count)
{
    const struct batch_text text = {
        .source = &f->pairs.source, .target = &f->pairs.target, .item = items, .count = count};
    struct arena counting = {0};
    strokes_bind(f, &counting, &text);
    arena_release(&f->arena);
    f->arena = (struct arena){0};
    assert_int_equal(arena_reserve(&f->arena, counting.used, NULL), ATTEND_OK);
    /* NaN everywhere, so that reading before writing is noticed */
    memset(f->arena.block, 0xff, f->arena.size);
    strokes_bind(f, &f->arena, &text);
    batch_fill(&f->tape.batch, &text);
}

static inline void strokes_worker(struct worker *w, void *job)
{
    struct strokes_fixture *f = job;
    struct compute c = {.worker = w, .gemm = f->scratch[w->index]};
    seq2seq_pack(&f->model, &c);
    const double loss = seq2seq_run(&f->model, &f->tape, &c, &f->job);
    if (w->index == 0)
        f->loss = loss;
}

static inline double strokes_run(void *context)
{
    struct strokes_fixture *f = context;
    team_run(f->team, strokes_worker, f);
    return f->loss;
}

#endif
