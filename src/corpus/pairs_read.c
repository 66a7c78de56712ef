#include "corpus/pairs_read.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "base/stream.h"
#include "corpus/columns.h"
#include "corpus/pairs.h"
#include "corpus/parallel.h"
#include "corpus/reader.h"
#include "corpus/split.h"

#include <stdio.h>
#include <string.h>

const char *const pairs_fault_names[PAIRS_FAULTS] = {
    [PAIRS_NOT_UTF8] = "invalid UTF-8",
    [PAIRS_NUL] = "NUL",
    [PAIRS_TOO_LONG] = "too long",
    [PAIRS_MISSING_COLUMN] = "missing column",
    [PAIRS_NO_LANGUAGE] = "unknown language",
    [PAIRS_EMPTY_SIDE] = "empty side",
};

struct reading {
    const struct pairs_input *input;
    const struct split *split;
    struct pairs *const *sink;
    struct pairs_faults *faults;
    struct reader *source, *target; /* target NULL: source is a table */
    struct reader *guide;           /* or NULL */
    struct reader_line links;       /* its current line */
    struct columns columns;
    struct strbuf joined; /* source<TAB>features */
};

/* ---- Faults ---- */

/* The name of a reader's file, from the input, because it must outlive the reader. */
static const char *file_of(const struct reading *job, const struct reader *reader)
{
    if (reader == job->target)
        return stream_file_name(job->input->target);
    return stream_file_name(job->input->table ? job->input->table : job->input->source);
}

static void note(struct reading *job, enum pairs_fault fault, const struct reader *reader,
                 size_t line)
{
    struct pairs_fault_count *of = &job->faults->of[fault];
    if (of->count++ == 0) {
        of->file = file_of(job, reader);
        of->line = line;
    }
}

bool pairs_faults_print(const struct pairs_faults *faults, enum pairs_fault fault, char *out,
                        size_t size)
{
    const struct pairs_fault_count *of = &faults->of[fault];
    snprintf(out, size, "%zu pair%s left out, %s, the first at %.300s:%zu", of->count,
             of->count == 1 ? "" : "s", pairs_fault_names[fault], of->count ? of->file : "",
             of->line);
    return of->count > 0;
}

/* Add `skip_broken` to a message, as another thing to do. */
static enum attend_status or_skip(enum attend_status status, struct attend_error *err)
{
    const size_t used = err ? strlen(err->message) : 0;
    if (err)
        snprintf(err->message + used, sizeof err->message - used,
                 ", or skip such pairs with `skip_broken`");
    return status;
}

static enum attend_status broken_line(struct reading *job, const struct reader *reader,
                                      const struct reader_line *line, struct attend_error *err)
{
    static const enum pairs_fault kinds[] = {[READER_NOT_UTF8] = PAIRS_NOT_UTF8,
                                             [READER_NUL] = PAIRS_NUL,
                                             [READER_TOO_LONG] = PAIRS_TOO_LONG};
    note(job, kinds[line->fault], reader, line->number);
    return job->input->skip_broken ? ATTEND_OK : or_skip(reader_refuse(reader, line, err), err);
}

static enum attend_status missing_column(struct reading *job, size_t line, int found,
                                         struct attend_error *err)
{
    note(job, PAIRS_MISSING_COLUMN, job->source, line);
    if (job->input->skip_broken)
        return ATTEND_OK;
    const enum attend_status status =
        error_at(err, ATTEND_DATA, reader_name(job->source), line,
                 "has %d column%s and needs %d; put a TAB between columns", found,
                 found == 1 ? "" : "s", job->columns.needed);
    return or_skip(status, err);
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t')
            return false;
    return true;
}

/* Add a pair to its set, which depends on the first `key` bytes of its source. */
static enum attend_status keep(const struct reading *job, struct text_pair *pair, size_t key,
                               struct attend_error *err)
{
    const int set = job->split ? split_choose(job->split, pair->source, key) : 0;
    if (job->guide && job->links.fault)
        return reader_refuse(job->guide, &job->links, err);
    pair->links = job->links.text;
    pair->links_length = job->links.length;
    return pairs_add(job->sink[set], pair, err);
}

/* The next line of every file; *more is false at their end. */
static enum attend_status next_lines(struct reading *job, struct reader_line *source,
                                     struct reader_line *target, bool *more,
                                     struct attend_error *err)
{
    struct reader *const reader[] = {job->source, job->target, job->guide};
    struct reader_line line[3] = {{0}};
    const enum attend_status status = parallel_lines(reader, line, 3, more, err);
    *source = line[0];
    *target = line[1];
    job->links = line[2];
    return status;
}

