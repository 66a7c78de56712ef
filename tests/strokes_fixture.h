/* A small network whose target is strokes, and four pairs of a text and a trace. */
#ifndef ATTEND_TESTS_STROKES_FIXTURE_H
#define ATTEND_TESTS_STROKES_FIXTURE_H

#include "net_fixture.h"

#include "base/rng.h"

static inline struct attend_network_options strokes_config(void)
{
    struct attend_network_options c = small_sizes();
    c.source_vocab = 13;
    c.target_width = MIXTURE_STROKE;
    c.mixtures = 3;
    c.stroke_floor = 0.1;
    c.attention = "window";
    return c;
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

static struct strokes_pairs pairs; /* of the fixtures */

static inline void strokes_init(struct fixture *f, const struct attend_network_options *config,
                                int threads)
{
    strokes_pairs_init(&pairs);
    fixture_init(f, config, threads);
    fixture_nudge(f);
}

static inline void strokes_fill(struct fixture *f, const int *items, int count)
{
    fixture_fill(
        f, &(struct batch_text){
               .source = &pairs.source, .target = &pairs.target, .item = items, .count = count});
}

#endif
