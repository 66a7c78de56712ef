#include "nn/param.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOUND = 4096 };

/* A set and its vectors. Guards around the values detect writes outside them. */
struct fixture {
    struct param_set set;
    struct param p[8];
    real values[BOUND + 2], grads[BOUND];
};

static const real GUARD = (real)12345;

static struct param *declare(struct fixture *f, const char *path, const char *name, int rows,
                             int cols)
{
    struct param *p = &f->p[f->set.count];
    param_declare(&f->set, p, path, name, rows, cols);
    return p;
}

static void initialize(struct fixture *f, uint64_t seed)
{
    assert_true(f->set.size <= BOUND);
    f->values[0] = f->values[f->set.size + 1] = GUARD;
    param_bind(&f->set, f->values + 1, f->grads);
    assert_int_equal(param_initialize(&f->set, seed, NULL), ATTEND_OK);
    assert_true(f->values[0] == GUARD && f->values[f->set.size + 1] == GUARD);
}

/* ---- The flat vectors ---- */

TEST(param_declare_records_path_and_shape)
{
    struct fixture f = {0};
    const struct param *a = declare(&f, "encoder.forward", "W_input", 3, 5);
    const struct param *b = declare(&f, "encoder.forward", "bias", 1, 7);
    assert_string_equal(a->path, "encoder.forward.W_input");
    assert_string_equal(b->path, "encoder.forward.bias");
    assert_int_equal(a->rows, 3);
    assert_int_equal(a->cols, 5);
    assert_int_equal(f.set.count, 2);
    assert_int_equal(f.set.size, 22);
    assert_int_equal(a->init, PARAM_ZERO);
    assert_null(a->value);
    assert_null(a->grad);
}

TEST(param_bind_lays_parameters_end_to_end_in_order_of_declaration)
{
    struct fixture f = {0};
    const int shape[][2] = {{3, 5}, {1, 7}, {2, 2}, {1, 1}, {11, 4}};
    for (int i = 0; i < 5; i++)
        declare(&f, "p", (char[]){(char)('a' + i), 0}, shape[i][0], shape[i][1]);
    param_bind(&f.set, f.values, f.grads);
    ptrdiff_t at = 0;
    for (int i = 0; i < 5; i++) {
        assert_ptr_equal(f.set.item[i], &f.p[i]);
        assert_ptr_equal(f.p[i].value, f.values + at);
        assert_ptr_equal(f.p[i].grad, f.grads + at);
        at += (ptrdiff_t)shape[i][0] * shape[i][1];
    }
    assert_int_equal(f.set.size, at);
    const struct view v = param_view(&f.p[0]), g = param_grad(&f.p[0]);
    assert_ptr_equal(v.at, f.p[0].value);
    assert_ptr_equal(g.at, f.p[0].grad);
    assert_true(v.rows == 3 && v.cols == 5 && v.row == 5 && v.col == 1);
}

TEST(param_bind_without_gradients_leaves_them_null)
{
    struct fixture f = {0};
    const struct param *a = declare(&f, "p", "a", 2, 3), *b = declare(&f, "p", "b", 2, 3);
    param_bind(&f.set, f.values, NULL);
    assert_ptr_equal(b->value, f.values + 6);
    assert_null(a->grad);
    assert_null(b->grad);
}

/* ---- Initialization ---- */

TEST(param_initialize_zero_overwrites_what_was_there)
{
    struct fixture f = {0};
    const struct param *p = declare(&f, "p", "b", 1, 37);
    memset(f.values, 0xff, sizeof f.values);
    initialize(&f, 1);
    for (int i = 0; i < 37; i++)
        assert_true(p->value[i] == 0);
}

TEST(param_initialize_normal_has_the_asked_deviation)
{
    struct fixture f = {0};
    struct param *p = declare(&f, "p", "W", 60, 50);
    param_start(p, PARAM_NORMAL, 0.25);
    initialize(&f, 1);
    const int n = 3000;
    double sum = 0, squares = 0;
    int beyond = 0;
    for (int i = 0; i < n; i++) {
        const double x = (double)p->value[i];
        sum += x;
        squares += x * x;
        beyond += fabs(x) > 0.5;
    }
    /* three standard errors of each estimate */
    assert_near(sum / n, 0, 3 * 0.25 / sqrt(n));
    assert_near(sqrt(squares / n), 0.25, 3 * 0.25 / sqrt(2.0 * n));
    assert_near((double)beyond / n, 0.0455, 3 * sqrt(0.0455 / n)); /* beyond two deviations */
}

