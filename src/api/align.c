#include "attend/align.h"

#include "api/attended.h"
#include "settings/tables.h"
#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "metric/aer.h"
#include "metric/symmetrize.h"
#include "corpus/lines.h"
#include "corpus/parallel.h"
#include "corpus/reader.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Pairs in memory at a time. */
enum { BLOCK = 512 };

enum direction { FORWARD, REVERSE, DIRECTIONS };
enum file { SRC, TGT, LINKS, REVERSE_LINKS, GOLD };

struct attend_aligner {
    struct parallel files;
    struct attended attended[DIRECTIONS];
    const struct symmetrize_row *row;
    int gold_base;
    int at;                                    /* the next pair of the block */
    struct links read[DIRECTIONS], both, gold; /* read from files; both directions merged */
    struct strbuf text;
};

/* ---- Opening ---- */

static enum attend_status check_options(const struct attend_align_options *o,
                                        struct attend_error *err)
{
    const bool models = o->model || o->reverse_model, links = o->links || o->reverse_links;
    const bool two = (o->model && o->reverse_model) || (o->links && o->reverse_links);
    const struct {
        bool wrong;
        const char *message;
    } rules[] = {
        {!models && !links, "`model` is needed, or `links` if the links exist already"},
        {models && links, "models and existing links do not go together"},
        {models && !(o->src && o->tgt), "a model needs `src` and `tgt`, the pairs to align"},
        {!o->src != !o->tgt, "`src` and `tgt` are needed together"},
        {o->symmetrize && !two,
         "`symmetrize` needs both directions: `model` and `reverse_model`, or `links` and "
         "`reverse_links`"},
        {o->gold_base && !o->gold, "`gold_base` needs `gold`"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].wrong)
            return error_set(err, ATTEND_USAGE, "%s", rules[i].message);
    return ATTEND_OK;
}

static enum attend_status open_all(struct attend_aligner *a, const struct attend_align_options *o,
                                   struct attend_error *err)
{
    const char *const path[PARALLEL_FILES] = {[SRC] = o->src,
                                              [TGT] = o->tgt,
                                              [LINKS] = o->links,
                                              [REVERSE_LINKS] = o->reverse_links,
                                              [GOLD] = o->gold};
    const char *const model[DIRECTIONS] = {o->model, o->reverse_model};
    enum attend_status status = parallel_open(&a->files, path, BLOCK, err);
    for (int d = 0; d < DIRECTIONS && !status; d++)
        if (model[d])
            status = attended_open(&a->attended[d], model[d], BLOCK, o, d == REVERSE, err);
    return status;
}

enum attend_status attend_aligner_open(struct attend_aligner **out,
                                       const struct attend_align_options *options,
                                       struct attend_error *err)
{
    struct attend_align_options o;
    enum attend_status status = SETTINGS_TAKE(&o, align_tables, options, err);
    if (!status)
        status = check_options(&o, err);
    if (status)
        return status;
    struct attend_aligner *a = calloc(1, sizeof *a);
    if (!a)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for an aligner");
    a->row = symmetrize_find(o.symmetrize ? o.symmetrize : "grow-diag-final-and");
    a->gold_base = o.gold_base;
    BUG_ON(!a->row);
    status = open_all(a, &o, err);
    if (status)
        attend_aligner_close(a);
    else
        *out = a;
    return status;
}

void attend_aligner_close(struct attend_aligner *a)
{
    if (!a)
        return;
    for (int d = 0; d < DIRECTIONS; d++) {
        attended_close(&a->attended[d]);
        links_release(&a->read[d]);
    }
    links_release(&a->both);
    links_release(&a->gold);
    parallel_close(&a->files);
    strbuf_release(&a->text);
    free(a);
}

/* ---- A block ---- */

static bool by_model(const struct attend_aligner *a, enum direction d)
{
    return a->attended[d].model;
}

static bool has(const struct attend_aligner *a, enum direction d)
{
    return by_model(a, d) || a->files.reader[LINKS + d];
}

/* A translator reports the item of the block and whether it is its source or its target. Move the
 * error to the file and line. */
static void name_line(const struct attend_aligner *a, enum direction d, struct attend_error *err)
{
    if (!err || !err->argument)
        return;
    const enum file file = (strcmp(err->argument, "source") == 0) == (d == FORWARD) ? SRC : TGT;
    attend_error_move(err, reader_name(a->files.reader[file]),
                      (long)parallel_number(&a->files, err->item));
}

static enum attend_status next_block(struct attend_aligner *a, struct attend_error *err)
{
    enum attend_status status = parallel_next(&a->files, err);
    a->at = 0;
    for (int d = 0; d < DIRECTIONS && !status; d++) {
        if (!by_model(a, d))
            continue;
        char **source = a->files.line[d == FORWARD ? SRC : TGT];
        char **target = a->files.line[d == FORWARD ? TGT : SRC];
        status = attended_read(&a->attended[d], source, target, a->files.count, err);
        if (status)
            name_line(a, d, err);
    }
    if (status)
        a->files.count = 0;
    return status;
}

/* ---- A pair ---- */

/* The lengths of a pair: tokens of the models, or words of the text if it is given. */
struct size {
    int sources, targets;
};

static struct size attended_size(const struct attend_aligner *a, enum direction d, int i)
{
    const struct attended *m = &a->attended[d];
    return d == FORWARD ? (struct size){m->sources[i], m->targets[i]}
                        : (struct size){m->targets[i], m->sources[i]};
}

