#include "api/train_data.h"

#include "api/train_draws.h"
#include "api/train_sides.h"
#include "base/error.h"
#include "base/io.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "text/encode.h"
#include "text/pairs.h"
#include "text/pairs_read.h"
#include "text/split.h"
#include "text/tokenizer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRAIN, VALID, TEST, SETS = SPLIT_MAX_SETS };

struct loading {
    struct train_data *data;
    const struct train_data_job *job;
    struct pairs *set[SETS]; /* text */
    const char *folder;      /* of temporary files */
};

/* ---- Where the text is ---- */

enum attend_status train_data_check(const struct data_options *d, struct attend_error *err)
{
    const bool files = d->train_src || d->train_tgt,
               valid = d->valid || d->valid_src || d->valid_tgt;
    if (files && d->train)
        return error_set(err, ATTEND_USAGE, "--train and --train-src exclude each other");
    if (!d->train && !files)
        return error_set(err, ATTEND_USAGE,
                         "--train-src and --train-tgt, or --train, are needed; see attend train "
                         "--help");
    if (!d->train_src != !d->train_tgt)
        return error_set(err, ATTEND_USAGE, "--train-src and --train-tgt go together");
    if (!d->valid_src != !d->valid_tgt || (d->valid && d->valid_src))
        return error_set(err, ATTEND_USAGE,
                         "--valid-src and --valid-tgt go together, without --valid");
    if (d->split && valid)
        return error_set(err, ATTEND_USAGE, "--split makes the validation text: no --valid too");
    if ((d->columns || d->header || d->features) && !d->train && !d->valid)
        return error_set(err, ATTEND_USAGE, "--columns, --header and --features go with --train");
    return ATTEND_OK;
}

/* ---- What is said about it ---- */

static void note_faults(const struct loading *l, const struct pairs_faults *faults)
{
    for (int i = 0; i < PAIRS_FAULTS; i++) {
        char note[512];
        if (!faults->of[i].count)
            continue;
        snprintf(note, sizeof note, "%zu pair%s left out, %s, the first at %.300s:%zu",
                 faults->of[i].count, faults->of[i].count == 1 ? "" : "s", pairs_fault_names[i],
                 faults->of[i].file, faults->of[i].line);
        l->job->note(l->job->context, note);
    }
}

static void note_drops(const struct loading *l, const struct encode_drops *drops, const char *where)
{
    for (int i = 0; i < ENCODE_DROPS; i++) {
        char note[512];
        if (!drops->count[i])
            continue;
        snprintf(note, sizeof note, "%ld pair%s left out, %s, the first at %.300s:%ld",
                 drops->count[i], drops->count[i] == 1 ? "" : "s", encode_drop_names[i], where,
                 drops->first[i]);
        l->job->note(l->job->context, note);
    }
}

/* ---- Text ---- */

static enum attend_status read_pairs(struct loading *l, int set, struct attend_error *err)
{
    const struct data_options *d = &l->job->options->data;
    const struct pairs_input input = {.source = set ? d->valid_src : d->train_src,
                                      .target = set ? d->valid_tgt : d->train_tgt,
                                      .table = set ? d->valid : d->train,
                                      .columns = d->columns,
                                      .features = d->features,
                                      .header = d->header,
                                      .skip_broken = d->skip_broken};
    struct split split = {.seed = (uint64_t)l->job->options->train.seed};
    struct pairs_faults faults = {0};
    enum attend_status status = ATTEND_OK;
    if (d->split)
        status = split_parse(&split, d->split, err);
    const int sets = d->split ? split.sets : 1;
    for (int i = 0; i < sets && !status; i++)
        status = pairs_new(&l->set[set + i], l->folder, err);
    if (!status)
        status = pairs_read(&input, d->split ? &split : NULL, l->set + set, &faults, err);
    if (!status)
        note_faults(l, &faults);
    return status;
}

static enum attend_status read_text(struct loading *l, struct attend_error *err)
{
    const struct data_options *d = &l->job->options->data;
    const enum attend_status status = read_pairs(l, TRAIN, err);
    return !status && (d->valid || d->valid_src) ? read_pairs(l, VALID, err) : status;
}

/* One side of a held-out set, for `attend translate` and `attend eval`. */
static enum attend_status write_side(struct pairs *pairs, const char *path, bool target,
                                     struct attend_error *err)
{
    struct io_writer w;
    struct pair pair;
    enum attend_status status = io_writer_open(&w, path, err);
    if (status)
        return status;
    status = pairs_rewind(pairs, err);
    while (!status && !(status = pairs_next(pairs, &pair, err)) && pair.source)
        fprintf(w.file, "%s\n", target ? pair.target : pair.source);
    if (!status)
        status = io_writer_commit(&w, err);
    io_writer_close(&w);
    return status;
}

