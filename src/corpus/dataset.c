#include "corpus/dataset.h"

#include "corpus/resampling.h"
#include "corpus/sides.h"
#include "base/error.h"
#include "base/io.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "corpus/encode.h"
#include "corpus/holdout.h"
#include "corpus/pairs.h"
#include "corpus/pairs_read.h"
#include "corpus/set_files.h"
#include "corpus/split.h"
#include "corpus/store.h"
#include "corpus/tagging.h"
#include "corpus/traps.h"
#include "text/languages.h"
#include "text/tokenizer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRAIN, VALID, TEST, SETS = SPLIT_MAX_SETS };

struct loading {
    struct dataset *data;
    const struct dataset_job *job;
    struct pairs *set[SETS]; /* the text of each set */
    const char *folder;      /* for temporary files */
    struct languages languages;
};

/* ---- Options ---- */

/* A side has either a column with its languages or one language. */
static enum attend_status check_languages(const struct attend_data_options *d,
                                          struct attend_error *err)
{
    static const char *const names[] = {"source_lang", "target_lang"};
    const char *const code[2] = {d->source_lang, d->target_lang};
    const char *comma = d->language_columns ? strchr(d->language_columns, ',') : NULL;
    if (!d->language_columns)
        return ATTEND_OK;
    if (!d->train)
        return error_set(err, ATTEND_USAGE, "`language_columns` needs `train`");
    for (int i = 0; i < 2; i++) {
        const bool none =
            comma && (i ? strcmp(comma, ",_") == 0 : strncmp(d->language_columns, "_,", 2) == 0);
        if (none && !code[i])
            return error_set(err, ATTEND_USAGE,
                             "`language_columns` %s needs `%s`, the language of the side that has "
                             "no column",
                             d->language_columns, names[i]);
        if (!none && code[i])
            return error_set(err, ATTEND_USAGE,
                             "`%s` and a column for it in `language_columns` exclude each other",
                             names[i]);
    }
    return ATTEND_OK;
}

enum attend_status dataset_check(const struct attend_data_options *d, struct attend_error *err)
{
    const bool files = d->train_src || d->train_tgt,
               valid = d->valid || d->valid_src || d->valid_tgt;
    if (files && d->train)
        return error_set(err, ATTEND_USAGE, "`train` and `train_src` exclude each other");
    if (!d->train && !files)
        return error_set(err, ATTEND_USAGE, "`train_src` and `train_tgt`, or `train`, are needed");
    if (!d->train_src != !d->train_tgt)
        return error_set(err, ATTEND_USAGE, "`train_src` and `train_tgt` go together");
    if (!d->valid_src != !d->valid_tgt || (d->valid && d->valid_src))
        return error_set(err, ATTEND_USAGE,
                         "`valid_src` and `valid_tgt` go together, without `valid`");
    if (d->split && valid && strcmp(d->split, "none") != 0)
        return error_set(
            err, ATTEND_USAGE,
            "`split` makes the validation text; leave out `valid`, `valid_src` and `valid_tgt`");
    if ((d->columns || d->header || d->features) && !d->train && !d->valid)
        return error_set(err, ATTEND_USAGE, "`columns`, `header` and `features` need `train`");
    return check_languages(d, err);
}

/* ---- Notes ---- */

static void tell(const struct loading *l, const char *note)
{
    if (l->job->note)
        l->job->note(l->job->context, note);
}

static void remark(void *dataset, const char *text)
{
    struct dataset *d = dataset;
    strbuf_addf(&d->remarks, "%s\n", text);
}

static void note_faults(const struct loading *l, const struct pairs_faults *faults)
{
    for (int i = 0; i < PAIRS_FAULTS; i++) {
        char note[512];
        if (!faults->of[i].count)
            continue;
        snprintf(note, sizeof note, "%zu pair%s left out, %s, the first at %.300s:%zu",
                 faults->of[i].count, faults->of[i].count == 1 ? "" : "s", pairs_fault_names[i],
                 faults->of[i].file, faults->of[i].line);
        tell(l, note);
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
        tell(l, note);
    }
}

