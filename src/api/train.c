#include "attend/train.h"

#include "api/options.h"
#include "base/error.h"
#include "model/model.h"
#include "text/lines.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What training holds from reading the files to the end. */
struct session {
    const struct attend_options *options;
    struct lines train[2], valid[2]; /* source, target */
    struct model_side side[2];
    struct corpus train_corpus, valid_corpus;
    struct seq2seq net;
    real *values, *grads;
};

static enum attend_status check_options(const struct data_options *d, struct attend_error *err)
{
    const struct {
        const char *flag, *value;
    } needed[] = {{"train-src", d->train_src}, {"train-tgt", d->train_tgt}, {"model", d->model}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!needed[i].value)
            return error_set(err, ATTEND_USAGE, "--%s is needed", needed[i].flag);
    if (!d->valid_src != !d->valid_tgt)
        return error_set(err, ATTEND_USAGE, "--valid-src and --valid-tgt go together");
    if (!d->overwrite && access(d->model, F_OK) == 0)
        return error_set(err, ATTEND_USAGE, "%s is already there; use --overwrite to replace it",
                         d->model);
    return ATTEND_OK;
}

/* Find out now, not after the first epoch, that the model cannot be written. */
static enum attend_status check_writable(const char *path, struct attend_error *err)
{
    struct io_writer probe;
    const enum attend_status status = io_writer_open(&probe, path, err);
    if (status == ATTEND_OK)
        io_writer_close(&probe);
    return status;
}

static enum attend_status read_files(struct session *s, struct attend_error *err)
{
    const struct data_options *d = &s->options->data;
    const struct {
        struct lines *lines;
        const char *path;
    } files[] = {{&s->train[0], d->train_src},
                 {&s->train[1], d->train_tgt},
                 {&s->valid[0], d->valid_src},
                 {&s->valid[1], d->valid_tgt}};
    enum attend_status status = ATTEND_OK;
    for (size_t i = 0; i < sizeof files / sizeof *files && !status; i++)
        if (files[i].path)
            status = lines_read(files[i].lines, files[i].path, err);
    return status;
}

static enum attend_status make_vocab(struct session *s, int side, int from, int to,
                                     struct attend_error *err)
{
    struct vocab_counter counter = {0};
    for (int i = from; i <= to; i++)
        corpus_count_pieces(&counter, &s->train[i], s->side[i].tokenizer);
    const enum attend_status status =
        vocab_from_counter(&s->side[side].vocab, &counter, s->options->data.vocab_size, err);
    vocab_counter_release(&counter);
    return status;
}

/* A vocabulary for each side, or, when their embeddings are one table, the same for both. */
static enum attend_status make_sides(struct session *s, struct attend_error *err)
{
    const struct data_options *d = &s->options->data;
    const bool joint = model_config_tie(&s->options->config) == TIE_ALL;
    s->side[0].tokenizer = tokenizer_find(d->src_tokenizer ? d->src_tokenizer : d->tokenizer);
    s->side[1].tokenizer = tokenizer_find(d->tgt_tokenizer ? d->tgt_tokenizer : d->tokenizer);
    if (joint && s->side[0].tokenizer != s->side[1].tokenizer)
        return error_set(err, ATTEND_USAGE, "--tie all needs the same tokenizer on both sides");
    const enum attend_status status = make_vocab(s, 0, 0, joint, err);
    return status ? status : make_vocab(s, 1, joint ? 0 : 1, 1, err);
}

static enum attend_status load_corpus(struct session *s, struct corpus *corpus,
                                      const struct lines *lines, const char *source,
                                      const char *target, struct attend_error *err)
{
    const struct corpus_rule rule = {
        .source = {s->side[0].tokenizer, s->side[0].vocab, source},
        .target = {s->side[1].tokenizer, s->side[1].vocab, target},
        .max_length = s->options->data.max_length,
    };
    return corpus_load(corpus, &lines[0], &lines[1], &rule, err);
}

static enum attend_status load_text(struct session *s, struct attend_error *err)
{
    const struct data_options *d = &s->options->data;
    enum attend_status status = read_files(s, err);
    if (!status)
        status = make_sides(s, err);
    if (!status)
        status = load_corpus(s, &s->train_corpus, s->train, d->train_src, d->train_tgt, err);
    if (!status && d->valid_src)
        status = load_corpus(s, &s->valid_corpus, s->valid, d->valid_src, d->valid_tgt, err);
    return status;
}

static enum attend_status make_net(struct session *s, struct attend_error *err)
{
    struct model_config config = s->options->config;
    config.source_vocab = vocab_size(s->side[0].vocab);
    config.target_vocab = vocab_size(s->side[1].vocab);
    if (config.positions == 0)
        config.positions = sequences_longest(&s->train_corpus.source) + 1;
    model_config_complete(&config);
    enum attend_status status = model_config_check(&config, err);
    if (!status)
        status = seq2seq_init(&s->net, &config, true, err);
    if (status)
        return status;
    s->values = calloc(s->net.params.size, sizeof *s->values);
    s->grads = calloc(s->net.params.size, sizeof *s->grads);
    if (!s->values || !s->grads)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu parameters",
                         s->net.params.size);
    param_bind(&s->net.params, s->values, s->grads);
    return param_initialise(&s->net.params, (uint64_t)s->options->train.seed, err);
}

static void session_release(struct session *s)
{
    for (int i = 0; i < 2; i++) {
        lines_release(&s->train[i]);
        lines_release(&s->valid[i]);
        vocab_free(s->side[i].vocab);
    }
    corpus_release(&s->train_corpus);
    corpus_release(&s->valid_corpus);
    seq2seq_release(&s->net);
    free(s->values);
    free(s->grads);
}

enum attend_status attend_train(const struct attend_options *options,
                                const struct attend_train_hooks *hooks, struct attend_error *err)
{
    struct session s = {.options = options};
    const struct data_options *d = &options->data;
    enum attend_status status = check_options(d, err);
    if (!status)
        status = load_text(&s, err);
    if (!status)
        status = check_writable(d->model, err);
    if (!status)
        status = make_net(&s, err);
    if (!status)
        status = trainer_run(&(struct trainer_job){.options = &options->train,
                                                   .net = &s.net,
                                                   .values = s.values,
                                                   .grads = s.grads,
                                                   .train = &s.train_corpus,
                                                   .valid = d->valid_src ? &s.valid_corpus : NULL,
                                                   .source = &s.side[0],
                                                   .target = &s.side[1],
                                                   .model = d->model,
                                                   .hooks = hooks},
                             err);
    session_release(&s);
    return status;
}
