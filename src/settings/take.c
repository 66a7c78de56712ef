#include "settings/tables.h"

#include "attend/align.h"
#include "attend/bench.h"
#include "attend/distill.h"
#include "attend/eval.h"
#include "attend/serve.h"
#include "attend/train.h"
#include "attend/write.h"
#include "base/error.h"
#include "base/option.h"
#include "model/config.h"

#include <string.h>

settings_tables data_tables = {data_rows, token_rows, NULL};
settings_tables network_tables = {network_rows, NULL};
settings_tables train_tables = {run_rows, learning_rows, NULL};
settings_tables translator_tables = {search_rows, direction_rows, speed_rows, NULL};
settings_tables writer_tables = {writer_rows, NULL};
settings_tables align_tables = {align_rows, align_both_rows, align_gold_rows, align_speed_rows,
                                NULL};
settings_tables eval_tables = {eval_rows, metric_rows, NULL};
settings_tables serve_tables = {serve_model_rows, serve_rows, serve_limit_rows, NULL};
settings_tables bench_tables = {bench_rows, NULL};
settings_tables distill_tables = {distill_rows, NULL};

static void fill(void *out, size_t size, settings_tables tables)
{
    memset(out, 0, size);
    memcpy(out, &size, sizeof size);
    for (int i = 0; tables[i]; i++)
        option_defaults(tables[i], out);
}

enum attend_status settings_take(void *out, size_t size, settings_tables tables, const void *given,
                                 struct attend_error *err)
{
    size_t known = size;
    enum attend_status status = ATTEND_OK;
    fill(out, size, tables);
    if (given)
        memcpy(&known, given, sizeof known);
    if (known < sizeof known)
        return error_set(err, ATTEND_USAGE,
                         "the options have no size; start with attend_..._defaults()");
    if (given)
        memcpy(out, given, known < size ? known : size);
    memcpy(out, &size, sizeof size);
    for (int i = 0; tables[i] && !status; i++)
        status = option_check(tables[i], out, err);
    return status;
}

/* ---- Defaults ---- */

/* To add an options struct: ATTEND_DEFAULTS in its header, its tables above, a line here. */
#define FILL(noun)                                                                                 \
    void attend_##noun##_fill(struct attend_##noun##_options *options, size_t size)                \
    {                                                                                              \
        struct attend_##noun##_options all;                                                        \
        fill(&all, sizeof all, noun##_tables);                                                     \
        memset(options, 0, size);                                                                  \
        memcpy(options, &all, size < sizeof all ? size : sizeof all);                              \
        options->size = size;                                                                      \
    }
FILL(data)
FILL(network)
FILL(train)
FILL(translator)
FILL(writer)
FILL(align)
FILL(eval)
FILL(serve)
FILL(bench)
FILL(distill)
