/* This machine's speed at this library's work. */
#ifndef ATTEND_BENCH_H
#define ATTEND_BENCH_H

#include "attend/option.h"
#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct attend_bench {
    int threads;
    double peak_blas; /**< GFLOP/s of OpenBLAS's sgemm at 2048 cubed; 0 when it is not installed */
    double peak_own;  /**< the same of our own product */
    double gflop;     /**< of one update */
    double updates_per_second, tokens_per_second; /**< source and target words, without </s> */
    double target_tokens_per_second;
    double gflops; /**< reached in training */
    double share;  /**< of the larger peak */
    double pack, encoder_forward, decoder_forward, loss, decoder_backward, encoder_backward,
        update; /**< seconds each */
};

/** With the settings of attend_options_new("bench", ...). */
ATTEND_API enum attend_status attend_bench(const struct attend_options *options,
                                           struct attend_bench *out, struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
