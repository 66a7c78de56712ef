/* Each optimizer against its formula and PyTorch, and properties of all optimizers. */
#include "optimizer_fixture.h"

/* ---- Each against its formula, and against PyTorch ---- */

/* One element, in plain double. */
struct plain {
    double w, state[2];
    double lr, decay, momentum;
};

static void plain_sgd(struct plain *p, double g, int t)
{
    (void)t;
    p->state[0] = p->momentum * p->state[0] + g + p->decay * p->w;
    p->w -= p->lr * p->state[0];
}

static void plain_adadelta(struct plain *p, double g, int t)
{
    (void)t;
    g += p->decay * p->w;
    p->state[0] = 0.95 * p->state[0] + 0.05 * g * g;
    const double step = g * sqrt((p->state[1] + 1e-6) / (p->state[0] + 1e-6));
    p->state[1] = 0.95 * p->state[1] + 0.05 * step * step;
    p->w -= p->lr * step;
}

/* A step of Adam as in the paper, from a gradient that may include decay. */
static void adam_step(struct plain *p, double g, int t)
{
    p->state[0] = 0.9 * p->state[0] + 0.1 * g;
    p->state[1] = 0.999 * p->state[1] + 0.001 * g * g;
    const double m = p->state[0] / (1 - pow(0.9, t)), v = p->state[1] / (1 - pow(0.999, t));
    p->w -= p->lr * m / (sqrt(v) + 1e-8);
}

static void plain_adam(struct plain *p, double g, int t) { adam_step(p, g + p->decay * p->w, t); }

static void plain_adamw(struct plain *p, double g, int t)
{
    p->w -= p->lr * p->decay * p->w;
    adam_step(p, g, t);
}

typedef void plain_fn(struct plain *, double g, int t);
static const struct {
    const struct optimizer_ops *ops;
    plain_fn *step;
} PLAIN[] = {
    {&optimizer_sgd, plain_sgd},
    {&optimizer_adadelta, plain_adadelta},
    {&optimizer_adam, plain_adam},
    {&optimizer_adamw, plain_adamw},
};

static plain_fn *plain_of(const struct optimizer_ops *ops)
{
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++)
        if (PLAIN[i].ops == ops)
            return PLAIN[i].step;
    fail_msg("%s has no plain formula in this test", ops->name);
    return NULL;
}

static void check_formula(const struct optimizer_ops *ops, double decay, double momentum)
{
    struct fixture f;
    plain_fn *plain_step = plain_of(ops);
    fixture_init(&f, ops, 37, 1);
    f.optimizer.weight_decay = decay;
    f.optimizer.momentum = momentum;
    for (int t = 0; t < 10; t++)
        step(&f);
    assert_int_equal(f.optimizer.step, 10);
    for (size_t i = 0; i < f.n; i++) {
        struct plain p = {(double)(real)rng_normal(1, i), {0}, f.lr, decay, momentum};
        for (int t = 1; t <= 10; t++)
            plain_step(&p, (double)(real)gradient_at(i, t - 1), t);
        assert_near((double)f.values[i], p.w, EXACT ? 1e-13 : 1e-6);
    }
    fixture_release(&f);
}

TEST(optimizer_help_says_its_learning_rate)
{
    char rate[64];
    for (int o = 0; optimizers[o]; o++) {
        snprintf(rate, sizeof rate, "learning rate %g", optimizers[o]->lr);
        assert_non_null(strstr(optimizers[o]->help, rate));
    }
}

TEST(optimizer_matches_its_formula)
{
    for (int o = 0; optimizers[o]; o++) {
        check_formula(optimizers[o], 0, 0);
        check_formula(optimizers[o], 0, 0.9);
        check_formula(optimizers[o], 0.3, 0);
        check_formula(optimizers[o], 0.3, 0.9);
    }
}

/* Made by PyTorch 1.13 in float64: five steps from START with w.grad[i] = sin(i + 2 t), t = 0..4,
 * of torch.optim.SGD([w], lr=0.1, momentum=momentum, weight_decay=decay) torch.optim.Adadelta([w],
 * lr=1, rho=0.95, eps=1e-6, weight_decay=decay) torch.optim.Adam([w], lr=0.01, weight_decay=decay)
 *     torch.optim.AdamW([w], lr=0.01, weight_decay=decay) */
