/* Resuming from a checkpoint gives the same bytes as a run that was never stopped, for any settings
 * and any stopping point. */
#include "base/io.h"
#include "base/strbuf.h"
#include "tensor/bf16.h"
#include "test.h"
#include "trainer_fixture.h"

static char plateau[] = "plateau", cosine[] = "cosine", last[] = "last", loss[] = "loss",
            sgd[] = "sgd", bf16[] = "bf16";

/* Each row enables something that a checkpoint must record. */
static const struct situation {
    const char *name;
    struct attend_train_options options;
    const char *attention; /* NULL: the usual one */
} situations[] = {
    {"plain", {.max_epochs = 4}, NULL},
    {"dropout and smoothing",
     {.max_epochs = 4,
      .dropout = 0.3,
      .word_dropout = 0.2,
      .recurrent_dropout = 0.2,
      .label_smoothing = 0.1},
     NULL},
    {"average of weights", {.max_epochs = 4, .ema = 0.9}, NULL},
    {"groups of batches", {.max_epochs = 4, .accumulate = 2}, NULL},
    {"own choices", {.max_epochs = 4, .scheduled_sampling = 0.5, .sampling_warmup = 9}, NULL},
    {"plateau, validation within epochs",
     {.max_epochs = 4, .valid_every = 2, .schedule = plateau, .decay = 0.5, .valid_metric = loss},
     NULL},
    {"average of models", {.max_epochs = 5, .average = 2}, NULL},
    {"average of the last models", {.max_epochs = 5, .average = 3, .average_of = last}, NULL},
    {"patience", {.max_epochs = 9, .patience = 2, .lr = 0.05}, NULL},
    {"a limit within an epoch", {.max_epochs = 9, .max_updates = 8}, NULL},
    {"another optimizer", {.max_epochs = 4, .optimizer = sgd, .momentum = 0.9}, NULL},
    {"windows", {.max_epochs = 4, .shuffle_window = 1}, NULL},
    {"cosine", {.max_epochs = 4, .schedule = cosine}, NULL},
    {"validations that are no better", {.max_epochs = 4, .lr = 1e-30}, NULL},
    {"bf16", {.max_epochs = 4, .dropout = 0.2, .ema = 0.9, .precision = bf16}, NULL},
    {"hard attention", {.max_epochs = 4, .dropout = 0.2, .label_smoothing = 0.1}, "monotonic"},
};
enum { SITUATIONS = sizeof situations / sizeof *situations };

static void prepare(struct fixture *f, const struct situation *s)
{
    fixture_init_with(f, s->attention);
    const struct attend_train_options usual = f->options;
    f->options = s->options;
    f->options.batch_tokens = usual.batch_tokens;
    f->options.clip = usual.clip;
    f->options.threads = f->options.log_every = 1;
    if (!f->options.optimizer)
        f->options.optimizer = usual.optimizer;
    if (f->options.lr == 0)
        f->options.lr = usual.lr;
}

static void read_file(const char *path, struct strbuf *out)
{
    struct attend_error err;
    strbuf_clear(out);
    assert_int_equal(io_read(path, out, &err), ATTEND_OK);
}

struct result {
    struct strbuf model, checkpoint;
    int updates;
};

static void take_result(struct fixture *f, struct result *out)
{
    read_file(f->path, &out->model);
    read_file(f->checkpoint, &out->checkpoint);
    out->updates = (int)f->last.update;
}

static void assert_same(const struct strbuf *a, const struct strbuf *b)
{
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->text, b->text, a->length);
}

/* Stop after `stop` updates and resume with fresh weights, as a new process would. */
static void stop_and_resume(const struct situation *s, int stop, const struct result *whole)
{
    struct fixture f;
    struct result got = {0};
    struct attend_error err = {.message = ""};
    prepare(&f, s);
    f.stop_after = stop;
    assert_int_equal(run(&f, &f.valid, &err), ATTEND_STOPPED);
    f.stop_after = 0;
    for (size_t i = 0; i < f.net.params.size; i++)
        f.values[i] = f.grads[i] = 0;
    if (run_from(&f, &f.valid, true, &err))
        fail_msg("%s, stopped at %d: %s", s->name, stop, err.message);
    take_result(&f, &got);
    assert_int_equal(got.updates, whole->updates);
    assert_same(&got.model, &whole->model);
    assert_same(&got.checkpoint, &whole->checkpoint);
    strbuf_release(&got.model);
    strbuf_release(&got.checkpoint);
    fixture_release(&f);
}

