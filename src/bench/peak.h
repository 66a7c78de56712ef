/* The peak of this machine: a 2048 x 2048 x 2048 matrix product on all threads, in GFLOP/s. */
#ifndef ATTEND_BENCH_PEAK_H
#define ATTEND_BENCH_PEAK_H

#include "base/threads.h"

struct peak {
    double blas; /* OpenBLAS, the best of several runs; 0 if it is not installed */
    double own;  /* our product */
    double best; /* the larger of both */
};
enum attend_status peak_measure(struct peak *, struct team *, struct attend_error *err);

#endif
