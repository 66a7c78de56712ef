/* Updates: several batches per update, weight averages, scheduled sampling, and sums over
 * processes. */
#include "train/update.h"

#include "tensor/bf16.h"
#include "test.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ids[] = {3, 4, 5, 6, 7, 8, 3, 5, 7, 4};
static size_t start[] = {0, 2, 5, 6, 10};
static const struct sequences text = {.count = 4, .start = start, .ids = ids};
static const int items[] = {0, 1, 2, 3};
static const double WORDS = 14; /* of the four pairs, including </s> */
static const struct attend_network_options config = {.source_vocab = 9,
                                                     .target_vocab = 9,
                                                     .emb = 4,
                                                     .hidden = 6,
                                                     .attention_size = 5,
                                                     .readout_size = 3};

struct fixture {
    struct seq2seq net;
    struct team *team;
    real *values, *grads;
    struct updater updater;
};

static void fixture_init_in(struct fixture *f, double average_decay, const struct attend_comm *comm,
                            bool bf16)
{
    const struct batch_text all = {&text, &text, items, 4, NULL};
    *f = (struct fixture){0};
    assert_int_equal(team_new(&f->team, 2, NULL), ATTEND_OK);
    assert_int_equal(seq2seq_init(&f->net, &config, PACKING_TRAIN, NULL), ATTEND_OK);
    f->values = calloc(f->net.params.size, sizeof(real));
    f->grads = calloc(f->net.params.size, sizeof(real));
    param_bind(&f->net.params, f->values, f->grads);
    assert_int_equal(param_initialize(&f->net.params, 1, NULL), ATTEND_OK);
    const struct updater_parts parts = {.net = &f->net,
                                        .team = f->team,
                                        .values = f->values,
                                        .grads = f->grads,
                                        .optimizer = &optimizer_sgd,
                                        .average_decay = average_decay,
                                        .bf16 = bf16,
                                        .comm = comm};
    assert_int_equal(updater_init(&f->updater, &parts, NULL), ATTEND_OK);
    assert_int_equal(updater_reserve(&f->updater, updater_measure(&f->updater, &all), NULL),
                     ATTEND_OK);
}

static void fixture_init(struct fixture *f, double average_decay, const struct attend_comm *comm)
{
    fixture_init_in(f, average_decay, comm, false);
}

static void fixture_release(struct fixture *f)
{
    updater_release(&f->updater);
    seq2seq_release(&f->net);
    team_free(f->team);
    free(f->values);
    free(f->grads);
}

static const struct update_settings plain = {.lr = 0.1, .clip = 1, .words = WORDS};

static void assert_like(const struct fixture *a, const struct fixture *b)
{
    for (size_t i = 0; i < a->net.params.size; i++)
        assert_near((double)a->values[i], (double)b->values[i], 1e-6);
}

TEST(update_of_batches_taken_together_is_that_of_one_large_batch)
{
    struct fixture one, parts;
    fixture_init(&one, 0, NULL);
    fixture_init(&parts, 0, NULL);
    const struct batch_text all = {&text, &text, items, 4, NULL},
                            some[] = {{&text, &text, items, 1, NULL},
                                      {&text, &text, items + 1, 3, NULL}};
    for (int i = 0; i < 3; i++) {
        const double a = updater_update(&one.updater, &all, 1, &plain),
                     b = updater_update(&parts.updater, some, 2, &plain);
        assert_near(a, b, 1e-5);
        assert_near(one.updater.optimizer.norm, parts.updater.optimizer.norm, 1e-5);
    }
    assert_like(&one, &parts);
    fixture_release(&one);
    fixture_release(&parts);
}

TEST(update_average_follows_the_weights)
{
    struct fixture f;
    fixture_init(&f, 0.25, NULL);
    const struct batch_text all = {&text, &text, items, 4, NULL};
    const size_t last = f.net.params.size - 1;
    double average = (double)f.values[last];
    for (int i = 1; i <= 4; i++) {
        updater_update(&f.updater, &all, 1, &plain);
        const double young = (1.0 + i) / (10.0 + i), d = young < 0.25 ? young : 0.25;
        average = d * average + (1 - d) * (double)f.values[last];
        assert_near((double)f.updater.optimizer.average[last], average, 1e-6);
    }
    fixture_release(&f);
}

TEST(update_without_finite_loss_leaves_the_weights)
{
    struct fixture f;
    fixture_init(&f, 0, NULL);
    const struct batch_text all = {&text, &text, items, 4, NULL};
    real *before = calloc(f.net.params.size, sizeof *before);
    f.values[f.net.params.size - 1] = (real)NAN;
    memcpy(before, f.values, f.net.params.size * sizeof *before);
    assert_false(isfinite(updater_update(&f.updater, &all, 1, &plain)));
    assert_memory_equal(before, f.values, f.net.params.size * sizeof *before);
    free(before);
    fixture_release(&f);
}

/* ---- bf16 ---- */

#ifndef ATTEND_REAL_DOUBLE
/* Two updates without a step: the gradient is the momentum of the sgd. */
static double gradients_of(struct fixture *f, bool bf16)
{
    const struct batch_text all = {&text, &text, items, 4, NULL};
    struct update_settings settings = plain;
    settings.lr = settings.clip = 0;
    fixture_init_in(f, 0, NULL, bf16);
    return updater_update(&f->updater, &all, 1, &settings);
}

