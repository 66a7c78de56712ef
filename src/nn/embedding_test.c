#include "nn/embedding.h"

#include "nn/gradcheck.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All sizes differ; wide enough for three members to have columns of their own. */
enum { V = 6, E = 37, N = 9, STRIDE = E + 2 };
static const int IDS[N] = {3, 0, 5, 3, 3, 1, 5, 0, 3}; /* 2 and 4 never occur */

struct fixture {
    struct embedding layer;
    struct param_set set;
    real values[V * E], grads[V * E];
    real out[N * STRIDE], d_out[N * STRIDE];
};

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){0};
    embedding_declare(&f->layer, &f->set, "source.embedding", V, E);
    param_bind(&f->set, f->values, f->grads);
    assert_int_equal(param_initialize(&f->set, 1, NULL), ATTEND_OK);
    for (int i = 0; i < N * STRIDE; i++) {
        f->out[i] = 77;
        f->d_out[i] = (real)sin(1 + i);
    }
}

static void forward(struct worker *w, void *job)
{
    struct fixture *f = job;
    struct compute c = {.worker = w};
    embedding_forward(&f->layer, &c, IDS, view_strided(f->out, N, E, STRIDE));
}

static void backward(struct worker *w, void *job)
{
    struct fixture *f = job;
    struct compute c = {.worker = w};
    embedding_backward(&f->layer, &c, IDS, view_strided(f->d_out, N, E, STRIDE));
}

static void on_team(int threads, team_fn *fn, struct fixture *f)
{
    struct team *team;
    assert_int_equal(team_new(&team, threads, NULL), ATTEND_OK);
    team_run(team, fn, f);
    team_free(team);
}

TEST(embedding_declares_a_table_of_unit_rows)
{
    struct fixture f;
    fixture_init(&f);
    assert_string_equal(f.layer.table.path, "source.embedding.table");
    assert_int_equal(f.layer.table.rows, V);
    assert_int_equal(f.layer.table.cols, E);
    double squares = 0; /* deviation 1 / sqrt(E): the expected square of a row is 1 */
    for (int i = 0; i < V * E; i++)
        squares += (double)f.values[i] * (double)f.values[i];
    assert_near(squares / V, 1, 3 * sqrt(2.0 / (V * E)));
}

TEST(embedding_forward_copies_the_rows_of_its_ids)
{
    for (int threads = 1; threads <= 3; threads++) {
        struct fixture f;
        fixture_init(&f);
        on_team(threads, forward, &f);
        for (int i = 0; i < N; i++) {
            assert_memory_equal(f.out + i * STRIDE, f.values + IDS[i] * E, E * sizeof(real));
            for (int e = E; e < STRIDE; e++)
                assert_true(f.out[i * STRIDE + e] == 77);
        }
    }
}

TEST(embedding_backward_adds_up_every_occurrence)
{
    for (int threads = 1; threads <= 3; threads++) {
        struct fixture f;
        fixture_init(&f);
        for (int i = 0; i < V * E; i++)
            f.grads[i] = (real)i;
        on_team(threads, backward, &f);
        for (int v = 0; v < V; v++)
            for (int e = 0; e < E; e++) {
                real want = (real)(v * E + e); /* the previous value is kept */
                for (int i = 0; i < N; i++)
                    want += IDS[i] == v ? f.d_out[i * STRIDE + e] : 0;
                assert_true(f.grads[v * E + e] == want);
            }
    }
}

static double weighted_sum(void *context)
{
    struct fixture *f = context;
    struct worker alone = worker_alone();
    forward(&alone, f);
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int e = 0; e < E; e++)
            sum += (double)f->out[i * STRIDE + e] * (double)f->d_out[i * STRIDE + e];
    return sum;
}

TEST(embedding_backward_matches_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    struct fixture f;
    fixture_init(&f);
    on_team(3, backward, &f);
    assert_true(gradcheck(weighted_sum, &f, f.values, f.grads, V * E).worst <= 1e-6);
}
