/* The training loop: what it keeps, when it ends, and what it does at NaN. */
#include "train/trainer.h"

#include "test.h"
#include "trainer_fixture.h"

#include <math.h>

TEST(trainer_learns_and_reports)
{
    struct fixture f;
    fixture_init(&f);
    assert_int_equal(run(&f, &f.valid, NULL), ATTEND_OK);
    assert_int_equal(f.reports[ATTEND_TRAIN_STARTED], 1);
    assert_int_equal(f.reports[ATTEND_TRAIN_VALIDATED], 60);
    assert_int_equal(f.reports[ATTEND_TRAIN_FINISHED], 1);
    assert_true(f.best.valid_metric == 100);
    assert_int_equal(f.last.update, 60 * 3); /* 24 words in batches of at most 8 */
    assert_true(f.last.memory > 2 * f.net.params.size * sizeof(real));
    fixture_release(&f);
}

/* The file holds the weights of the best validation, not of the last one. The validation pairs
 * contradict the training pairs, so the validation loss rises during training. */
TEST(trainer_keeps_the_best_model)
{
    struct fixture f;
    struct model *model;
    int wrong[18];
    fixture_init(&f);
    for (int i = 0; i < 18; i++)
        wrong[i] = 3 + (ids[i] - 2) % 3; /* the next letter */
    const struct corpus corpus = {.source = {.count = 6, .start = start, .ids = ids},
                                  .target = {.count = 6, .start = start, .ids = wrong},
                                  .line = line};
    const char *const wrong_texts[] = {"bca", "cba", "abc", "cab", "bac", "acb"};
    const struct valid_text valid = {&corpus, texts, wrong_texts, &f.side};
    f.options.max_epochs = 40;
    f.snapshot = calloc(f.net.params.size, sizeof *f.snapshot);
    assert_int_equal(run(&f, &valid, NULL), ATTEND_OK);
    assert_int_equal(f.last.best_epoch, f.best.epoch);
    assert_true(f.best.epoch < 40);
    assert_int_equal(model_load(&model, f.path, NULL), ATTEND_OK);
    const real *kept = f.snapshot;
    for (int i = 0; i < model->net.params.count; i++) {
        const struct param *p = model->net.params.item[i];
        const size_t count = (size_t)p->rows * (size_t)p->cols;
        assert_memory_equal(p->value, kept, count * sizeof(real));
        kept += count;
    }
    assert_memory_not_equal(f.snapshot, f.values, f.net.params.size * sizeof(real));
    model_free(model);
    free(f.snapshot);
    fixture_release(&f);
}

TEST(trainer_stops_when_patience_ends)
{
    struct fixture f;
    fixture_init(&f);
    f.options.lr = 1e-30; /* nothing ever improves on the first validation */
    f.options.patience = 4;
    assert_int_equal(run(&f, &f.valid, NULL), ATTEND_OK);
    assert_int_equal(f.last.update, 5 * 3);
    assert_int_equal(f.last.best_epoch, 1);
    fixture_release(&f);
}

TEST(trainer_stops_on_request_at_that_update)
{
    struct fixture f;
    struct attend_error err;
    fixture_init(&f);
    f.stop_after = 7;
    assert_int_equal(run(&f, &f.valid, &err), ATTEND_STOPPED);
    assert_non_null(strstr(err.message, "stopped at update"));
    assert_true(f.last.update < 12);
    fixture_release(&f);
}

TEST(trainer_stops_at_the_last_update)
{
    struct fixture f;
    fixture_init(&f);
    f.options.max_updates = 4;
    assert_int_equal(run(&f, NULL, NULL), ATTEND_OK);
    assert_int_equal(f.last.update, 4);
    assert_int_equal(access(f.path, R_OK), 0);
    fixture_release(&f);
}

TEST(trainer_validates_the_final_weights)
{
    const struct {
        int every, validated;
    } rows[] = {{7, 2}, {6, 2}, {100, 1}}; /* 12 updates in total */
    for (int i = 0; i < 3; i++) {
        struct fixture f;
        fixture_init(&f);
        f.options.max_epochs = 4;
        f.options.valid_every = rows[i].every;
        assert_int_equal(run(&f, &f.valid, NULL), ATTEND_OK);
        assert_int_equal(f.last.update, 12);
        assert_int_equal(f.reports[ATTEND_TRAIN_VALIDATED], rows[i].validated);
        fixture_release(&f);
    }
}

TEST(trainer_says_that_it_diverged_and_writes_nothing)
{
    struct fixture f;
    struct attend_error err;
    fixture_init(&f);
    f.values[f.net.params.size - 1] = (real)NAN; /* a bias of the output layer */
    assert_int_equal(run(&f, &f.valid, &err), ATTEND_DIVERGED);
    assert_non_null(strstr(err.message, "diverged at update 1, epoch 1"));
    assert_non_null(strstr(err.message, " pairs, lines "));
    assert_int_not_equal(access(f.path, R_OK), 0);
    fixture_release(&f);
}

TEST(trainer_same_seed_gives_the_same_weights)
{
    struct fixture a, b;
    fixture_init(&a);
    fixture_init(&b);
    a.options.max_epochs = b.options.max_epochs = 4;
    a.options.dropout = b.options.dropout = 0.3;
    a.options.threads = b.options.threads = 2;
    assert_int_equal(run(&a, NULL, NULL), ATTEND_OK);
    assert_int_equal(run(&b, NULL, NULL), ATTEND_OK);
    assert_memory_equal(a.values, b.values, a.net.params.size * sizeof(real));
    fixture_release(&a);
    fixture_release(&b);
}
