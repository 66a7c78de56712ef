/* Training in steps is the same training. */
#include "folder_fixture.h"

#include "attend/train.h"
#include "attend/translate.h"
#include "base/io.h"
#include "base/strbuf.h"

#include <stdio.h>

enum { UPDATES = 12 };

struct fixture {
    struct folder folder;
    struct attend_data_options data;
    struct attend_network_options network;
    struct attend_train_options options;
};

static void write_pairs(void)
{
    FILE *file = fopen("pairs.tsv", "w");
    assert_non_null(file);
    for (int i = 0; i < 40; i++)
        fprintf(file, "%c %c %c\t%c %c %c\n", 'a' + i % 5, 'a' + i % 4, 'a' + i % 3, 'a' + i % 3,
                'a' + i % 4, 'a' + i % 5);
    assert_int_equal(fclose(file), 0);
}

static void setup(struct fixture *f)
{
    *f = (struct fixture){.folder = folder_enter(),
                          .data = attend_data_defaults(),
                          .network = attend_network_defaults(),
                          .options = attend_train_defaults()};
    write_pairs();
    f->data.train = "pairs.tsv";
    f->data.tokenizer = "word";
    f->network.emb = 5;
    f->network.hidden = 7;
    f->options.threads = 1;
    f->options.batch_tokens = 30;
    f->options.max_updates = UPDATES;
}

static void assert_equal_files(const char *a, const char *b)
{
    struct strbuf one = {0}, two = {0};
    assert_int_equal(io_read(a, &one, NULL), ATTEND_OK);
    assert_int_equal(io_read(b, &two, NULL), ATTEND_OK);
    assert_int_equal(one.length, two.length);
    assert_memory_equal(one.text, two.text, one.length);
    strbuf_release(&one);
    strbuf_release(&two);
}

static struct attend_training *begin(struct fixture *f, const struct attend_train_hooks *hooks)
{
    struct attend_training *training = NULL;
    struct attend_error err = {.message = ""};
    f->options.model = "stepped";
    if (attend_training_new(&training, &f->data, &f->network, &f->options, hooks, &err))
        fail_msg("%s", err.message);
    return training;
}

TEST(training_in_steps_gives_the_bytes_of_training_at_once)
{
    struct fixture f;
    struct attend_error err;
    bool ended = false;
    setup(&f);
    f.options.model = "whole";
    assert_int_equal(attend_train(&f.data, &f.network, &f.options, NULL, &err), ATTEND_OK);
    struct attend_training *training = begin(&f, NULL);
    for (int i = 0; i < UPDATES / 5; i++) {
        assert_int_equal(attend_training_advance(training, 5, &ended, &err), ATTEND_OK);
        assert_false(ended);
        assert_int_equal(attend_training_save(training, "now", &err), ATTEND_OK);
    }
    assert_int_equal(attend_training_advance(training, 5, &ended, &err), ATTEND_OK);
    assert_true(ended);
    attend_training_free(training);
    assert_equal_files("whole", "stepped");
    folder_leave(&f.folder);
}

TEST(training_saves_a_model_of_any_moment)
{
    struct fixture f;
    struct attend_error err;
    struct attend_translator *translator = NULL;
    bool ended;
    setup(&f);
    struct attend_training *training = begin(&f, NULL);
    assert_int_equal(attend_training_advance(training, 3, &ended, &err), ATTEND_OK);
    assert_int_equal(attend_training_save(training, "now", &err), ATTEND_OK);
    assert_int_equal(attend_translator_open(&translator, "now", NULL, &err), ATTEND_OK);
    attend_translator_free(translator);
    attend_training_free(training);
    folder_leave(&f.folder);
}

static void keep_rate(void *context, const struct attend_train_report *report)
{
    if (report->event == ATTEND_TRAIN_UPDATED)
        *(double *)context = report->lr;
}

TEST(training_takes_a_new_learning_rate_between_updates)
{
    struct fixture f;
    struct attend_error err;
    double rate = 0;
    bool ended;
    const struct attend_train_hooks hooks = {.report = keep_rate, .context = &rate};
    setup(&f);
    f.options.lr = 0.01;
    f.options.log_every = 1;
    struct attend_training *training = begin(&f, &hooks);
    assert_int_equal(attend_training_advance(training, 1, &ended, &err), ATTEND_OK);
    assert_near(rate, 0.01, 1e-12);
    attend_training_set_lr(training, 0.002);
    assert_int_equal(attend_training_advance(training, 1, &ended, &err), ATTEND_OK);
    assert_near(rate, 0.002, 1e-12);
    attend_training_free(training);
    folder_leave(&f.folder);
}

TEST(training_that_is_complete_ends_at_once)
{
    struct fixture f;
    struct attend_error err;
    bool ended = false;
    setup(&f);
    f.options.model = "stepped";
    assert_int_equal(attend_train(&f.data, &f.network, &f.options, NULL, &err), ATTEND_OK);
    struct attend_training *training = begin(&f, NULL);
    assert_int_equal(attend_training_advance(training, 1, &ended, &err), ATTEND_OK);
    assert_true(ended);
    assert_int_equal(attend_training_save(training, "now", &err), ATTEND_USAGE);
    attend_training_free(training);
    folder_leave(&f.folder);
}