/* Say how much of the validation text the vocabularies lack. */
static void remark_unknown(const struct loading *l, const struct encode_drops *drops)
{
    char note[160];
    if (!drops->unknown[0] && !drops->unknown[1])
        return;
    snprintf(note, sizeof note,
             "%.2g %% of the source tokens and %.2g %% of the target tokens of the validation text "
             "are unknown",
             100.0 * (double)drops->unknown[0] / (double)drops->pieces[0],
             100.0 * (double)drops->unknown[1] / (double)drops->pieces[1]);
    remark(l->data, note);
}

/* ---- Text ---- */

/* The languages of the model that is trained on; NULL: it has none, or there is no such model. */
static const struct languages *given_languages(const struct loading *l)
{
    return l->job->given_source ? l->job->given_source->languages : NULL;
}

/* Without any word about validation, a few pairs are held out. */
static enum attend_status settle(struct loading *l, const struct split *split,
                                 struct attend_error *err)
{
    char note[256];
    const enum attend_status status =
        holdout_settle(l->set, split, l->job->options->features, l->folder, err);
    if (status)
        return status;
    holdout_describe(l->set, note, sizeof note);
    remark(l->data, note);
    return ATTEND_OK;
}

static enum attend_status read_pairs(struct loading *l, int set, struct attend_error *err)
{
    const struct attend_data_options *d = l->job->options;
    const struct pairs_input input = {.source = set ? d->valid_src : d->train_src,
                                      .target = set ? d->valid_tgt : d->train_tgt,
                                      .table = set ? d->valid : d->train,
                                      .columns = d->columns,
                                      .features = d->features,
                                      .header = d->header,
                                      .skip_broken = d->skip_broken,
                                      .language_columns = d->language_columns,
                                      .language = {d->source_lang, d->target_lang},
                                      .languages = &l->languages,
                                      .no_new = set || given_languages(l)};
    const enum holdout holdout = holdout_kind(d);
    struct split split;
    struct pairs_faults faults = {0};
    enum attend_status status = holdout_split(&split, d, l->job->seed, err);
    const int sets = holdout ? split.sets : 1;
    for (int i = 0; i < sets && !status; i++)
        status = pairs_new(&l->set[set + i], l->folder, err);
    if (!status)
        status = pairs_read(&input, holdout ? &split : NULL, l->set + set, &faults, err);
    if (!status)
        note_faults(l, &faults);
    if (!status && holdout == HOLDOUT_USUAL)
        status = settle(l, &split, err);
    return status;
}

/* A model with tags needs them from now on, and one without them cannot get any. */
static enum attend_status check_given(const struct loading *l, struct attend_error *err)
{
    if (!l->job->given_source || !given_languages(l) == !languages_tags(&l->languages))
        return ATTEND_OK;
    return error_set(err, ATTEND_USAGE,
                     given_languages(l)
                         ? "the model was trained with `language_columns`; do the same here"
                         : "the model was trained on one pair of languages; train without "
                           "`language_columns`, or a new model");
}

static enum attend_status read_text(struct loading *l, struct attend_error *err)
{
    const struct attend_data_options *d = l->job->options;
    const struct languages *given = given_languages(l);
    enum attend_status status = ATTEND_OK;
    if (given && d->language_columns)
        status = languages_copy(&l->languages, given, err);
    if (!status)
        status = read_pairs(l, TRAIN, err);
    if (!status && (d->valid || d->valid_src))
        status = read_pairs(l, VALID, err);
    return status ? status : check_given(l, err);
}

static enum attend_status find_traps(const struct loading *l, struct attend_error *err)
{
    const struct attend_data_options *d = l->job->options;
    const bool given = d->valid || d->valid_src;
    const struct traps_job job = {
        .train = l->set[TRAIN],
        .valid = l->set[VALID],
        .name = {d->train ? d->train : d->train_src, d->valid ? d->valid : d->train},
        .headless = {d->train && !d->header, (given ? d->valid : d->train) && !d->header},
        .given = given,
        .note = remark,
        .context = l->data};
    const enum attend_status status = traps_find(&job, err);
    return status ? status : strbuf_status(&l->data->remarks, err);
}

