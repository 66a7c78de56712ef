#include "nn/projection.h"

#include "base/arena.h"
#include "nn/gradcheck.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { N = 7, D = 3, E = 5, SIZE = D * E + E };

struct fixture {
    struct projection layer;
    struct param_set set;
    real values[SIZE], grads[SIZE], x[N * D], y[N * E], d_y[N * E];
    struct arena arena;
    struct gemm_scratch scratch[3];
    struct team *team;
};

static void bind(struct fixture *f, struct arena *arena)
{
    projection_bind(&f->layer, arena, PACKING_TRAIN);
    for (int i = 0; i < 3; i++)
        gemm_scratch_bind(&f->scratch[i], arena);
}

static void fixture_init(struct fixture *f, int threads)
{
    struct arena counting = {0};
    *f = (struct fixture){.set = {.count = 0}};
    projection_declare(&f->layer, &f->set, "frames", D, E);
    assert_int_equal(f->set.size, SIZE);
    param_bind(&f->set, f->values, f->grads);
    for (int i = 0; i < SIZE; i++)
        f->values[i] = (real)cos(i);
    for (int i = 0; i < N * D; i++)
        f->x[i] = (real)sin(2 * i);
    for (int i = 0; i < N * E; i++)
        f->d_y[i] = (real)sin(3 * i + 1);
    bind(f, &counting);
    assert_int_equal(arena_reserve(&f->arena, counting.used, NULL), ATTEND_OK);
    bind(f, &f->arena);
    assert_int_equal(team_new(&f->team, threads, NULL), ATTEND_OK);
}

static void fixture_release(struct fixture *f)
{
    team_free(f->team);
    arena_release(&f->arena);
}

static void work(struct worker *w, void *argument)
{
    struct fixture *f = argument;
    struct compute c = {.worker = w, .gemm = f->scratch[w->index]};
    projection_pack(&f->layer, &c);
    worker_meet(w);
    projection_forward(&f->layer, &c, view_of(f->x, N, D), view_of(f->y, N, E));
    worker_meet(w);
    projection_backward(&f->layer, &c, view_of(f->x, N, D), view_of(f->d_y, N, E));
}

/* The sum of y d_y, whose gradient the layer gives. */
static double loss(void *argument)
{
    struct fixture *f = argument;
    double sum = 0;
    memset(f->grads, 0, sizeof f->grads);
    team_run(f->team, work, f);
    for (int i = 0; i < N * E; i++)
        sum += (double)f->y[i] * (double)f->d_y[i];
    return sum;
}

TEST(projection_is_its_formula_for_any_team)
{
    for (int threads = 1; threads <= 3; threads++) {
        struct fixture f;
        fixture_init(&f, threads);
        loss(&f);
        for (int i = 0; i < N; i++)
            for (int e = 0; e < E; e++) {
                double y = (double)f.layer.b.value[e];
                for (int d = 0; d < D; d++)
                    y += (double)f.x[i * D + d] * (double)f.layer.W.value[d * E + e];
                assert_near((double)f.y[i * E + e], y, 1e-5);
            }
        fixture_release(&f);
    }
}

TEST(projection_gradient)
{
    struct fixture f;
    real grads[SIZE];
    if (sizeof(real) < sizeof(double))
        skip();
    fixture_init(&f, 2);
    loss(&f);
    memcpy(grads, f.grads, sizeof grads);
    assert_true(gradcheck(loss, &f, f.values, grads, SIZE).worst <= 1e-6);
    fixture_release(&f);
}