/* ---- Two files ---- */

static enum attend_status take_lines(struct reading *job, const struct reader_line *source,
                                     const struct reader_line *target, struct attend_error *err)
{
    if (source->fault)
        return broken_line(job, job->source, source, err);
    if (target->fault)
        return broken_line(job, job->target, target, err);
    const bool no_source = is_blank(source->text, source->length);
    if (no_source || (!job->input->sources_only && is_blank(target->text, target->length))) {
        note(job, PAIRS_EMPTY_SIDE, no_source ? job->source : job->target, source->number);
        return ATTEND_OK;
    }
    struct text_pair pair = {.source = source->text,
                             .target = target->text ? target->text : "",
                             .source_length = source->length,
                             .target_length = target->length,
                             .line = source->number};
    return keep(job, &pair, pair.source_length, err);
}

static enum attend_status read_two(struct reading *job, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (bool more = true; more && !status;) {
        struct reader_line source, target;
        status = next_lines(job, &source, &target, &more, err);
        if (!status && more)
            status = take_lines(job, &source, &target, err);
    }
    return status;
}

/* ---- A table ---- */

static enum attend_status join_features(struct reading *job, const struct columns_row *row,
                                        struct text_pair *pair, struct attend_error *err)
{
    strbuf_clear(&job->joined);
    strbuf_add(&job->joined, row->source.text, row->source.length);
    strbuf_addc(&job->joined, '\t');
    strbuf_add(&job->joined, row->features.text, row->features.length);
    pair->source = job->joined.text;
    pair->source_length = job->joined.length;
    return strbuf_status(&job->joined, err);
}

static enum attend_status wrong_language(struct reading *job, size_t line,
                                         const struct columns_field *code, const char *why,
                                         struct attend_error *err)
{
    note(job, PAIRS_NO_LANGUAGE, job->source, line);
    if (job->input->skip_broken)
        return ATTEND_OK;
    const enum attend_status status =
        error_at(err, ATTEND_DATA, reader_name(job->source), line, "its language is '%.*s', %s",
                 code->length < 60 ? (int)code->length : 60, code->text, why);
    return or_skip(status, err);
}

/* Find the languages of a row. *good is false if it is skipped for one of them. */
static enum attend_status take_languages(struct reading *job, const struct columns_row *row,
                                         struct text_pair *pair, bool *good,
                                         struct attend_error *err)
{
    struct languages *l = job->input->languages;
    int found[2];
    for (int i = 0; i < 2; i++) {
        struct columns_field code = row->language[i];
        if (job->columns.language[i] < 0)
            code = (struct columns_field){job->input->language[i], strlen(job->input->language[i])};
        const int at = languages_find(l, code.text, code.length);
        const bool known = at >= 0 && l->item[at].on[i];
        *good = languages_code_valid(code.text, code.length) && (known || !job->input->no_new);
        if (!*good)
            return wrong_language(job, pair->line, &code,
                                  job->input->no_new && code.length
                                      ? "which the training text or the model does not have"
                                      : "which is not a code such as en or pt-BR",
                                  err);
        found[i] = languages_add(l, i, code.text, code.length);
        if (found[i] == -1)
            return error_at(err, ATTEND_DATA, reader_name(job->source), pair->line,
                            "is the first with more than %d languages; does `language_columns` "
                            "name the right columns?",
                            LANGUAGES_MOST);
    }
    pair->languages = (struct language_pair){found[0], found[1]};
    return found[0] >= 0 && found[1] >= 0 && languages_add_pair(l, pair->languages)
               ? ATTEND_OK
               : error_set(err, ATTEND_NO_MEMORY, "out of memory for languages");
}

static enum attend_status take_row(struct reading *job, const struct reader_line *line,
                                   struct attend_error *err)
{
    if (line->fault)
        return broken_line(job, job->source, line, err);
    struct columns_row row;
    const int found = columns_split(&job->columns, line->text, line->length, &row);
    const bool blank = is_blank(line->text, line->length); /* an empty pair even without a TAB */
    if (!blank && found < job->columns.needed)
        return missing_column(job, line->number, found, err);
    if (blank || is_blank(row.source.text, row.source.length) ||
        (!job->input->sources_only && is_blank(row.target.text, row.target.length))) {
        note(job, PAIRS_EMPTY_SIDE, job->source, line->number);
        return ATTEND_OK;
    }
    struct text_pair pair = {.source = row.source.text,
                             .target = row.target.text ? row.target.text : "",
                             .source_length = row.source.length,
                             .target_length = row.target.length,
                             .line = line->number};
    enum attend_status status = ATTEND_OK;
    if (job->columns.features >= 0)
        status = join_features(job, &row, &pair, err);
    bool good = true;
    if (!status && job->input->language_columns)
        status = take_languages(job, &row, &pair, &good, err);
    return status || !good ? status : keep(job, &pair, row.source.length, err);
}