/* Write the held-out sets of `split` to files beside the model. */
static enum attend_status write_sets(struct loading *l, struct attend_error *err)
{
    static const char *const names[] = {"train", "valid", "test"};
    const struct languages *languages = languages_tags(&l->languages) ? &l->languages : NULL;
    enum attend_status status = ATTEND_OK;
    for (int i = VALID; i < SETS && l->set[i] && !status; i++) {
        char path[4096], note[4608];
        snprintf(path, sizeof path, "%s.%s", l->job->model, names[i]);
        status = set_files_write(l->set[i], path, languages, err);
        snprintf(note, sizeof note, "%zu %s pairs in %s.src and .tgt", pairs_count(l->set[i]),
                 names[i], path);
        if (!status)
            tell(l, note);
    }
    return status;
}

/* ---- Ids ---- */

static struct encode_rule rule_of(const struct loading *l, int set)
{
    const struct attend_data_options *d = l->job->options;
    const struct text_side *side = l->data->side;
    const bool marked = side[0].tokenizer->letter_case == LETTER_CASE_MARKED;
    return (struct encode_rule){.tokenizer = {side[0].tokenizer, side[1].tokenizer},
                                .vocab = {side[0].vocab, side[1].vocab},
                                .languages = side[0].languages,
                                .max_length = d->max_length,
                                .max_ratio = d->max_ratio,
                                .disguises = set == TRAIN && marked,
                                .disguise_key = rng_key(rng_seed(l->job->seed), 0x63617365)};
}

/* A vocabulary of another model must know most pieces of this text. */
static enum attend_status check_known(const struct loading *l, const struct encode_drops *drops,
                                      struct attend_error *err)
{
    static const char *const names[] = {"source", "target"};
    for (int i = 0; i < 2 && l->job->given_source; i++)
        if ((double)drops->unknown[i] > 0.2 * (double)drops->pieces[i])
            return error_set(err, ATTEND_DATA,
                             "%.0f %% of the %s pieces are unknown to the vocabulary of %s; give "
                             "text of its languages and spelling, or train without `init_from`",
                             100.0 * (double)drops->unknown[i] / (double)drops->pieces[i], names[i],
                             l->job->given_name);
    return ATTEND_OK;
}

static enum attend_status no_pair(const char *where, const struct encode_drops *drops,
                                  struct attend_error *err)
{
    return error_set(err, ATTEND_DATA,
                     "%s: has no line to train on: %ld are empty, %ld too long for `max_length`, "
                     "%ld beyond `max_ratio`",
                     where, drops->count[ENCODE_EMPTY], drops->count[ENCODE_LONG],
                     drops->count[ENCODE_UNEVEN]);
}

static enum attend_status encode(struct loading *l, int set, struct store **out,
                                 struct attend_error *err)
{
    const struct attend_data_options *d = l->job->options;
    const char *where = set && d->valid       ? d->valid
                        : set && d->valid_src ? d->valid_src
                        : d->train            ? d->train
                                              : d->train_src;
    struct encode_drops drops = {0};
    const struct encode_rule rule = rule_of(l, set);
    enum attend_status status = store_new(out, l->folder, STORE_BLOCK, err);
    if (!status)
        status = encode_pairs(&rule, l->set[set], *out, &drops, err);
    if (!status)
        status = store_seal(*out, err);
    if (!status && store_pairs(*out) == 0)
        status = no_pair(where, &drops, err);
    if (!status)
        note_drops(l, &drops, where);
    if (!status && set == VALID)
        remark_unknown(l, &drops);
    return status ? status : check_known(l, &drops, err);
}

/* ---- Subword sampling ---- */

static bool can_sample(const struct text_side *side) { return side->tokenizer->ops->sample; }

static enum attend_status prepare_resampling(struct loading *l, struct attend_error *err)
{
    const struct attend_data_options *o = l->job->options;
    const struct text_side *side = l->data->side;
    if (o->subword_sampling <= 0)
        return ATTEND_OK;
    if (!can_sample(&side[0]) && !can_sample(&side[1]))
        return error_set(err, ATTEND_USAGE,
                         "`subword_sampling` is for subwords, which neither side has; leave it "
                         "out, or use `tokenizer` sentencepiece");
    struct encode_rule rule = rule_of(l, TRAIN);
    rule.alpha = o->subword_sampling;
    rule.key = rng_key(rng_seed(l->job->seed), 0x70696563);
    return resampling_new(&l->data->resampling, &l->set[TRAIN], l->folder, &rule, err);
}

