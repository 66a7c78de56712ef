#include "attend/bench.h"

#include "bench/bench.h"
#include "settings/tables.h"
#include "attend/translate.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/usage.h"
#include "bench/products.h"
#include "corpus/lines.h"

#include <stdlib.h>

enum attend_status attend_bench(const struct attend_bench_options *options,
                                const struct attend_network_options *network,
                                struct attend_bench *out, struct attend_error *err)
{
    struct attend_bench_options o;
    struct attend_network_options shape;
    enum attend_status status = SETTINGS_TAKE(&o, bench_tables, options, err);
    if (!status)
        status = SETTINGS_TAKE(&shape, network_tables, network, err);
    return status ? status : bench_run(&o, &shape, out, err);
}

enum attend_status attend_bench_products(const struct attend_bench_options *options,
                                         struct attend_bench_products *out,
                                         struct attend_error *err)
{
    struct attend_bench_options o;
    struct team *team = NULL;
    enum attend_status status = SETTINGS_TAKE(&o, bench_tables, options, err);
    if (!status)
        status = bench_team(&team, &o, err);
    if (!status)
        status = products_measure(out, team, err);
    team_free(team);
    return status;
}

/* ---- Translating ---- */

/* Sentences of the warm-up: at least this many, and two batches. */
enum { WARMUP = 16 };

/* A text and its translator. */
struct bench_run {
    struct attend_model *model;
    struct attend_translator *translator;
    struct lines lines;
    const char **line; /* (lines.count) */
    struct attend_translation *result;
    int batch;
    double tokens;         /* output tokens of the last pass */
    double *pass, *single; /* seconds of each pass (passes) and, if batches are single sentences, of
                              each line (passes, lines) */
};

static double count_tokens(const struct attend_translation *t)
{
    return t->target_count - (t->complete && t->target_count > 0);
}

/* Translate the lines [from, to) together. */
static enum attend_status translate_lines(struct bench_run *run, int from, int to,
                                          struct attend_error *err)
{
    const enum attend_status status =
        attend_translate(run->translator, run->line + from, to - from, run->result, err);
    for (int i = 0; i < to - from && !status; i++) {
        run->tokens += count_tokens(&run->result[i]);
        attend_translation_release(&run->result[i]);
    }
    return status;
}

static enum attend_status do_pass(struct bench_run *run, int pass, struct attend_error *err)
{
    const int count = run->lines.count, step = run->batch == 1 ? 1 : count;
    double *single = run->single + (size_t)pass * (size_t)count;
    const double start = clock_seconds();
    enum attend_status status = ATTEND_OK;
    run->tokens = 0;
    for (int i = 0; i < count && !status; i += step) {
        const double began = clock_seconds();
        status = translate_lines(run, i, i + step, err);
        single[i] = clock_seconds() - began;
    }
    run->pass[pass] = clock_seconds() - start;
    return status;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median; sorts the times. */
static double median(double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare_times);
    return (times[(count - 1) / 2] + times[count / 2]) / 2;
}

static void fill_times(struct attend_bench_translating *out, struct bench_run *run)
{
    const size_t count = (size_t)run->lines.count, passes = (size_t)out->passes;
    out->seconds = median(run->pass, passes);
    out->fastest = run->pass[0];
    out->slowest = run->pass[passes - 1];
    out->sentences_per_second = out->sentences / out->seconds;
    out->tokens = run->tokens;
    out->tokens_per_second = run->tokens / out->seconds;
    if (run->batch == 1) {
        out->ms_median = 1e3 * median(run->single, count * passes);
        out->ms_worst = 1e3 * run->single[count * passes - 1];
    }
}

static enum attend_status prepare(struct bench_run *run, const struct attend_bench_options *o,
                                  struct attend_error *err)
{
    const enum attend_status status = lines_read(&run->lines, o->src, err);
    if (status)
        return status;
    const size_t count = (size_t)run->lines.count, passes = (size_t)o->repeats;
    if (count == 0)
        return error_set(err, ATTEND_DATA, "%s: has no line to translate", o->src);
    run->line = calloc(count, sizeof *run->line);
    run->result = calloc(count, sizeof *run->result);
    run->pass = calloc(passes, sizeof *run->pass);
    run->single = calloc(count, passes * sizeof *run->single);
    if (!run->line || !run->result || !run->pass || !run->single)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the times of %zu lines", count);
    for (int i = 0; i < run->lines.count; i++)
        run->line[i] = lines_at(&run->lines, i, NULL);
    return ATTEND_OK;
}

static enum attend_status load(struct bench_run *run, const struct attend_bench_options *o,
                               const struct attend_translator_options *search,
                               struct attend_error *err)
{
    const enum attend_status status = attend_model_load(&run->model, o->model, err);
    const struct attend_model *model = run->model;
    return status ? status : attend_translator_new(&run->translator, &model, 1, search, err);
}

static enum attend_status time_passes(struct bench_run *run, const struct attend_bench_options *o,
                                      const struct attend_translator_options *search,
                                      struct attend_bench_translating *out,
                                      struct attend_error *err)
{
    const double start = clock_seconds();
    enum attend_status status = load(run, o, search, err);
    const double load_seconds = clock_seconds() - start;
    const int twice = run->batch < run->lines.count ? 2 * run->batch : run->lines.count;
    const int part = twice > WARMUP ? twice : WARMUP;
    if (!status)
        status = translate_lines(run, 0, part < run->lines.count ? part : run->lines.count, err);
    for (int i = 0; i < o->repeats && !status; i++)
        status = do_pass(run, i, err);
    if (status)
        return status;
    *out = (struct attend_bench_translating){
        .threads = o->threads ? o->threads : threads_available(),
        .batch_sentences = run->batch,
        .beam = search->beam,
        .sentences = run->lines.count,
        .passes = o->repeats,
        .load_seconds = load_seconds,
        .peak_mb = usage_peak_mb(),
    };
    fill_times(out, run);
    return ATTEND_OK;
}

enum attend_status attend_bench_translating(const struct attend_bench_options *options,
                                            const struct attend_translator_options *search,
                                            struct attend_bench_translating *out,
                                            struct attend_error *err)
{
    struct attend_bench_options o;
    struct attend_translator_options how;
    enum attend_status status = SETTINGS_TAKE(&o, bench_tables, options, err);
    if (!status)
        status = SETTINGS_TAKE(&how, translator_tables, search, err);
    if (!status && (!o.src || !o.model))
        status = error_set(err, ATTEND_USAGE, "`model` needs `src`, the text to translate");
    if (status)
        return status;
    how.batch_sentences = o.batch_sentences;
    how.threads = o.threads;
    struct bench_run run = {.batch = o.batch_sentences};
    status = prepare(&run, &o, err);
    if (!status)
        status = time_passes(&run, &o, &how, out, err);
    attend_translator_free(run.translator);
    attend_model_free(run.model);
    lines_release(&run.lines);
    free(run.line);
    free(run.result);
    free(run.pass);
    free(run.single);
    return status;
}