/* The columns that a row must have if its target may be missing. */
static int needed_without_target(const struct columns *c)
{
    int last = c->source;
    for (int i = 0; i < 2; i++)
        last = c->language[i] > last ? c->language[i] : last;
    return (c->features > last ? c->features : last) + 1;
}

/* Find the columns from the options or from line 1. */
static enum attend_status find_columns(struct reading *job, struct attend_error *err)
{
    const struct columns_names names = {job->input->columns, job->input->features,
                                        job->input->language_columns};
    if (!job->input->header)
        return columns_from_names(&job->columns, &names, err);
    struct reader_line line;
    const enum attend_status status = reader_next(job->source, &line, err);
    if (status)
        return status;
    if (!line.text)
        return error_set(err, ATTEND_DATA, "%s: is empty; line 1 must hold the names of columns",
                         reader_name(job->source));
    if (line.fault)
        return reader_refuse(job->source, &line, err);
    return columns_from_header(&job->columns, &names, line.text, reader_name(job->source), err);
}

static enum attend_status read_table(struct reading *job, struct attend_error *err)
{
    enum attend_status status = find_columns(job, err);
    if (job->input->sources_only)
        job->columns.needed = needed_without_target(&job->columns);
    for (bool more = true; more && !status;) {
        struct reader_line row, none;
        status = next_lines(job, &row, &none, &more, err);
        if (!status && more)
            status = take_row(job, &row, err);
    }
    return status;
}

/* ---- All pairs ---- */

static enum attend_status check_input(const struct pairs_input *in, struct attend_error *err)
{
    const bool two = in->source && (in->target || in->sources_only);
    if (in->table ? in->source || in->target : !two)
        return error_set(err, ATTEND_USAGE, "give two files, source and target, or one table");
    if (!in->table && (in->columns || in->features || in->header || in->language_columns))
        return error_set(
            err, ATTEND_USAGE,
            "`columns`, `features`, `language_columns` and `header` go with one table, not with "
            "two files");
    if (!in->table && in->target && strcmp(in->source, "-") == 0 && strcmp(in->target, "-") == 0)
        return error_set(err, ATTEND_USAGE, "only one of two files can be standard input");
    return ATTEND_OK;
}

static enum attend_status check_sets(const struct reading *job, struct attend_error *err)
{
    const int sets = job->split ? job->split->sets : 1;
    size_t all = 0;
    for (int i = 0; i < sets; i++)
        all += pairs_count(job->sink[i]);
    for (int i = 0; all && i < sets && !(job->split && job->split->may_be_empty); i++)
        if (pairs_count(job->sink[i]) == 0)
            return error_set(err, ATTEND_DATA,
                             "`split` gives set %d none of the %zu pairs of %s; give it a larger "
                             "share",
                             i + 1, all, file_of(job, job->source));
    return all ? ATTEND_OK
               : error_set(err, ATTEND_DATA, "%s: holds no pair that can be used",
                           file_of(job, job->source));
}

enum attend_status pairs_read(const struct pairs_input *input, const struct split *split,
                              struct pairs *const sink[], struct pairs_faults *faults,
                              struct attend_error *err)
{
    struct reading job = {.input = input, .split = split, .sink = sink, .faults = faults};
    enum attend_status status = check_input(input, err);
    if (status)
        return status;
    status = reader_open(&job.source, input->table ? input->table : input->source, err);
    if (status)
        goto done;
    if (input->target)
        status = reader_open(&job.target, input->target, err);
    if (status)
        goto done;
    if (input->guide)
        status = reader_open(&job.guide, input->guide, err);
    if (status)
        goto done;
    status = input->table ? read_table(&job, err) : read_two(&job, err);
    if (!status)
        status = check_sets(&job, err);
done:
    reader_close(job.source);
    reader_close(job.target);
    reader_close(job.guide);
    strbuf_release(&job.joined);
    return status;
}
