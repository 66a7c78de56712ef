/* How fast this machine trains, as a share of its own matrix product; and the settings of every
 * benchmark. */
#ifndef ATTEND_BENCH_BENCH_H
#define ATTEND_BENCH_BENCH_H

#include "attend/bench.h"
#include "base/option.h"
#include "base/threads.h"
#include "model/config.h"

struct bench_options {
    struct model_config model; /* the settings of the command's second group */
    int vocab, batch;
    int length;  /* mean words of a sentence, </s> not counted */
    int updates; /* timed */
    int threads; /* 0: one for each physical core */
    char *src, *tgt;
    bool no_peak;
    char *trained; /* the model that translates `src` */
    int repeats;   /* passes over `src` */
    bool products; /* measure them instead */
    char *output;
    bool json;
};
extern const struct option_row bench_rows[], bench_other_rows[];

/* The team that the settings ask for. */
enum attend_status bench_team(struct team **out, const struct bench_options *,
                              struct attend_error *err);
enum attend_status bench_run(const struct bench_options *, struct attend_bench *out,
                             struct attend_error *err);

#endif
