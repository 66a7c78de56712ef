#include "attend/distill.h"

#include "api/distill_state.h"
#include "api/translation.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/io.h"
#include "base/json_writer.h"
#include "base/option_json.h"
#include "base/strbuf.h"
#include "corpus/pairs.h"
#include "corpus/pairs_read.h"
#include "corpus/set_files.h"
#include "metric/metric.h"
#include "settings/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines between two states on disk: enough to keep all threads busy; and files, whose frames are in
 * memory together. */
enum { BLOCK = 1024, BLOCK_FILES = 128 };

/* A line to translate. Its texts are copies. */
struct line {
    char *source, *target; /* source: with the features behind a tab */
    struct language_pair languages;
};

struct distilling {
    struct attend_translator *t;
    struct attend_distill_options options;
    struct attend_distill_hooks hooks;
    const struct metric_ops *closest; /* or NULL */
    struct languages languages;       /* of the pairs; of none without `language_columns` */
    struct pairs *pairs;
    struct strbuf settings; /* as JSON */
    char *part, *progress;  /* paths */
    char *folder;           /* of the files that sources name, with a slash; NULL: they are text */
    struct io_lock lock;
    FILE *file; /* the part */
    struct checksum text;
    struct distill_state state;
    long resumed;
    double begun;
    struct line line[BLOCK];
    int count;
    const char *source[BLOCK];
    struct attend_constraint constraint[BLOCK];
    struct attend_translation result[BLOCK];
    struct strbuf rows; /* of the block */
};

static void report(const struct distilling *d, const char *note)
{
    if (d->hooks.report)
        d->hooks.report(d->hooks.context,
                        &(struct attend_distill_report){
                            .note = note,
                            .lines = d->pairs ? (long)pairs_count(d->pairs) : 0,
                            .done = d->state.done,
                            .resumed = d->resumed,
                            .rows = d->state.rows,
                            .cut_off = d->state.cut_off,
                            .seconds = d->begun > 0 ? clock_seconds() - d->begun : 0});
}

/* ---- What the result depends on ---- */

static uint64_t net_checksum(const struct seq2seq *net)
{
    struct checksum sum;
    checksum_init(&sum);
    for (int i = 0; i < net->params.count; i++) {
        const struct param *p = net->params.item[i];
        const size_t size = (size_t)p->rows * (size_t)p->cols;
        if (p->int8)
            checksum_add(&sum, p->int8, size);
        else if (p->value)
            checksum_add(&sum, p->value, size * sizeof *p->value);
    }
    return checksum_value(&sum);
}

static enum attend_status describe(struct distilling *d, struct attend_error *err)
{
    const struct search_setup *setup = &d->t->setup;
    struct strbuf models = {0};
    struct json_writer w = {.out = &d->settings};
    for (int i = 0; i < setup->nets; i++)
        strbuf_addf(&models, "%s%016" PRIx64, i ? " " : "", net_checksum(setup->net[i]));
    json_begin_object(&w, NULL);
    option_json_put(&w, search_rows, &setup->options);
    option_json_put(&w, direction_rows, &setup->options);
    json_put_flag(&w, "allow_unk", setup->options.allow_unk);
    option_json_put(&w, distill_rows, &d->options);
    json_put_text(&w, "model", models.text);
    json_end(&w);
    enum attend_status status = strbuf_status(&models, err);
    if (!status)
        status = strbuf_status(&d->settings, err);
    strbuf_release(&models);
    return status;
}

static enum attend_status check_options(struct distilling *d, struct attend_error *err)
{
    const struct attend_distill_options *o = &d->options;
    if (!o->output || !*o->output)
        return error_set(err, ATTEND_USAGE, "give `output`, the file for the translations");
    d->closest = o->closest ? metric_find(o->closest) : NULL;
    if (d->closest && d->t->setup.options.nbest < 2)
        return error_set(err, ATTEND_USAGE, "`closest` chooses among `nbest` 2 or more");
    return ATTEND_OK;
}

/* ---- The text ---- */

static const char *text_file(const struct distilling *d)
{
    const char *file = d->options.train ? d->options.train : d->options.train_src;
    return file ? file : "-";
}

