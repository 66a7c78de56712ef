#include "corpus/dataset.h"

#include "corpus/sides.h"
#include "base/error.h"
#include "base/io.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "corpus/encode.h"
#include "corpus/encode_set.h"
#include "corpus/holdout.h"
#include "corpus/pairs.h"
#include "corpus/pairs_read.h"
#include "corpus/set_files.h"
#include "corpus/split.h"
#include "corpus/store.h"
#include "corpus/tagging.h"
#include "corpus/traps.h"
#include "corpus/valid_set.h"
#include "attend/frames.h"
#include "frames/source.h"
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

/* What only a source of text can have. */
static enum attend_status check_frames(const struct attend_data_options *d,
                                       struct attend_error *err)
{
    const struct {
        const char *name;
        bool given;
    } only_text[] = {
        {"features", d->features},
        {"language_columns", d->language_columns},
        {"source_lang", d->source_lang},
        {"joint_vocab", d->joint_vocab},
        {"subword_sampling", d->subword_sampling > 0},
        {"max_ratio", d->max_ratio > 0},
        {"guide", d->guide},
        {"case", d->letter_case && strcmp(d->letter_case, "auto") != 0 &&
                     strcmp(d->letter_case, "keep") != 0},
    };
    for (size_t i = 0; i < sizeof only_text / sizeof *only_text && sides_has_frames(d); i++)
        if (only_text[i].given)
            return error_set(err, ATTEND_USAGE,
                             "`%s` needs a source of text, and `src_tokenizer` %s reads files of "
                             "frames",
                             only_text[i].name, d->src_tokenizer);
    return ATTEND_OK;
}

/* What a target of strokes cannot have. */
static enum attend_status check_strokes(const struct attend_data_options *d,
                                        struct attend_error *err)
{
    const struct {
        const char *name;
        bool given;
    } only_text[] = {
        {"language_columns", d->language_columns},
        {"target_lang", d->target_lang},
        {"joint_vocab", d->joint_vocab},
        {"subword_sampling", d->subword_sampling > 0},
        {"max_ratio", d->max_ratio > 0},
        {"guide", d->guide},
        {"split", d->split && strcmp(d->split, "none") != 0},
    };
    for (size_t i = 0; i < sizeof only_text / sizeof *only_text && sides_writes(d); i++)
        if (only_text[i].given)
            return error_set(err, ATTEND_USAGE,
                             "`%s` needs a target of text, and `tgt_tokenizer` %s reads strokes",
                             only_text[i].name, d->tgt_tokenizer);
    return sides_writes(d) && sides_has_frames(d)
               ? error_set(err, ATTEND_USAGE, "a target of strokes needs a source of text")
               : ATTEND_OK;
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
    enum attend_status status = check_frames(d, err);
    if (!status)
        status = check_strokes(d, err);
    return status ? status : check_languages(d, err);
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
        if (pairs_faults_print(faults, (enum pairs_fault)i, note, sizeof note))
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
    const double target = 100.0 * (double)drops->unknown[1] / (double)drops->pieces[1];
    if (l->data->side[0].frames)
        snprintf(note, sizeof note,
                 "%.2g %% of the target tokens of the validation text are unknown", target);
    else if (l->data->side[1].frames)
        snprintf(note, sizeof note,
                 "%.2g %% of the source tokens of the validation text are unknown",
                 100.0 * (double)drops->unknown[0] / (double)drops->pieces[0]);
    else
        snprintf(note, sizeof note,
                 "%.2g %% of the source tokens and %.2g %% of the target tokens of the validation "
                 "text are unknown",
                 100.0 * (double)drops->unknown[0] / (double)drops->pieces[0], target);
    remark(l->data, note);
}

/* ---- Text ---- */

/* The languages of the model that is trained on; NULL: it has none, or there is no such model. */
static const struct languages *given_languages(const struct loading *l)
{
    return l->job->given_source ? l->job->given_source->languages : NULL;
}

/* The file with the sources of a set. */
static const char *file_of(const struct loading *l, int set)
{
    const struct attend_data_options *d = l->job->options;
    return set && d->valid       ? d->valid
           : set && d->valid_src ? d->valid_src
           : d->train            ? d->train
                                 : d->train_src;
}