TEST(param_initialize_uniform_fills_its_range)
{
    struct fixture f = {0};
    struct param *p = declare(&f, "p", "W", 50, 40);
    param_start(p, PARAM_UNIFORM, 0.1);
    initialize(&f, 1);
    double low = 1, high = -1, sum = 0;
    for (int i = 0; i < 2000; i++) {
        low = fmin(low, (double)p->value[i]);
        high = fmax(high, (double)p->value[i]);
        sum += (double)p->value[i];
    }
    assert_true(low >= -0.1000001 && low < -0.099);
    assert_true(high <= 0.1000001 && high > 0.099);
    assert_near(sum / 2000, 0, 3 * 0.1 / sqrt(3.0 * 2000));
}

/* The dot product of rows `a` and `b` of a block. */
static double rows_product(const struct param *p, int block, int a, int b)
{
    const int n = p->rows;
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += (double)p->value[a * p->cols + block * n + k] *
               (double)p->value[b * p->cols + block * n + k];
    return sum;
}

static void check_orthogonal(int n, int blocks, double scale)
{
    struct fixture f = {0};
    struct param *p = declare(&f, "p", "U", n, n * blocks);
    param_start(p, PARAM_ORTHOGONAL, scale);
    initialize(&f, 1);
    for (int block = 0; block < blocks; block++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                assert_near(rows_product(p, block, a, b), a == b ? scale * scale : 0,
                            sizeof(real) == sizeof(double) ? 1e-10 : 1e-6);
    for (int block = 1; block < blocks; block++)
        assert_true(p->value[0] != p->value[block * n]); /* blocks differ */
}

TEST(param_initialize_orthogonal_blocks_are_orthonormal)
{
    check_orthogonal(1, 1, 1);
    check_orthogonal(7, 3, 1);
    check_orthogonal(37, 2, 1);
    check_orthogonal(7, 3, 0.5);
}

TEST(param_initialize_orthogonal_is_not_one_fixed_direction)
{
    struct fixture f = {0};
    struct param *p = declare(&f, "p", "U", 20, 20);
    param_start(p, PARAM_ORTHOGONAL, 1);
    initialize(&f, 1);
    double trace = 0;
    for (int i = 0; i < 20; i++) {
        trace += (double)p->value[i * 21];
        assert_true(fabs((double)p->value[i * 21]) < 0.999); /* far from the identity */
    }
    assert_true(fabs(trace) < 4); /* for a random orthogonal matrix the trace is about standard
                                   * normal */
}

/* The same path gives the same values, whatever other parameters the set has. */
TEST(param_initialize_depends_on_seed_and_path_alone)
{
    static const enum param_init kinds[] = {PARAM_NORMAL, PARAM_UNIFORM, PARAM_ORTHOGONAL};
    for (int k = 0; k < 3; k++) {
        struct fixture alone = {0}, among = {0}, other_seed = {0};
        struct param *a = declare(&alone, "x.y", "W", 5, 10);
        struct param *first = declare(&among, "x.y", "V", 5, 10);
        declare(&among, "x", "b", 1, 3);
        struct param *b = declare(&among, "x.y", "W", 5, 10);
        struct param *c = declare(&other_seed, "x.y", "W", 5, 10);
        struct param *const all[] = {a, first, b, c};
        for (int i = 0; i < 4; i++)
            param_start(all[i], kinds[k], 1);
        initialize(&alone, 3);
        initialize(&among, 3);
        initialize(&other_seed, 4);
        assert_memory_equal(a->value, b->value, 50 * sizeof(real));
        for (int i = 0; i < 50; i++) {
            assert_true(a->value[i] != first->value[i]);
            assert_true(a->value[i] != c->value[i]);
        }
    }
}