/* 8 bits are a rounding of at most 1 in 256 of each factor. */
TEST(update_in_bf16_has_nearly_the_gradient_of_floats)
{
    struct fixture floats, halves;
    double error = 0, size = 0;
    if (!bf16_available())
        skip();
    const double a = gradients_of(&floats, false), b = gradients_of(&halves, true);
    const real *x = floats.updater.optimizer.state[0], *y = halves.updater.optimizer.state[0];
    for (size_t i = 0; i < floats.net.params.size; i++) {
        error += pow((double)x[i] - (double)y[i], 2);
        size += pow((double)x[i], 2);
    }
    assert_near(b, a, 1e-3);
    assert_true(error > 0 && sqrt(error / size) < 0.01);
    fixture_release(&floats);
    fixture_release(&halves);
}

/* The model runs with floats when it is used, so it is measured with floats. */
TEST(update_in_bf16_leaves_the_loss_to_floats)
{
    struct fixture floats, halves;
    const struct batch_text all = {&text, &text, items, 4, NULL};
    if (!bf16_available())
        skip();
    gradients_of(&floats, false);
    gradients_of(&halves, true);
    assert_true(updater_loss(&floats.updater, &all) == updater_loss(&halves.updater, &all));
    fixture_release(&floats);
    fixture_release(&halves);
}
#endif

/* ---- Scheduled sampling ---- */

TEST(update_reads_own_choices_as_often_as_asked)
{
    struct fixture f;
    fixture_init(&f, 0, NULL);
    const struct batch_text all = {&text, &text, items, 4, NULL};
    struct update_settings settings = plain;
    settings.sampling = 1;
    settings.lr = 0;
    updater_update(&f.updater, &all, 1, &settings);
    const struct batch *b = &f.updater.tape.batch;
    int own = 0;
    for (int lane = 0; lane < b->lanes; lane++)
        for (int t = 0; t < b->target[lane].count; t++)
            for (int i = 0; i < b->target[lane].active[t]; i++) {
                const int row = b->target[lane].start[t] + i;
                const int before = t ? b->target[lane].start[t - 1] + i : 0;
                const int choice = t ? b->target_choice[before] : VOCAB_BOS;
                const bool taken = t && choice >= VOCAB_SPECIALS;
                own += taken;
                assert_int_equal(b->target_in[row], taken ? choice
                                                    : t   ? b->target_out[before]
                                                          : VOCAB_BOS);
            }
    assert_true(own > 0);
    fixture_release(&f);
}

/* ---- Two processes, simulated in one: the other's gradient is known ---- */

#ifndef ATTEND_REAL_DOUBLE
struct other {
    const real *gradient; /* gradient of the other's share */
    double loss;
    const real *own; /* start of this process's gradient */
    int begun;
};

static void begin_sum(void *context, float *values, size_t count)
{
    struct other *other = context;
    const size_t from = (size_t)(values - other->own);
    for (size_t i = 0; i < count; i++)
        values[i] += other->gradient[from + i];
    other->begun++;
}

static void finish(void *context) { (void)context; }

static void sum(void *context, double *values, int count)
{
    const struct other *other = context;
    assert_int_equal(count, 1);
    values[0] += other->loss;
}

/* The gradient of a share, before any step. */
static double gradient_of(const struct batch_text *share, real *out)
{
    struct fixture f;
    fixture_init(&f, 0, NULL);
    struct update_settings settings = plain;
    settings.lr = 0;
    settings.clip = 0;
    /* The state of sgd is its momentum, which equals the gradient if the settings are 0. */
    const double loss = updater_update(&f.updater, share, 1, &settings);
    memcpy(out, f.updater.optimizer.state[0], f.net.params.size * sizeof *out);
    fixture_release(&f);
    return loss;
}

TEST(update_of_two_processes_is_that_of_one)
{
    const struct batch_text all = {&text, &text, items, 4, NULL},
                            mine = {&text, &text, items, 1, NULL},
                            theirs = {&text, &text, items + 1, 3, NULL};
    struct fixture one, two;
    struct other other = {0};
    const struct attend_comm comm = {0, 2, begin_sum, finish, sum, &other};
    fixture_init(&one, 0, NULL);
    fixture_init(&two, 0, &comm);
    real *gradient = calloc(one.net.params.size, sizeof *gradient);
    other = (struct other){gradient, gradient_of(&theirs, gradient), two.grads, 0};
    const double a = updater_update(&one.updater, &all, 1, &plain),
                 b = updater_update(&two.updater, &mine, 1, &plain);
    assert_near(a, b, 1e-5);
    assert_like(&one, &two);
    assert_int_equal(other.begun, 2); /* in parts, each as soon as it is final */
    free(gradient);
    fixture_release(&one);
    fixture_release(&two);
}

TEST(update_of_a_process_without_a_share_is_that_of_the_other)
{
    const struct batch_text all = {&text, &text, items, 4, NULL},
                            mine = {&text, &text, items, 0, NULL};
    struct fixture one, two;
    struct other other = {0};
    const struct attend_comm comm = {0, 2, begin_sum, finish, sum, &other};
    fixture_init(&one, 0, NULL);
    fixture_init(&two, 0, &comm);
    real *gradient = calloc(one.net.params.size, sizeof *gradient);
    other = (struct other){gradient, gradient_of(&all, gradient), two.grads, 0};
    updater_update(&one.updater, &all, 1, &plain);
    updater_update(&two.updater, &mine, 1, &plain);
    assert_like(&one, &two);
    assert_int_equal(other.begun, 2);
    free(gradient);
    fixture_release(&one);
    fixture_release(&two);
}
#endif
