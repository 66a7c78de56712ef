/* The training loop: what it keeps, when it ends, and what it does with numbers that are none. */
#include "train/trainer.h"

#include "test.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copying sequences of three letters. */
static int ids[] = {3, 4, 5, 4, 3, 5, 5, 3, 4, 4, 5, 3, 3, 5, 4, 5, 4, 3};
static size_t start[] = {0, 3, 6, 9, 12, 15, 18};
static int line[] = {1, 2, 3, 4, 5, 6};

struct fixture {
    struct corpus corpus;
    struct vocab *vocab;
    struct model_side side;
    struct seq2seq net;
    real *values, *grads;
    struct train_options options;
    struct attend_train_hooks hooks;
    char path[64];
    int reports[ATTEND_TRAIN_FINISHED + 1];
    struct attend_train_report last, best;
    int stop_after; /* updates */
    real *snapshot; /* the weights of the best validation, when wanted */
};

static void note(void *context, const struct attend_train_report *report)
{
    struct fixture *f = context;
    f->reports[report->event]++;
    f->last = *report;
    if (report->event != ATTEND_TRAIN_VALIDATED || !report->best)
        return;
    f->best = *report;
    if (f->snapshot)
        memcpy(f->snapshot, f->values, f->net.params.size * sizeof(real));
}

static bool wants_stop(void *context)
{
    struct fixture *f = context;
    return f->stop_after && f->last.update >= f->stop_after;
}

static char optimizer_name[] = "adam";

static void fixture_init(struct fixture *f)
{
    struct vocab_counter counter = {0};
    const struct model_config config = {.source_vocab = 6,
                                        .target_vocab = 6,
                                        .emb = 8,
                                        .hidden = 12,
                                        .attention_size = 8,
                                        .readout_size = 8};
    *f = (struct fixture){
        .corpus = {.source = {6, start, ids}, .target = {6, start, ids}, .line = line}};
    for (int i = 0; i < 3; i++)
        vocab_counter_add(&counter, &"abc"[i], 1);
    assert_int_equal(vocab_from_counter(&f->vocab, &counter, 0, NULL), ATTEND_OK);
    vocab_counter_release(&counter);
    f->side = (struct model_side){&tokenizer_char, f->vocab};
    assert_int_equal(seq2seq_init(&f->net, &config, true, NULL), ATTEND_OK);
    f->values = calloc(f->net.params.size, sizeof *f->values);
    f->grads = calloc(f->net.params.size, sizeof *f->grads);
    param_bind(&f->net.params, f->values, f->grads);
    assert_int_equal(param_initialise(&f->net.params, 1, NULL), ATTEND_OK);
    f->options = (struct train_options){.batch_tokens = 8,
                                        .optimizer = optimizer_name,
                                        .lr = 0.01,
                                        .clip = 1,
                                        .max_epochs = 60,
                                        .patience = 0,
                                        .threads = 1};
    f->hooks = (struct attend_train_hooks){.report = note, .stop = wants_stop, .context = f};
    snprintf(f->path, sizeof f->path, "trainer_test.%ld.model", (long)getpid());
}

static void fixture_release(struct fixture *f)
{
    unlink(f->path);
    seq2seq_release(&f->net);
    vocab_free(f->vocab);
    free(f->values);
    free(f->grads);
}

static enum attend_status run(struct fixture *f, const struct corpus *valid,
                              struct attend_error *err)
{
    const struct trainer_job job = {.options = &f->options,
                                    .net = &f->net,
                                    .values = f->values,
                                    .grads = f->grads,
                                    .train = &f->corpus,
                                    .valid = valid,
                                    .source = &f->side,
                                    .target = &f->side,
                                    .model = f->path,
                                    .hooks = &f->hooks};
    return trainer_run(&job, err);
}

TEST(trainer_learns_and_reports)
{
    struct fixture f;
    fixture_init(&f);
    assert_int_equal(run(&f, &f.corpus, NULL), ATTEND_OK);
    assert_int_equal(f.reports[ATTEND_TRAIN_STARTED], 1);
    assert_int_equal(f.reports[ATTEND_TRAIN_VALIDATED], 60);
    assert_int_equal(f.reports[ATTEND_TRAIN_FINISHED], 1);
    assert_true(f.best.valid_accuracy == 1);
    assert_int_equal(f.last.update, 60 * 3); /* 24 words in batches of at most 8 */
    assert_true(f.last.memory > 2 * f.net.params.size * sizeof(real));
    fixture_release(&f);
}

/* The file holds the weights of the best validation, not of the last: the validation pairs say the
 * opposite of the training pairs, so that they get worse as training goes on. */
TEST(trainer_keeps_the_best_model)
{
    struct fixture f;
    struct model *model;
    int wrong[18];
    fixture_init(&f);
    for (int i = 0; i < 18; i++)
        wrong[i] = 3 + (ids[i] - 2) % 3; /* the next letter */
    const struct corpus valid = {
        .source = {6, start, ids}, .target = {6, start, wrong}, .line = line};
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
    assert_int_equal(run(&f, &f.corpus, NULL), ATTEND_OK);
    assert_int_equal(f.last.epoch, 5);
    assert_int_equal(f.last.best_epoch, 1);
    fixture_release(&f);
}

TEST(trainer_stops_on_request_at_that_update)
{
    struct fixture f;
    struct attend_error err;
    fixture_init(&f);
    f.stop_after = 7;
    assert_int_equal(run(&f, &f.corpus, &err), ATTEND_STOPPED);
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

TEST(trainer_says_that_it_diverged_and_writes_nothing)
{
    struct fixture f;
    struct attend_error err;
    fixture_init(&f);
    f.values[f.net.params.size - 1] = (real)NAN; /* a bias of the output */
    assert_int_equal(run(&f, &f.corpus, &err), ATTEND_DIVERGED);
    assert_non_null(strstr(err.message, "diverged at update 1, epoch 1"));
    assert_non_null(strstr(err.message, "line "));
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