static enum attend_status read_pairs(struct distilling *d, struct attend_error *err)
{
    const struct attend_distill_options *o = &d->options;
    const struct pairs_input input = {.source = o->train_src,
                                      .target = o->train_tgt,
                                      .table = o->train,
                                      .columns = o->columns,
                                      .features = o->features,
                                      .header = o->header,
                                      .skip_broken = o->skip_broken,
                                      .sources_only = true,
                                      .language_columns = o->language_columns,
                                      .language = {o->source_lang, o->target_lang},
                                      .languages = &d->languages};
    struct pairs_faults faults = {0};
    char note[512], *folder = io_folder(o->output);
    enum attend_status status =
        folder ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for a path");
    if (d->t->model->source.frames && !(d->folder = set_files_folder(text_file(d))))
        status = error_set(err, ATTEND_IO, "%s: has no folder", text_file(d));
    if (!status)
        status = pairs_new(&d->pairs, folder, err);
    if (!status)
        status = pairs_read(&input, NULL, &d->pairs, &faults, err);
    for (int i = 0; i < PAIRS_FAULTS && !status; i++)
        if (pairs_faults_print(&faults, (enum pairs_fault)i, note, sizeof note))
            report(d, note);
    free(folder);
    return status;
}

/* Before hours of work: whether every line can be a row, and has what the options need. */
static enum attend_status check_pair(const struct distilling *d, const struct text_pair *pair,
                                     struct attend_error *err)
{
    const struct attend_distill_options *o = &d->options;
    const char *file = text_file(d), *tab = strchr(pair->source, '\t');
    if (tab && (!o->features || strchr(tab + 1, '\t')))
        return error_at(err, ATTEND_DATA, file, pair->line,
                        "has a tab, which a table cannot hold; replace it by a blank");
    if ((o->keep || d->closest) && !*pair->target)
        return error_at(err, ATTEND_DATA, file, pair->line, "has no target, and `%s` needs one",
                        o->keep ? "keep" : "closest");
    return ATTEND_OK;
}

static enum attend_status check_pairs(const struct distilling *d, struct attend_error *err)
{
    struct text_pair pair = {0};
    enum attend_status status = pairs_rewind(d->pairs, err);
    do {
        if (!status)
            status = pairs_next(d->pairs, &pair, err);
        if (!status && pair.source)
            status = check_pair(d, &pair, err);
    } while (!status && pair.source);
    return status ? status : pairs_rewind(d->pairs, err);
}

/* Pass to the next line, which becomes part of the checksum. */
static enum attend_status next_pair(struct distilling *d, struct text_pair *pair,
                                    struct attend_error *err)
{
    const enum attend_status status = pairs_next(d->pairs, pair, err);
    if (status || !pair->source)
        return status;
    checksum_add(&d->text, pair->source, pair->source_length + 1);
    checksum_add(&d->text, pair->target, pair->target_length + 1);
    checksum_add(&d->text, &pair->languages, sizeof pair->languages);
    return ATTEND_OK;
}

/* ---- The files ---- */

static enum attend_status write_error(const char *path, const char *what, struct attend_error *err)
{
    return error_set(err, ATTEND_IO, "%s: cannot be %s: %s", path, what, strerror(errno));
}

static enum attend_status name_files(struct distilling *d, struct attend_error *err)
{
    struct strbuf part = {0}, progress = {0}, lock = {0};
    strbuf_addf(&part, "%s.part", d->options.output);
    strbuf_addf(&progress, "%s.progress", d->options.output);
    strbuf_addf(&lock, "%s.lock", d->options.output);
    enum attend_status status = strbuf_status(&lock, err);
    d->part = strbuf_detach(&part);
    d->progress = strbuf_detach(&progress);
    if (!d->part || !d->progress)
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for a path");
    if (!status)
        status = io_lock(&d->lock, lock.text, err);
    strbuf_release(&lock);
    return status;
}

/* Cut the part to the rows that the state knows of, and skip their lines. */
static enum attend_status continue_part(struct distilling *d, struct attend_error *err)
{
    struct text_pair pair;
    enum attend_status status = ATTEND_OK;
    d->file = fopen(d->part, "r+be");
    if (!d->file)
        return write_error(d->part, "continued", err);
    if (fseeko(d->file, 0, SEEK_END) || (uint64_t)ftello(d->file) < d->state.bytes)
        return error_set(err, ATTEND_FORMAT,
                         "%s: is shorter than %s says; `overwrite` starts again", d->part,
                         d->progress);
    if (ftruncate(fileno(d->file), (off_t)d->state.bytes) ||
        fseeko(d->file, (off_t)d->state.bytes, SEEK_SET))
        return write_error(d->part, "continued", err);
    for (long i = 0; i < d->state.done && !status; i++)
        status = next_pair(d, &pair, err);
    if (!status && checksum_value(&d->text) != d->state.text)
        status = error_set(err, ATTEND_USAGE,
                           "%s: the text has changed since; `overwrite` starts again", d->progress);
    d->resumed = d->t->lines = d->state.done;
    return status;
}

