/* A small training on copying three letters, for tests of the training loop. */
#ifndef ATTEND_TESTS_TRAINER_FIXTURE_H
#define ATTEND_TESTS_TRAINER_FIXTURE_H

#include "test.h"
#include "text/tokenizer.h"
#include "text/vocab.h"
#include "train/trainer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copying sequences of three letters. */
static int ids[] = {3, 4, 5, 4, 3, 5, 5, 3, 4, 4, 5, 3, 3, 5, 4, 5, 4, 3};
static size_t start[] = {0, 3, 6, 9, 12, 15, 18};
static int line[] = {1, 2, 3, 4, 5, 6};
static const char *const texts[] = {"abc", "bac", "cab", "bca", "acb", "cba"};

struct fixture {
    struct corpus corpus;
    struct valid_text valid;
    struct store *store;
    struct vocab *vocab;
    struct text_side side;
    struct seq2seq net;
    real *values, *grads;
    struct attend_train_options options;
    struct attend_train_hooks hooks;
    char path[64], checkpoint[80];
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

/* attention: a row of the table; NULL: the usual one. */
static inline void fixture_init_with(struct fixture *f, const char *attention)
{
    struct vocab_counter counter = {0};
    const struct attend_network_options config = {.source_vocab = 6,
                                                  .target_vocab = 6,
                                                  .attention = attention,
                                                  .emb = 8,
                                                  .hidden = 12,
                                                  .attention_size = 8,
                                                  .readout_size = 8,
                                                  .stroke_floor = 0.1};
    const struct sequences six = {.count = 6, .start = start, .ids = ids};
    *f = (struct fixture){.corpus = {.source = six, .target = six, .line = line}};
    for (int i = 0; i < 3; i++)
        vocab_counter_add(&counter, &"abc"[i], 1);
    assert_int_equal(vocab_from_counter(&f->vocab, &counter, 0, NULL), ATTEND_OK);
    vocab_counter_release(&counter);
    f->side = (struct text_side){.vocab = f->vocab};
    assert_int_equal(tokenizer_new(&f->side.tokenizer, "char", NULL, NULL), ATTEND_OK);
    assert_int_equal(store_new(&f->store, ".", 4, NULL), ATTEND_OK);
    for (int i = 0; i < 6; i++)
        assert_int_equal(
            store_add(f->store,
                      &(struct pair_ids){ids + 3 * i, ids + 3 * i, 3, 3, i + 1, NULL, NULL, 0},
                      NULL),
            ATTEND_OK);
    assert_int_equal(store_seal(f->store, NULL), ATTEND_OK);
    f->valid = (struct valid_text){&f->corpus, texts, texts, &f->side};
    assert_int_equal(seq2seq_init(&f->net, &config, true, NULL), ATTEND_OK);
    f->values = calloc(f->net.params.size, sizeof *f->values);
    f->grads = calloc(f->net.params.size, sizeof *f->grads);
    param_bind(&f->net.params, f->values, f->grads);
    assert_int_equal(param_initialize(&f->net.params, 1, NULL), ATTEND_OK);
    f->options = (struct attend_train_options){.batch_tokens = 8,
                                               .optimizer = optimizer_name,
                                               .lr = 0.01,
                                               .clip = 1,
                                               .max_epochs = 60,
                                               .patience = 0,
                                               .log_every = 1,
                                               .threads = 1};
    f->hooks = (struct attend_train_hooks){.report = note, .stop = wants_stop, .context = f};
    snprintf(f->path, sizeof f->path, "trainer_test.%ld.model", (long)getpid());
    snprintf(f->checkpoint, sizeof f->checkpoint, "%s.ckpt", f->path);
}

static inline void fixture_init(struct fixture *f) { fixture_init_with(f, NULL); }

static inline void fixture_release(struct fixture *f)
{
    unlink(f->path);
    unlink(f->checkpoint);
    store_free(f->store);
    seq2seq_release(&f->net);
    text_side_release(&f->side);
    free(f->values);
    free(f->grads);
}

/* Go on from the checkpoint, when there is one and `resume` says so. */
static inline enum attend_status run_from(struct fixture *f, const struct valid_text *valid,
                                          bool resume, struct attend_error *err)
{
    struct checkpoint *found = NULL;
    if (resume && access(f->checkpoint, F_OK) == 0)
        assert_int_equal(checkpoint_load(&found, f->checkpoint, err), ATTEND_OK);
    const struct trainer_job job = {.options = &f->options,
                                    .net = &f->net,
                                    .values = f->values,
                                    .grads = f->grads,
                                    .train = f->store,
                                    .valid = valid,
                                    .source = &f->side,
                                    .target = &f->side,
                                    .model = f->path,
                                    .checkpoint = f->checkpoint,
                                    .texts = {.settings = "{}", .data = "0"},
                                    .resume = found,
                                    .hooks = &f->hooks};
    struct trainer *t = NULL;
    enum attend_status status = trainer_new(&t, &job, err);
    for (bool ended = false; status == ATTEND_OK && !ended;)
        status = trainer_advance(t, &ended, err);
    trainer_free(t);
    checkpoint_free(found);
    return status;
}

static inline enum attend_status run(struct fixture *f, const struct valid_text *valid,
                                     struct attend_error *err)
{
    return run_from(f, valid, false, err);
}

#endif