static struct size size_of(const struct attend_aligner *a, int i)
{
    for (int d = 0; d < DIRECTIONS; d++)
        if (by_model(a, d))
            return attended_size(a, d, i);
    if (!a->files.reader[SRC])
        return (struct size){INT_MAX, INT_MAX};
    return (struct size){(int)lines_words(a->files.line[SRC][i]),
                         (int)lines_words(a->files.line[TGT][i])};
}

/* Links of two models can be merged only if both models have the same tokens. */
static enum attend_status check_models(const struct attend_aligner *a, int i,
                                       struct attend_error *err)
{
    if (!by_model(a, FORWARD) || !by_model(a, REVERSE))
        return ATTEND_OK;
    const struct size f = attended_size(a, FORWARD, i), r = attended_size(a, REVERSE, i);
    const bool source = f.sources != r.sources;
    if (!source && f.targets == r.targets)
        return ATTEND_OK;
    return error_at(err, ATTEND_DATA, reader_name(a->files.reader[source ? SRC : TGT]),
                    parallel_number(&a->files, i),
                    "is %d tokens for `model` and %d for `reverse_model`; both models "
                    "must split text in the same way",
                    source ? f.sources : f.targets, source ? r.sources : r.targets);
}

/* Parse the links of a file and return them as source-target. Messages show them as the file has
 * them. */
static enum attend_status read_links(const struct attend_aligner *a, enum file file, int i,
                                     struct links *out, struct attend_error *err)
{
    const char *line = a->files.line[file][i], *name = reader_name(a->files.reader[file]);
    const int base = file == GOLD ? a->gold_base : 0;
    const bool turned = file == REVERSE_LINKS;
    const size_t number = parallel_number(&a->files, i);
    const enum attend_status status =
        links_parse(out, line, strlen(line), base, name, (int)number, err);
    if (status)
        return status;
    const struct size size = size_of(a, i);
    if (turned)
        links_turn(out);
    const struct link *beyond = links_beyond(out, size.sources, size.targets);
    if (!beyond)
        return ATTEND_OK;
    const int source = beyond->source + base, target = beyond->target + base;
    return error_at(err, ATTEND_DATA, name, number,
                    "'%d%c%d' is beyond the pair, which has %d source and %d target words",
                    turned ? target : source, beyond->sure ? '-' : 'p', turned ? source : target,
                    size.sources, size.targets);
}

/* The links of one direction as source-target; NULL when there is no such direction. */
static enum attend_status take_links(struct attend_aligner *a, enum direction d, int i,
                                     const struct links **out, struct attend_error *err)
{
    struct links *links = by_model(a, d) ? &a->attended[d].links[i] : &a->read[d];
    *out = has(a, d) ? links : NULL;
    if (!has(a, d))
        return ATTEND_OK;
    if (!by_model(a, d))
        return read_links(a, LINKS + d, i, links, err);
    if (d == REVERSE)
        links_turn(links);
    return ATTEND_OK;
}

/* The links of the next pair, which the aligner owns; NULL after the last. */
static enum attend_status next_pair(struct attend_aligner *a, const struct links **out,
                                    struct attend_error *err)
{
    const struct links *links[DIRECTIONS] = {NULL, NULL};
    enum attend_status status = ATTEND_OK;
    if (a->at == a->files.count)
        status = next_block(a, err);
    *out = NULL;
    if (status || a->files.count == 0)
        return status;
    const int i = a->at++;
    status = check_models(a, i, err);
    for (int d = 0; d < DIRECTIONS && !status; d++)
        status = take_links(a, d, i, &links[d], err);
    *out = links[FORWARD] ? links[FORWARD] : links[REVERSE];
    if (!status && links[FORWARD] && links[REVERSE]) {
        status = symmetrize(&a->both, links[FORWARD], links[REVERSE], a->row, err);
        *out = &a->both;
    }
    return status;
}

enum attend_status attend_aligner_next(struct attend_aligner *a, const char **out,
                                       struct attend_error *err)
{
    const struct links *links;
    *out = NULL;
    enum attend_status status = next_pair(a, &links, err);
    if (status || !links)
        return status;
    strbuf_clear(&a->text);
    strbuf_adds(&a->text, "");
    links_print(links, &a->text);
    status = strbuf_status(&a->text, err);
    if (!status)
        *out = a->text.text;
    return status;
}

/* ---- Judging ---- */

enum attend_status attend_aligner_judge(struct attend_aligner *a, struct attend_aer *out,
                                        struct attend_error *err)
{
    struct aer_counts counts = {0};
    const struct links *links;
    enum attend_status status;
    if (!a->files.reader[GOLD])
        return error_set(err, ATTEND_USAGE, "`gold` is needed for the alignment error rate");
    while (!(status = next_pair(a, &links, err)) && links) {
        status = read_links(a, GOLD, a->at - 1, &a->gold, err);
        if (status)
            return status;
        aer_add(&counts, links, &a->gold);
    }
    if (!status && reader_count(a->files.reader[GOLD]) == 0)
        status = error_set(err, ATTEND_DATA, "%s: is empty", reader_name(a->files.reader[GOLD]));
    if (!status)
        *out = (struct attend_aer){.rate = aer_rate(&counts),
                                   .precision = aer_precision(&counts),
                                   .recall = aer_recall(&counts),
                                   .links = counts.hypothesis};
    return status;
}
