/* A whole model of text on a small batch, its gradient check, and the invariants of batching. */
#ifndef ATTEND_TESTS_SEQ2SEQ_FIXTURE_H
#define ATTEND_TESTS_SEQ2SEQ_FIXTURE_H

#include "model/placement.h"
#include "net_fixture.h"

#include <stdio.h>

static inline struct attend_network_options small(void)
{
    struct attend_network_options c = small_sizes();
    c.source_vocab = 13;
    c.target_vocab = 11;
    return c;
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

static inline void fill(struct fixture *f, const int *items, int count)
{
    fixture_fill(f, &(struct batch_text){.source = &source,
                                         .target = &target,
                                         .item = items,
                                         .count = count,
                                         .links = f->job.loss.guide > 0 ? &links : NULL});
}

static inline void check_guided(const char *what, const struct attend_network_options *config,
                                double rate, int threads, size_t most, double guide)
{
    struct fixture f;
    fixture_init(&f, config, threads);
    f.job.loss.guide = guide;
    fixture_nudge(&f);
    fill(&f, ALL, 4);
    f.job.dropout = (struct dropouts){.plain = {.rate = rate, .key = 7},
                                      .recurrent = {.rate = rate, .key = 9},
                                      .words = {.rate = rate, .key = 7}};
    f.job.loss.smoothing = 0.1;
    check_gradients(&f, what, most);
    fixture_release(&f);
}

static inline void check_config(const char *what, const struct attend_network_options *config,
                                double rate, int threads, size_t most)
{
    check_guided(what, config, rate, threads, most, 0);
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
    together.job.dropout = alone.job.dropout =
        (struct dropouts){.plain = {.rate = 0.2, .key = 3},
                          .recurrent = {.rate = 0.1, .key = 4},
                          .words = {.rate = 0.3, .key = 3}};
    check_sum_of_singles(&together, &alone, fill, sizeof(real) == sizeof(double) ? 1e-11 : 2e-5);
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
