/* The machine's matrix product: 2048 x 2048 x 2048 on all threads, in GFLOP/s. */
#ifndef ATTEND_BENCH_PEAK_H
#define ATTEND_BENCH_PEAK_H

#include "base/threads.h"

struct peak {
    double blas; /* OpenBLAS's best of a few; 0 when it is not installed */
    double own;  /* ours */
    double best; /* of both */
};
enum attend_status peak_measure(struct peak *, struct team *, struct attend_error *err);

#endif