/* A state without its part is left by a run that was interrupted at its very end. */
static enum attend_status open_part(struct distilling *d, struct attend_error *err)
{
    const struct attend_distill_options *o = &d->options;
    bool found = false, part = false, there = false;
    enum attend_status status = io_exists(d->part, &part, err);
    if (!status && part && !o->overwrite)
        status = distill_state_load(&d->state, &found, d->progress, d->settings.text, err);
    if (!status && found)
        return continue_part(d, err);
    if (!status)
        status = io_exists(o->output, &there, err);
    if (status)
        return status;
    if (there && !o->overwrite)
        return error_set(err, ATTEND_USAGE, "%s: exists already; use `overwrite` to replace it",
                         o->output);
    unlink(d->progress);
    d->file = fopen(d->part, "wbe");
    return d->file ? ATTEND_OK : write_error(d->part, "written", err);
}

static enum attend_status finish(struct distilling *d, struct attend_error *err)
{
    const bool closed = fclose(d->file) == 0;
    d->file = NULL;
    if (!closed || rename(d->part, d->options.output))
        return write_error(d->part, "finished", err);
    unlink(d->progress);
    return ATTEND_OK;
}

/* ---- Rows ---- */

/* Tabs and line ends separate columns and rows. */
static void put_text(struct strbuf *out, const char *text)
{
    for (; *text; text++)
        strbuf_addc(out, strchr("\t\n\r", *text) ? ' ' : *text);
}

static void put_row(struct distilling *d, const struct line *l, const char *target)
{
    const char *tab = strchr(l->source, '\t');
    const struct languages *all = &d->languages;
    if (d->folder && *l->source != '/')
        strbuf_adds(&d->rows, d->folder);
    strbuf_add(&d->rows, l->source, tab ? (size_t)(tab - l->source) : strlen(l->source));
    strbuf_addc(&d->rows, '\t');
    put_text(&d->rows, target);
    strbuf_adds(&d->rows, tab ? tab : "");
    if (all->count)
        strbuf_addf(&d->rows, "\t%s\t%s", all->item[l->languages.from].code,
                    all->item[l->languages.to].code);
    strbuf_addc(&d->rows, '\n');
    d->state.rows++;
}

/* Hypothesis h of a translation. */
static const struct attend_translation *at(const struct attend_translation *t, int h)
{
    return h ? &t->other[h - 1] : t;
}

/* How near a hypothesis is to the given target: larger is nearer. */
static enum attend_status judge(const struct distilling *d, const char *text, const char *target,
                                double *out, struct attend_error *err)
{
    const struct metric_settings settings = {.effective_order = true};
    double sums[METRIC_SUMS] = {0};
    const enum attend_status status = d->closest->collect(text, &target, 1, &settings, sums, err);
    *out = d->closest->score(sums, &settings) * (d->closest->lower_is_better ? -1 : 1);
    return status;
}

static enum attend_status put_closest(struct distilling *d, const struct line *l,
                                      const struct attend_translation *t, struct attend_error *err)
{
    const char *best = NULL;
    double nearest = 0;
    enum attend_status status = ATTEND_OK;
    for (int h = 0; h <= t->others && !status; h++) {
        double near;
        if (!at(t, h)->complete || !*at(t, h)->text)
            continue;
        status = judge(d, at(t, h)->text, l->target, &near, err);
        if (!best || near > nearest) {
            best = at(t, h)->text;
            nearest = near;
        }
    }
    if (!status && best)
        put_row(d, l, best);
    return status;
}

static enum attend_status put_line(struct distilling *d, const struct line *l,
                                   const struct attend_translation *t, struct attend_error *err)
{
    if (d->options.keep)
        put_row(d, l, l->target);
    for (int h = 0; h <= t->others; h++)
        d->state.cut_off += !at(t, h)->complete;
    if (d->closest)
        return put_closest(d, l, t, err);
    for (int h = 0; h <= t->others; h++)
        if (at(t, h)->complete && *at(t, h)->text)
            put_row(d, l, at(t, h)->text);
    return ATTEND_OK;
}