/* The held-out sets of --split as files beside the model. */
static enum attend_status write_sets(struct loading *l, struct attend_error *err)
{
    static const char *const names[] = {"train", "valid", "test"};
    const struct data_options *d = &l->job->options->data;
    enum attend_status status = ATTEND_OK;
    for (int i = VALID; i < SETS && l->set[i] && !status; i++) {
        char path[4096], note[4608];
        for (int side = 0; side < 2 && !status; side++) {
            snprintf(path, sizeof path, "%s.%s.%s", d->model, names[i], side ? "tgt" : "src");
            status = write_side(l->set[i], path, side, err);
        }
        snprintf(note, sizeof note, "%zu %s pairs in %s.%s.src and .tgt", pairs_count(l->set[i]),
                 names[i], d->model, names[i]);
        if (!status)
            l->job->note(l->job->context, note);
    }
    return status;
}

/* ---- Ids ---- */

static struct encode_rule rule_of(const struct loading *l)
{
    const struct data_options *d = &l->job->options->data;
    const struct model_side *side = l->data->side;
    return (struct encode_rule){.tokenizer = {side[0].tokenizer, side[1].tokenizer},
                                .vocab = {side[0].vocab, side[1].vocab},
                                .max_length = d->max_length,
                                .max_ratio = d->max_ratio};
}

/* A vocabulary that was made from other text must know most of this one. */
static enum attend_status check_known(const struct loading *l, const struct encode_drops *drops,
                                      struct attend_error *err)
{
    static const char *const names[] = {"source", "target"};
    for (int i = 0; i < 2 && l->job->given; i++)
        if ((double)drops->unknown[i] > 0.2 * (double)drops->pieces[i])
            return error_set(err, ATTEND_DATA,
                             "%.0f %% of the %s pieces are unknown to the vocabulary of %s; give "
                             "text of its languages and spelling, or train without --init-from",
                             100.0 * (double)drops->unknown[i] / (double)drops->pieces[i], names[i],
                             l->job->given_name);
    return ATTEND_OK;
}

static enum attend_status no_pair(const char *where, const struct encode_drops *drops,
                                  struct attend_error *err)
{
    return error_set(err, ATTEND_DATA,
                     "%s: holds no line to train on: %ld are empty, %ld too long for --max-length, "
                     "%ld beyond --max-ratio",
                     where, drops->count[ENCODE_EMPTY], drops->count[ENCODE_LONG],
                     drops->count[ENCODE_UNEVEN]);
}

static enum attend_status encode(struct loading *l, int set, struct store **out,
                                 struct attend_error *err)
{
    const struct data_options *d = &l->job->options->data;
    const char *where = set && d->valid       ? d->valid
                        : set && d->valid_src ? d->valid_src
                        : d->train            ? d->train
                                              : d->train_src;
    struct encode_drops drops = {0};
    const struct encode_rule rule = rule_of(l);
    enum attend_status status = store_new(out, l->folder, STORE_BLOCK, err);
    if (!status)
        status = encode_pairs(&rule, l->set[set], *out, &drops, err);
    if (!status)
        status = store_seal(*out, err);
    if (!status && store_pairs(*out) == 0)
        status = no_pair(where, &drops, err);
    if (!status)
        note_drops(l, &drops, where);
    return status ? status : check_known(l, &drops, err);
}

/* ---- Other pieces in each epoch ---- */

static bool can_sample(const struct model_side *side) { return side->tokenizer->ops->sample; }

static enum attend_status prepare_draws(struct loading *l, struct attend_error *err)
{
    const struct attend_options *o = l->job->options;
    const struct model_side *side = l->data->side;
    if (o->data.subword_sampling <= 0)
        return ATTEND_OK;
    if (!can_sample(&side[0]) && !can_sample(&side[1]))
        return error_set(err, ATTEND_USAGE,
                         "--subword-sampling is for subwords, which neither side has; leave it "
                         "out, or use --tokenizer sentencepiece");
    struct encode_rule rule = rule_of(l);
    rule.alpha = o->data.subword_sampling;
    rule.key = rng_key(rng_seed((uint64_t)o->train.seed), 0x70696563);
    return train_draws_new(&l->data->draws, &l->set[TRAIN], l->folder, &rule, err);
}

/* ---- Validation: all of it in memory, with its text ---- */

struct valid_set {
    struct valid_text text; /* what others see; first */
    struct corpus corpus;
    char **line[2];
};