/* The file with the targets of a set. */
static const char *target_file_of(const struct loading *l, int set)
{
    const struct attend_data_options *d = l->job->options;
    return set && d->valid       ? d->valid
           : set && d->valid_tgt ? d->valid_tgt
           : d->train            ? d->train
                                 : d->train_tgt;
}

/* Whether targets are files of strokes. */
static bool writes(const struct loading *l)
{
    return l->job->given_target ? l->job->given_target->frames != NULL
                                : sides_writes(l->job->options);
}

/* Whether sources are files of frames. */
static bool reads_frames(const struct loading *l)
{
    return l->job->given_source ? l->job->given_source->frames != NULL
                                : sides_has_frames(l->job->options);
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
                                      .no_new = set || given_languages(l),
                                      .guide = set ? NULL : d->guide};
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
        .paths = reads_frames(l) || writes(l),
        .beside = {reads_frames(l) ? file_of(l, TRAIN) : NULL,
                   reads_frames(l) ? file_of(l, VALID) : NULL},
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
    const char *paths = reads_frames(l) ? file_of(l, TRAIN) : NULL;
    enum attend_status status = ATTEND_OK;
    for (int i = VALID; i < SETS && l->set[i] && !status; i++) {
        char path[4096], note[4608];
        snprintf(path, sizeof path, "%s.%s", l->job->model, names[i]);
        status = set_files_write(l->set[i], path, languages, paths, err);
        snprintf(note, sizeof note, "%zu %s pairs in %s.src and .tgt", pairs_count(l->set[i]),
                 names[i], path);
        if (!status)
            tell(l, note);
    }
    return status;
}

/* ---- Ids ---- */

static enum attend_status encode(struct loading *l, int set, struct store **out,
                                 struct attend_error *err)
{
    struct encode_drops drops = {0};
    const struct encode_set set_of = {.job = l->job,
                                      .side = l->data->side,
                                      .pairs = l->set[set],
                                      .trains = set == TRAIN,
                                      .file = file_of(l, set),
                                      .paths = writes(l) ? target_file_of(l, set) : file_of(l, set),
                                      .folder = l->folder};
    const enum attend_status status = encode_set(out, &set_of, &drops, err);
    if (status)
        return status;
    note_drops(l, &drops, file_of(l, set));
    if (set == VALID)
        remark_unknown(l, &drops);
    return encode_set_check(l->job, &drops, err);
}

/* ---- Subword sampling ---- */

static bool can_sample(const struct text_side *side)
{
    return side->tokenizer && side->tokenizer->ops->sample;
}

static enum attend_status prepare_resampling(struct loading *l, struct attend_error *err)
{
    const struct attend_data_options *o = l->job->options;
    const struct text_side *side = l->data->side;
    if (o->subword_sampling <= 0)
        return ATTEND_OK;
    if (side[0].frames)
        return error_set(err, ATTEND_USAGE,
                         "`subword_sampling` needs a source of text, and the model reads frames");
    if (!can_sample(&side[0]) && !can_sample(&side[1]))
        return error_set(err, ATTEND_USAGE,
                         "`subword_sampling` is for subwords, which neither side has; leave it "
                         "out, or use `tokenizer` sentencepiece");
    struct encode_rule rule = encode_set_rule(l->job, side, true);
    rule.alpha = o->subword_sampling;
    rule.key = rng_key(rng_seed(l->job->seed), 0x70696563);
    return resampling_new(&l->data->resampling, &l->set[TRAIN], l->folder, &rule, err);
}

/* ---- Validation pairs ---- */

static enum attend_status load_valid(struct loading *l, struct attend_error *err)
{
    struct store *store = NULL;
    enum attend_status status = encode(l, VALID, &store, err);
    if (!status)
        status = valid_set_new(&l->data->valid, store, l->set[VALID], l->data->side, err);
    store_free(store);
    return status;
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
        if (!status && side[0].frames && d->frames)
            frame_source_use(side[0].frames, d->frames->modules);
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
    valid_set_free(d->valid);
    store_free(d->train);
    resampling_free(d->resampling);
    strbuf_release(&d->remarks);
}