/* ---- Blocks ---- */

static void drop_block(struct distilling *d)
{
    for (int i = 0; i < d->count; i++) {
        free(d->line[i].source);
        free(d->line[i].target);
    }
    d->count = 0;
}

static enum attend_status read_block(struct distilling *d, struct attend_error *err)
{
    struct text_pair pair = {0};
    enum attend_status status = ATTEND_OK;
    drop_block(d);
    while (d->count < (d->folder ? BLOCK_FILES : BLOCK) && !status) {
        status = next_pair(d, &pair, err);
        if (status || !pair.source)
            break;
        struct line *l = &d->line[d->count++];
        *l = (struct line){strdup(pair.source), strdup(pair.target), pair.languages};
        if (!l->source || !l->target)
            status = error_set(err, ATTEND_NO_MEMORY, "out of memory for a block of lines");
    }
    return status;
}

static enum attend_status translate(struct distilling *d, struct attend_error *err)
{
    for (int i = 0; i < d->count; i++) {
        const struct language_pair l = d->line[i].languages;
        d->source[i] = d->line[i].source;
        if (d->languages.count) {
            d->constraint[i].from = d->languages.item[l.from].code;
            d->constraint[i].to = d->languages.item[l.to].code;
        }
    }
    return attend_translate_constrained(d->t, d->source, d->constraint, d->count, d->result, err);
}

/* Make the rows durable, and only then say so in the state. */
static enum attend_status write_block(struct distilling *d, struct attend_error *err)
{
    enum attend_status status = strbuf_status(&d->rows, err);
    if (status)
        return status;
    if (fwrite(d->rows.text ? d->rows.text : "", 1, d->rows.length, d->file) != d->rows.length ||
        fflush(d->file) || fsync(fileno(d->file)))
        return write_error(d->part, "written", err);
    d->state.done += d->count;
    d->state.bytes += d->rows.length;
    d->state.text = checksum_value(&d->text);
    return distill_state_save(&d->state, d->progress, d->settings.text, err);
}

static enum attend_status do_block(struct distilling *d, struct attend_error *err)
{
    enum attend_status status = read_block(d, err);
    if (status || !d->count)
        return status;
    status = translate(d, err);
    if (status)
        return status;
    strbuf_clear(&d->rows);
    for (int i = 0; i < d->count; i++) {
        if (!status)
            status = put_line(d, &d->line[i], &d->result[i], err);
        attend_translation_release(&d->result[i]);
    }
    if (!status)
        status = write_block(d, err);
    if (!status)
        report(d, NULL);
    return status;
}

/* ---- The run ---- */

static enum attend_status run(struct distilling *d, struct attend_error *err)
{
    enum attend_status status = check_options(d, err);
    if (!status)
        status = describe(d, err);
    if (!status)
        status = name_files(d, err);
    if (!status)
        status = read_pairs(d, err);
    if (!status)
        status = check_pairs(d, err);
    if (!status)
        status = open_part(d, err);
    d->begun = clock_seconds();
    if (!status)
        report(d, NULL);
    do {
        if (!status)
            status = do_block(d, err);
    } while (!status && d->count);
    return status ? status : finish(d, err);
}

static void release(struct distilling *d)
{
    if (d->file)
        fclose(d->file);
    drop_block(d);
    pairs_free(d->pairs);
    languages_release(&d->languages);
    strbuf_release(&d->settings);
    strbuf_release(&d->rows);
    io_unlock(&d->lock);
    free(d->part);
    free(d->progress);
    free(d->folder);
    free(d);
}

enum attend_status attend_distill(struct attend_translator *t,
                                  const struct attend_distill_options *options,
                                  const struct attend_distill_hooks *hooks,
                                  struct attend_error *err)
{
    struct distilling *d = calloc(1, sizeof *d);
    if (!d)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a distillation");
    d->t = t;
    d->lock.file = -1;
    d->hooks = hooks ? *hooks : (struct attend_distill_hooks){0};
    checksum_init(&d->text);
    enum attend_status status = SETTINGS_TAKE(&d->options, distill_tables, options, err);
    if (!status)
        status = run(d, err);
    release(d);
    return status;
}