/* ---- Validation pairs, in memory with their text ---- */

struct valid_set {
    struct valid_text text; /* the public part; must be first */
    struct corpus corpus;
    char **line[2];
};

/* Keep the text of the pairs that were encoded, in the normal form of the model. */
static enum attend_status keep_text(struct loading *l, struct valid_set *v,
                                    struct attend_error *err)
{
    const int count = v->corpus.source.count;
    struct text_pair pair;
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
    if (!status)
        status = store_read_all(store, &v->corpus, err);
    for (int i = 0; i < 2 && !status; i++) {
        v->line[i] = calloc((size_t)v->corpus.source.count + 1, sizeof *v->line[i]);
        if (!v->line[i])
            status = error_set(err, ATTEND_NO_MEMORY, "out of memory for validation text");
    }
    if (!status)
        status = keep_text(l, v, err);
    v->text = (struct valid_text){&v->corpus, (const char *const *)v->line[0],
                                  (const char *const *)v->line[1], &l->data->side[1]};
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

/* ---- The data set ---- */

/* One pair of languages, from the options or from the only pair of a table. */
static enum attend_status name_sides(struct loading *l, struct attend_error *err)
{
    const struct attend_data_options *d = l->job->options;
    const struct languages *all = &l->languages;
    struct text_side *side = l->data->side;
    const enum attend_status status = text_side_name(
        &side[0], all->pairs ? all->item[all->pair[0].from].code : d->source_lang, err);
    return status
               ? status
               : text_side_name(&side[1],
                                all->pairs ? all->item[all->pair[0].to].code : d->target_lang, err);
}

static enum attend_status make_sides(struct loading *l, struct attend_error *err)
{
    const struct attend_data_options *d = l->job->options;
    struct text_side *side = l->data->side;
    enum attend_status status;
    if (l->job->given_source) {
        status = text_side_copy(&side[0], l->job->given_source, err);
        if (!status)
            status = text_side_copy(&side[1], l->job->given_target, err);
    } else {
        status = sides_make(side, l->set[TRAIN], l->job, err);
    }
    if (!status && languages_tags(&l->languages))
        return tagging_make(side, &l->languages, l->set[TRAIN], d->joint_vocab || l->job->joint,
                            l->job->given_source, err);
    return status ? status : name_sides(l, err);
}

static enum attend_status load(struct loading *l, struct attend_error *err)
{
    struct dataset *d = l->data;
    enum attend_status status = read_text(l, err);
    if (!status)
        status = find_traps(l, err);
    if (!status && holdout_kind(l->job->options) == HOLDOUT_ASKED && l->job->first_rank)
        status = write_sets(l, err);
    if (!status)
        status = make_sides(l, err);
    if (!status)
        status = encode(l, TRAIN, &d->train, err);
    if (!status)
        status = prepare_resampling(l, err);
    if (!status && l->set[VALID])
        status = load_valid(l, err);
    if (!status)
        snprintf(d->checksum, sizeof d->checksum, "%016" PRIx64, store_checksum(d->train));
    return status;
}

enum attend_status dataset_load(struct dataset *d, const struct dataset_job *job,
                                struct attend_error *err)
{
    /* Other processes may run on hosts that do not have the model's folder. */
    char *folder = job->first_rank ? io_folder(job->model) : strdup(P_tmpdir);
    struct loading l = {.data = d, .job = job, .folder = folder};
    const enum attend_status status =
        folder ? load(&l, err) : error_set(err, ATTEND_NO_MEMORY, "out of memory");
    for (int i = 0; i < SETS; i++)
        pairs_free(l.set[i]);
    languages_release(&l.languages);
    free(folder);
    return status;
}

void dataset_release(struct dataset *d)
{
    for (int i = 0; i < 2; i++)
        text_side_release(&d->side[i]);
    free_valid(d->valid);
    store_free(d->train);
    resampling_free(d->resampling);
    strbuf_release(&d->remarks);
}
