/* Products of M rows with a weight matrix, (M, K) times (K, N) for M = 1, 2, 4 .. 1024, and their
 * upper bound. The roofline for M rows is
 *
 *     min(peak, bandwidth * 2 M N K / bytes),   bytes = 4 (M K + K N + M N)
 *
 * because every operand is moved at least once. */
#ifndef ATTEND_BENCH_PRODUCTS_H
#define ATTEND_BENCH_PRODUCTS_H

#include "attend/bench.h"
#include "base/threads.h"

enum attend_status products_measure(struct attend_bench_products *, struct team *,
                                    struct attend_error *err);
/* The roofline in GFLOP/s, for a peak in GFLOP/s and a bandwidth in GB/s. */
double products_roof(int M, int N, int K, double peak, double bandwidth);

#endif