TEST(resume_after_any_update_ends_in_the_same_bytes)
{
    for (int i = 0; i < SITUATIONS; i++) {
        if (situations[i].options.precision && !bf16_available())
            continue;
        struct fixture f;
        struct result whole = {0};
        prepare(&f, &situations[i]);
        assert_int_equal(run(&f, &f.valid, NULL), ATTEND_OK);
        take_result(&f, &whole);
        fixture_release(&f);
        for (int stop = 1; stop < whole.updates; stop++)
            stop_and_resume(&situations[i], stop, &whole);
        strbuf_release(&whole.model);
        strbuf_release(&whole.checkpoint);
    }
}

TEST(resume_of_a_finished_training_changes_nothing)
{
    struct fixture f;
    struct result first = {0}, second = {0};
    prepare(&f, &situations[0]);
    assert_int_equal(run(&f, &f.valid, NULL), ATTEND_OK);
    take_result(&f, &first);
    assert_int_equal(run_from(&f, &f.valid, true, NULL), ATTEND_OK);
    take_result(&f, &second);
    assert_same(&first.model, &second.model);
    assert_same(&first.checkpoint, &second.checkpoint);
    assert_int_equal(f.reports[ATTEND_TRAIN_FINISHED], 2);
    strbuf_release(&first.model);
    strbuf_release(&first.checkpoint);
    strbuf_release(&second.model);
    strbuf_release(&second.checkpoint);
    fixture_release(&f);
}

TEST(resume_with_more_epochs_continues)
{
    struct fixture f, whole;
    struct result got = {0}, want = {0};
    prepare(&whole, &situations[0]);
    whole.options.max_epochs = 6;
    assert_int_equal(run(&whole, &whole.valid, NULL), ATTEND_OK);
    take_result(&whole, &want);
    prepare(&f, &situations[0]);
    f.options.max_epochs = 4;
    assert_int_equal(run(&f, &f.valid, NULL), ATTEND_OK);
    f.options.max_epochs = 6;
    assert_int_equal(run_from(&f, &f.valid, true, NULL), ATTEND_OK);
    take_result(&f, &got);
    assert_same(&got.model, &want.model);
    assert_same(&got.checkpoint, &want.checkpoint);
    strbuf_release(&got.model);
    strbuf_release(&got.checkpoint);
    strbuf_release(&want.model);
    strbuf_release(&want.checkpoint);
    fixture_release(&f);
    fixture_release(&whole);
}

/* A truncated checkpoint is refused, at any length. */
TEST(checkpoint_cut_off_anywhere_is_refused)
{
    struct fixture f;
    struct strbuf bytes = {0};
    struct attend_error err;
    prepare(&f, &situations[2]);
    f.options.max_epochs = 1;
    assert_int_equal(run(&f, &f.valid, NULL), ATTEND_OK);
    read_file(f.checkpoint, &bytes);
    for (size_t length = 0; length < bytes.length; length += 1 + length / 7) {
        struct checkpoint *found = NULL;
        assert_int_equal(io_write(f.checkpoint, bytes.text, length, &err), ATTEND_OK);
        assert_int_equal(checkpoint_load(&found, f.checkpoint, &err), ATTEND_FORMAT);
        assert_null(found);
    }
    strbuf_release(&bytes);
    fixture_release(&f);
}

/* A checkpoint is also a model, the last one; a model is not a checkpoint. */
TEST(checkpoint_is_a_model_but_a_model_is_not_a_checkpoint)
{
    struct fixture f;
    struct model *model;
    struct checkpoint *found = NULL;
    struct attend_error err;
    prepare(&f, &situations[0]);
    assert_int_equal(run(&f, &f.valid, NULL), ATTEND_OK);
    assert_int_equal(model_load(&model, f.checkpoint, &err), ATTEND_OK);
    assert_memory_equal(model->net.params.item[0]->value, f.values, sizeof(real));
    model_free(model);
    assert_int_equal(checkpoint_load(&found, f.path, &err), ATTEND_FORMAT);
    assert_non_null(strstr(err.message, "progress"));
    fixture_release(&f);
}

TEST(kept_models_are_cleaned_away)
{
    struct fixture f;
    prepare(&f, &situations[6]);
    assert_int_equal(run(&f, &f.valid, NULL), ATTEND_OK);
    assert_int_equal(f.reports[ATTEND_TRAIN_AVERAGED], 1);
    for (int update = 1; update <= (int)f.last.update; update++) {
        char *path = keep_path(f.path, update);
        assert_int_not_equal(access(path, F_OK), 0);
        free(path);
    }
    fixture_release(&f);
}
