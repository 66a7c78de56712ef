#include "api/train_data.h"

#include "base/error.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Sides ---- */

static enum attend_status make_vocab(struct train_data *d, const struct lines *lines, int side,
                                     int from, int to, int size, struct attend_error *err)
{
    struct vocab_counter counter = {0};
    for (int i = from; i <= to; i++)
        corpus_count_pieces(&counter, &lines[i], d->side[i].tokenizer);
    const enum attend_status status = vocab_from_counter(&d->side[side].vocab, &counter, size, err);
    vocab_counter_release(&counter);
    return status;
}

/* A vocabulary for each side, or, when their embeddings are one table, the same for both. */
static enum attend_status make_sides(struct train_data *d, const struct attend_options *o,
                                     const struct lines *lines, struct attend_error *err)
{
    const struct data_options *data = &o->data;
    const bool joint = model_config_tie(&o->config) == TIE_ALL;
    d->side[0].tokenizer =
        tokenizer_find(data->src_tokenizer ? data->src_tokenizer : data->tokenizer);
    d->side[1].tokenizer =
        tokenizer_find(data->tgt_tokenizer ? data->tgt_tokenizer : data->tokenizer);
    if (joint && d->side[0].tokenizer != d->side[1].tokenizer)
        return error_set(err, ATTEND_USAGE, "--tie all needs the same tokenizer on both sides");
    const enum attend_status status = make_vocab(d, lines, 0, 0, joint, data->vocab_size, err);
    return status ? status : make_vocab(d, lines, 1, joint ? 0 : 1, 1, data->vocab_size, err);
}

static enum attend_status copy_sides(struct train_data *d, const struct model_side *const given[2],
                                     struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = model_side_copy(&d->side[i], given[i], err);
    return status;
}

/* ---- Pairs ---- */

static enum attend_status encode(struct train_data *d, const struct attend_options *o,
                                 const struct lines *lines, const char *const name[2],
                                 struct corpus *out, struct attend_error *err)
{
    const struct corpus_rule rule = {.source = {d->side[0].tokenizer, d->side[0].vocab, name[0]},
                                     .target = {d->side[1].tokenizer, d->side[1].vocab, name[1]},
                                     .max_length = o->data.max_length};
    return corpus_load(out, &lines[0], &lines[1], &rule, err);
}

static enum attend_status keep_pairs(struct store *store, const struct corpus *c,
                                     struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < c->source.count && !status; i++)
        status = store_add(store,
                           &(struct pair_ids){c->source.ids + c->source.start[i],
                                              c->target.ids + c->target.start[i],
                                              sequences_length(&c->source, i),
                                              sequences_length(&c->target, i), c->line[i]},
                           err);
    return status ? status : store_seal(store, err);
}

static enum attend_status load_train(struct train_data *d, const struct attend_options *o,
                                     const struct model_side *const given[2],
                                     struct attend_error *err)
{
    const char *const name[] = {o->data.train_src, o->data.train_tgt};
    struct lines lines[2] = {0};
    struct corpus corpus = {0};
    char *folder = io_folder(o->data.model);
    enum attend_status status =
        folder ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory");
    for (int i = 0; i < 2 && !status; i++)
        status = lines_read(&lines[i], name[i], err);
    if (!status)
        status = given ? copy_sides(d, given, err) : make_sides(d, o, lines, err);
    if (!status)
        status = encode(d, o, lines, name, &corpus, err);
    if (!status)
        status = store_new(&d->train, folder, STORE_BLOCK, err);
    if (!status)
        status = keep_pairs(d->train, &corpus, err);
    corpus_release(&corpus);
    lines_release(&lines[0]);
    lines_release(&lines[1]);
    free(folder);
    return status;
}

static enum attend_status load_valid(struct train_data *d, const struct attend_options *o,
                                     struct attend_error *err)
{
    const char *const name[] = {o->data.valid_src, o->data.valid_tgt};
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = lines_read(&d->valid_lines[i], name[i], err);
    if (!status)
        status = encode(d, o, d->valid_lines, name, &d->valid, err);
    if (status)
        return status;
    const int pairs = d->valid.source.count;
    d->valid_source = calloc((size_t)pairs + 1, sizeof *d->valid_source);
    d->valid_target = calloc((size_t)pairs + 1, sizeof *d->valid_target);
    if (!d->valid_source || !d->valid_target)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the validation text");
    for (int i = 0; i < pairs; i++) {
        d->valid_source[i] = lines_at(&d->valid_lines[0], d->valid.line[i] - 1, NULL);
        d->valid_target[i] = lines_at(&d->valid_lines[1], d->valid.line[i] - 1, NULL);
    }
    d->has_valid = true;
    d->valid_text = (struct valid_text){&d->valid, d->valid_source, d->valid_target, &d->side[1]};
    return ATTEND_OK;
}

enum attend_status train_data_load(struct train_data *d, const struct attend_options *o,
                                   const struct model_side *const given[2],
                                   const struct attend_train_hooks *hooks, struct attend_error *err)
{
    (void)hooks;
    enum attend_status status = load_train(d, o, given, err);
    if (!status && o->data.valid_src)
        status = load_valid(d, o, err);
    if (!status)
        snprintf(d->checksum, sizeof d->checksum, "%016" PRIx64, store_checksum(d->train));
    return status;
}

void train_data_release(struct train_data *d)
{
    for (int i = 0; i < 2; i++) {
        lines_release(&d->valid_lines[i]);
        model_side_release(&d->side[i]);
    }
    corpus_release(&d->valid);
    free(d->valid_source);
    free(d->valid_target);
    store_free(d->train);
}
