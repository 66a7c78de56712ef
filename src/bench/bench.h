/* Training speed of this machine, relative to its own matrix product. */
#ifndef ATTEND_BENCH_BENCH_H
#define ATTEND_BENCH_BENCH_H

#include "attend/bench.h"
#include "base/threads.h"
#include "model/config.h"

/* Create the team of threads for these options. */
enum attend_status bench_team(struct team **out, const struct attend_bench_options *,
                              struct attend_error *err);
enum attend_status bench_run(const struct attend_bench_options *,
                             const struct attend_network_options *, struct attend_bench *out,
                             struct attend_error *err);

#endif
