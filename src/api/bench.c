#include "attend/bench.h"

#include "api/options.h"

enum attend_status attend_bench(const struct attend_options *options, struct attend_bench *out,
                                struct attend_error *err)
{
    return bench_run(&options->bench, out, err);
}
