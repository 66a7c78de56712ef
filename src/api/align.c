#include "attend/align.h"

#include "api/attended.h"
#include "api/options.h"
#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "metric/aer.h"
#include "metric/symmetrize.h"
#include "text/lines.h"
#include "text/parallel.h"
#include "text/reader.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Pairs held in memory at a time. */
enum { BLOCK = 512 };

enum direction { FORWARD, REVERSE, DIRECTIONS };
enum file { SRC, TGT, LINKS, REVERSE_LINKS, GOLD };

struct attend_aligner {
    struct parallel files;
    struct attended attended[DIRECTIONS];
    const struct symmetrize_row *row;
    int gold_base;
    int at; /* the next pair of the block */
    struct links direction[DIRECTIONS], both, gold;
    struct strbuf text;
};

/* ---- Opening ---- */

static enum attend_status check_flags(const struct attend_options *options,
                                      struct attend_error *err)
{
    const struct program_options *o = &options->program;
    const bool models = o->model || o->reverse_model, links = o->links || o->reverse_links;
    const bool two = (o->model && o->reverse_model) || (o->links && o->reverse_links);
    const struct {
        bool wrong;
        const char *message;
    } rules[] = {
        {!models && !links, "--model is needed, or --links if there are links already"},
        {models && links, "models and existing links do not go together"},
        {models && !(o->src && o->tgt), "a model needs --src and --tgt, the pairs to align"},
        {!o->src != !o->tgt, "--src and --tgt are needed together"},
        {option_given(&options->set, "symmetrize") && !two,
         "--symmetrize needs both directions: --model and --reverse-model, or --links and "
         "--reverse-links"},
        {option_given(&options->set, "gold-base") && !o->gold, "--gold-base needs --gold"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].wrong)
            return error_set(err, ATTEND_USAGE, "%s; see attend align --help", rules[i].message);
    return ATTEND_OK;
}

static enum attend_status open_all(struct attend_aligner *a, const struct attend_options *options,
                                   struct attend_error *err)
{
    const struct program_options *o = &options->program;
    const char *const path[PARALLEL_FILES] = {[SRC] = o->src,
                                              [TGT] = o->tgt,
                                              [LINKS] = o->links,
                                              [REVERSE_LINKS] = o->reverse_links,
                                              [GOLD] = o->gold};
    const char *const model[DIRECTIONS] = {o->model, o->reverse_model};
    enum attend_status status = parallel_open(&a->files, path, BLOCK, err);
    for (int d = 0; d < DIRECTIONS && !status; d++)
        if (model[d])
            status = attended_open(&a->attended[d], model[d], BLOCK, options, err);
    return status;
}

enum attend_status attend_aligner_open(struct attend_aligner **out,
                                       const struct attend_options *options,
                                       struct attend_error *err)
{
    enum attend_status status = check_flags(options, err);
    if (status)
        return status;
    struct attend_aligner *a = calloc(1, sizeof *a);
    if (!a)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for an aligner");
    a->row = symmetrize_find(options->program.symmetrize);
    a->gold_base = options->program.gold_base;
    BUG_ON(!a->row);
    status = open_all(a, options, err);
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
        links_release(&a->direction[d]);
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

/* The model counts lines within the block and calls them its source and target. */
static void name_line(const struct attend_aligner *a, enum direction d, struct attend_error *err)
{
    char side[8];
    int line, used = 0;
    if (!err || sscanf(err->message, "%6[a-z]:%d%n", side, &line, &used) != 2 || line < 1)
        return;
    const enum file file = (strcmp(side, "source") == 0) == (d == FORWARD) ? SRC : TGT;
    const struct attend_error old = *err;
    error_set(err, ATTEND_DATA, "%s:%zu%s", reader_name(a->files.reader[file]),
              parallel_number(&a->files, line - 1), old.message + used);
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

/* How long a pair is: tokens of the models, or words of the text, where it is given. */
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

/* Links of two models can be joined when both see the same words. */
static enum attend_status check_models(const struct attend_aligner *a, int i,
                                       struct attend_error *err)
{
    if (!by_model(a, FORWARD) || !by_model(a, REVERSE))
        return ATTEND_OK;
    const struct size f = attended_size(a, FORWARD, i), r = attended_size(a, REVERSE, i);
    const bool source = f.sources != r.sources;
    if (!source && f.targets == r.targets)
        return ATTEND_OK;
    return error_set(err, ATTEND_DATA,
                     "%s:%zu: is %d tokens for --model and %d for --reverse-model: both models "
                     "must split text alike",
                     reader_name(a->files.reader[source ? SRC : TGT]),
                     parallel_number(&a->files, i), source ? f.sources : f.targets,
                     source ? r.sources : r.targets);
}

/* Links of a file as source-target; messages show them as they stand there. */
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
    return error_set(err, ATTEND_DATA,
                     "%s:%zu: '%d%c%d' is beyond the pair, which has %d source and %d target words",
                     name, number, turned ? target : source, beyond->sure ? '-' : 'p',
                     turned ? source : target, size.sources, size.targets);
}

static enum attend_status read_direction(struct attend_aligner *a, enum direction d, int i,
                                         struct attend_error *err)
{
    struct links *out = &a->direction[d];
    if (!by_model(a, d))
        return read_links(a, LINKS + d, i, out, err);
    const char *links = a->attended[d].links[i];
    const enum attend_status status =
        links_parse(out, links, strlen(links), 0, "the attention", 1, err);
    if (d == REVERSE)
        links_turn(out);
    return status;
}

/* The links of the next pair, which belong to the aligner; NULL past the last. */
static enum attend_status next_pair(struct attend_aligner *a, const struct links **out,
                                    struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    if (a->at == a->files.count)
        status = next_block(a, err);
    *out = NULL;
    if (status || a->files.count == 0)
        return status;
    const int i = a->at++;
    status = check_models(a, i, err);
    for (int d = 0; d < DIRECTIONS && !status; d++)
        if (has(a, d))
            status = read_direction(a, d, i, err);
    *out = &a->direction[has(a, FORWARD) ? FORWARD : REVERSE];
    if (!status && has(a, FORWARD) && has(a, REVERSE)) {
        status = symmetrize(&a->both, &a->direction[FORWARD], &a->direction[REVERSE], a->row, err);
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
        return error_set(err, ATTEND_USAGE, "--gold is needed to judge links");
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
