/* How fast this machine trains, as a share of its own matrix product. */
#ifndef ATTEND_BENCH_BENCH_H
#define ATTEND_BENCH_BENCH_H

#include "attend/bench.h"
#include "base/option.h"
#include "model/config.h"

struct bench_options {
    struct model_config model; /* the settings of the command's second group */
    int vocab, batch;
    int length;  /* mean words of a sentence, </s> not counted */
    int updates; /* timed */
    int threads; /* 0: one for each core */
    char *src, *tgt;
};
extern const struct option_row bench_rows[];

enum attend_status bench_run(const struct bench_options *, struct attend_bench *out,
                             struct attend_error *err);

#endif