static const double START[5] = {0.5, -1.25, 2, 0.03, -0.7};
static const struct torch_case {
    const struct optimizer_ops *ops;
    double lr, decay, momentum;
    double end[5];
} TORCH[] = {
    {&optimizer_sgd,
     0.1,
     0,
     0,
     {0.413756232005779, -1.359277180216517, 1.968158343094716, 0.1048689389193429,
      -0.5872546224226722}},
    {&optimizer_sgd,
     0.1,
     0,
     0.9,
     {0.3465392111385543, -1.549292777607505, 1.830043633119415, 0.1456371437624019,
      -0.4050856022817524}},
    {&optimizer_sgd,
     0.1,
     0.1,
     0.9,
     {0.2873677438737879, -1.376252161027619, 1.581897573924996, 0.1384809668398023,
      -0.3273869212942205}},
    {&optimizer_adadelta,
     1,
     0,
     0,
     {0.4964608307128096, -1.256957986614558, 1.9995625322, 0.03006986175952926,
      -0.6917230904074716}},
    {&optimizer_adadelta,
     1,
     0.1,
     0,
     {0.4897201173480562, -1.254333801021419, 1.995741026236689, 0.03001954166014814,
      -0.6905515920586167}},
    {&optimizer_adam,
     0.01,
     0,
     0,
     {0.4905540348875133, -1.272405784676406, 1.987324720021773, 0.02775265085651482,
      -0.676556952734168}},
    {&optimizer_adam,
     0.01,
     0.1,
     0,
     {0.4780766348369243, -1.266195404161224, 1.977711788118097, 0.02761410762353942,
      -0.6736443423211286}},
    {&optimizer_adamw,
     0.01,
     0,
     0,
     {0.4905540348875133, -1.272405784676406, 1.987324720021773, 0.02775265085651482,
      -0.676556952734168}},
    {&optimizer_adamw,
     0.01,
     0.1,
     0,
     {0.4880809247135143, -1.266104229012567, 1.977386369030131, 0.02762429175269856,
      -0.6731310103552132}},
};

static void check_torch(const struct torch_case *c)
{
    struct fixture f;
    fixture_init(&f, c->ops, 5, 1);
    f.lr = c->lr;
    f.optimizer.weight_decay = c->decay;
    f.optimizer.momentum = c->momentum;
    for (int i = 0; i < 5; i++)
        f.values[i] = (real)START[i];
    for (int t = 0; t < 5; t++) {
        for (int i = 0; i < 5; i++)
            f.grads[i] = (real)sin(i + 2 * t);
        team_run(f.team, step_worker, &f);
    }
    for (int i = 0; i < 5; i++)
        assert_near((double)f.values[i], c->end[i], EXACT ? 1e-14 : 1e-6);
    fixture_release(&f);
}

TEST(optimizer_matches_pytorch)
{
    for (int o = 0; optimizers[o]; o++) {
        int cases = 0;
        for (size_t i = 0; i < sizeof TORCH / sizeof *TORCH; i++)
            if (TORCH[i].ops == optimizers[o]) {
                check_torch(&TORCH[i]);
                cases++;
            }
        assert_true(cases >= 2);
    }
}

/* With eps = 1e-8 a tiny gradient still moves a weight by about lr, and a gradient of 0 does
 * not. */
TEST(adam_first_step_is_the_rate_whatever_the_size)
{
    static const double sizes[] = {1e-3, -1e-3, 1, -100, 1e6, 0};
    struct fixture f;
    fixture_init(&f, &optimizer_adam, 6, 1);
    for (int i = 0; i < 6; i++) {
        f.values[i] = 1;
        f.grads[i] = (real)sizes[i];
    }
    team_run(f.team, step_worker, &f);
    for (int i = 0; i < 6; i++) {
        const double sign = sizes[i] > 0 ? 1 : sizes[i] < 0 ? -1 : 0;
        assert_near((double)f.values[i], 1 - 0.01 * sign, 1e-6);
    }
    fixture_release(&f);
}

/* ---- Every optimizer ---- */

TEST_LEVELS(optimizer_levels_agree)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f[2];
        for (int level = 0; level < 2; level++) {
            fixture_init(&f[level], optimizers[o], 101, 1);
            f[level].optimizer.weight_decay = 0.1;
            simd_cap(level ? high : SIMD_PLAIN);
            for (int t = 0; t < 3; t++)
                step(&f[level]);
        }
        simd_cap(SIMD_LEVELS);
        for (size_t i = 0; i < 101; i++)
            assert_near((double)f[1].values[i], (double)f[0].values[i], EXACT ? 1e-14 : 1e-5);
        assert_near(f[1].optimizer.norm, f[0].optimizer.norm, 1e-12);
        fixture_release(&f[0]);
        fixture_release(&f[1]);
    }
}

/* sum_i (i + 1) (w_i - i / 2)^2 / 2; fills the gradient. */
static double quadratic(struct fixture *f)
{
    double loss = 0;
    for (size_t i = 0; i < f->n; i++) {
        const double off = (double)f->values[i] - 0.5 * (double)i, steep = (double)(i + 1);
        f->grads[i] = (real)(steep * off);
        loss += 0.5 * steep * off * off;
    }
    return loss;
}