/* The text of the pairs that were kept, in the normal form that the model speaks. */
static enum attend_status keep_text(struct loading *l, struct valid_set *v,
                                    struct attend_error *err)
{
    const int count = v->corpus.source.count;
    struct pair pair;
    int kept = 0;
    enum attend_status status = pairs_rewind(l->set[VALID], err);
    while (!status && kept < count && !(status = pairs_next(l->set[VALID], &pair, err)) &&
           pair.source) {
        if ((int)pair.line != v->corpus.line[kept])
            continue;
        for (int i = 0; i < 2 && !status; i++) {
            struct strbuf text = {0};
            utf8_normalize(&text, i ? pair.target : pair.source,
                           i ? pair.target_length : pair.source_length,
                           l->data->side[i].tokenizer->form, NULL);
            v->line[i][kept] = strbuf_detach(&text);
            if (!v->line[i][kept])
                status = error_set(err, ATTEND_NO_MEMORY, "out of memory for validation text");
        }
        kept++;
    }
    return status;
}

static enum attend_status load_valid(struct loading *l, struct attend_error *err)
{
    struct store *store = NULL;
    struct valid_set *v = calloc(1, sizeof *v);
    if (!v)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for validation text");
    l->data->valid = &v->text;
    enum attend_status status = encode(l, VALID, &store, err);
    int *blocks = status ? NULL : calloc((size_t)store_blocks(store), sizeof *blocks);
    for (int i = 0; blocks && i < store_blocks(store); i++)
        blocks[i] = i;
    if (!status)
        status = blocks ? store_read(store, blocks, store_blocks(store), &v->corpus, err)
                        : error_set(err, ATTEND_NO_MEMORY, "out of memory for validation text");
    for (int i = 0; i < 2 && !status; i++) {
        v->line[i] = calloc((size_t)v->corpus.source.count + 1, sizeof *v->line[i]);
        if (!v->line[i])
            status = error_set(err, ATTEND_NO_MEMORY, "out of memory for validation text");
    }
    if (!status)
        status = keep_text(l, v, err);
    v->text = (struct valid_text){&v->corpus, (const char *const *)v->line[0],
                                  (const char *const *)v->line[1], &l->data->side[1]};
    free(blocks);
    store_free(store);
    return status;
}

static void free_valid(struct valid_text *text)
{
    struct valid_set *v = (struct valid_set *)text;
    if (!v)
        return;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; v->line[side] && i < v->corpus.source.count; i++)
            free(v->line[side][i]);
        free(v->line[side]);
    }
    corpus_release(&v->corpus);
    free(v);
}

/* ---- All of it ---- */

static enum attend_status make_sides(struct loading *l, struct attend_error *err)
{
    const struct model *given = l->job->given;
    const struct data_options *d = &l->job->options->data;
    struct model_side *side = l->data->side;
    enum attend_status status;
    if (given) {
        status = model_side_copy(&side[0], &given->source, err);
        if (!status)
            status = model_side_copy(&side[1], &given->target, err);
    } else {
        status = train_sides_make(side, l->set[TRAIN], l->job, err);
    }
    if (!status)
        status = model_side_name(&side[0], d->source_lang, err);
    return status ? status : model_side_name(&side[1], d->target_lang, err);
}

static enum attend_status load(struct loading *l, struct attend_error *err)
{
    struct train_data *d = l->data;
    enum attend_status status = read_text(l, err);
    if (!status && l->job->options->data.split && l->job->first_rank)
        status = write_sets(l, err);
    if (!status)
        status = make_sides(l, err);
    if (!status)
        status = encode(l, TRAIN, &d->train, err);
    if (!status && l->set[VALID])
        status = load_valid(l, err);
    if (!status)
        status = prepare_draws(l, err);
    if (!status)
        snprintf(d->checksum, sizeof d->checksum, "%016" PRIx64, store_checksum(d->train));
    return status;
}

enum attend_status train_data_load(struct train_data *d, const struct train_data_job *job,
                                   struct attend_error *err)
{
    /* Other processes may run where the model's folder is not. */
    char *folder = job->first_rank ? io_folder(job->options->data.model) : strdup(P_tmpdir);
    struct loading l = {.data = d, .job = job, .folder = folder};
    const enum attend_status status =
        folder ? load(&l, err) : error_set(err, ATTEND_NO_MEMORY, "out of memory");
    for (int i = 0; i < SETS; i++)
        pairs_free(l.set[i]);
    free(folder);
    return status;
}

void train_data_release(struct train_data *d)
{
    for (int i = 0; i < 2; i++)
        model_side_release(&d->side[i]);
    free_valid(d->valid);
    store_free(d->train);
    train_draws_free(d->draws);
}