TEST(optimizer_with_its_own_rate_minimizes_a_quadratic)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f;
        fixture_init(&f, optimizers[o], 5, 1);
        f.lr = optimizers[o]->lr;
        f.optimizer.momentum = 0.9;
        assert_true(quadratic(&f) > 3);
        for (int t = 0; t < 10000; t++) { /* Adam moves by 0.001 per step */
            quadratic(&f);
            team_run(f.team, step_worker, &f);
        }
        assert_true(quadratic(&f) < 1e-4);
        fixture_release(&f);
    }
}

/* With a gradient of 0 only the decay acts, and moves every weight toward 0. */
TEST(optimizer_weight_decay_shrinks_weights)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f;
        fixture_init(&f, optimizers[o], 37, 1);
        f.optimizer.weight_decay = 0.1;
        team_run(f.team, step_worker, &f);
        assert_true(f.optimizer.norm == 0); /* the norm does not include the decay */
        for (size_t i = 0; i < f.n; i++) {
            const double before = rng_normal(1, i), after = (double)f.values[i];
            assert_true(fabs(after) < fabs(before));
        }
        fixture_release(&f);
    }
}

TEST(adamw_without_decay_is_adam)
{
    struct fixture f[2];
    fixture_init(&f[0], &optimizer_adam, 37, 1);
    fixture_init(&f[1], &optimizer_adamw, 37, 1);
    for (int i = 0; i < 2; i++)
        for (int t = 0; t < 3; t++)
            step(&f[i]);
    assert_memory_equal(f[0].values, f[1].values, 37 * sizeof(real));
    fixture_release(&f[0]);
    fixture_release(&f[1]);
}

TEST(optimizer_settings_start_at_zero_and_survive_a_reset)
{
    struct fixture f;
    fixture_init(&f, &optimizer_sgd, 5, 1);
    assert_true(f.optimizer.weight_decay == 0 && f.optimizer.momentum == 0);
    f.optimizer.weight_decay = 0.2;
    f.optimizer.momentum = 0.5;
    optimizer_reset(&f.optimizer, f.values);
    assert_true(f.optimizer.weight_decay == 0.2 && f.optimizer.momentum == 0.5);
    fixture_release(&f);
}

TEST(optimizer_find_knows_the_table_and_nothing_else)
{
    assert_ptr_equal(optimizer_find("adam"), &optimizer_adam);
    for (int i = 0; optimizers[i]; i++) {
        assert_ptr_equal(optimizer_find(optimizers[i]->name), optimizers[i]);
        assert_true(optimizers[i]->states >= 0 && optimizers[i]->states <= 2);
        assert_true(optimizers[i]->lr > 0);
        assert_true(optimizers[i]->help[0] != '\0');
    }
    assert_null(optimizer_find("Adam"));
    assert_null(optimizer_find(""));
}

TEST(optimizer_first_step_goes_downhill)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f;
        fixture_init(&f, optimizers[o], 37, 1);
        real before[37];
        memcpy(before, f.values, sizeof before);
        step(&f);
        for (size_t i = 0; i < 37; i++)
            assert_true(((double)f.values[i] - (double)before[i]) * gradient_at(i, 0) < 0);
        fixture_release(&f);
    }
}

/* After a reset, a run repeats itself bit for bit. */
TEST(optimizer_reset_starts_again)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f;
        real first[37];
        fixture_init(&f, optimizers[o], 37, 1);
        for (int t = 0; t < 3; t++)
            step(&f);
        memcpy(first, f.values, sizeof first);
        optimizer_reset(&f.optimizer, f.values);
        assert_int_equal(f.optimizer.step, 0);
        for (size_t i = 0; i < 37; i++)
            f.values[i] = (real)rng_normal(1, i);
        for (int t = 0; t < 3; t++)
            step(&f);
        assert_memory_equal(f.values, first, sizeof first);
        fixture_release(&f);
    }
}

TEST(optimizer_step_sets_the_gradient_to_zero)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f;
        fixture_init(&f, optimizers[o], LARGE, 2);
        step(&f);
        for (size_t i = 0; i < f.n; i++)
            assert_true(f.grads[i] == 0);
        fixture_release(&f);
    }
}

TEST(optimizer_does_not_depend_on_the_number_of_threads)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f[3];
        for (int i = 0; i < 3; i++) {
            fixture_init(&f[i], optimizers[o], LARGE, i + 1);
            f[i].clip = 50;
            f[i].optimizer.weight_decay = 0.1;
            f[i].optimizer.momentum = 0.9;
            for (int t = 0; t < 3; t++)
                step(&f[i]);
        }
        for (int i = 1; i < 3; i++) {
            assert_true(f[i].optimizer.norm == f[0].optimizer.norm);
            assert_memory_equal(f[i].values, f[0].values, LARGE * sizeof(real));
            for (int s = 0; s < optimizers[o]->states; s++)
                assert_memory_equal(f[i].optimizer.state[s], f[0].optimizer.state[s],
                                    LARGE * sizeof(real));
        }
        for (int i = 0; i < 3; i++)
            fixture_release(&f[i]);
    }
}
