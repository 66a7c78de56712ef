/* This machine's speed at this library's work. All with the settings of attend_options_new("bench",
 * ...). */
#ifndef ATTEND_BENCH_H
#define ATTEND_BENCH_H

#include "attend/option.h"
#include "attend/plot.h"
#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Training ---- */

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
        update;     /**< seconds each */
    double peak_mb; /**< resident memory of the process up to the end of training, at most; the
                       measurement of the peaks before it included */
};
/** With "no-peak" the peaks and the share stay 0. */
ATTEND_API enum attend_status attend_bench(const struct attend_options *options,
                                           struct attend_bench *out, struct attend_error *err);

/* ---- Translating ---- */

struct attend_bench_translating {
    int threads, batch_sentences, beam;
    int sentences;           /**< of the text */
    int passes;              /**< over it, whose median counts */
    double load_seconds;     /**< for the model and the translator */
    double seconds;          /**< of a pass */
    double fastest, slowest; /**< pass, in seconds */
    double sentences_per_second;
    double tokens; /**< of the translations, without </s> */
    double tokens_per_second;
    double ms_median, ms_worst; /**< of a sentence; 0 unless batch-sentences is 1 */
    double peak_mb;             /**< resident memory of the process, at most */
};
/** Translate the text "src" with "model", after a part of it for warming up. */
ATTEND_API enum attend_status attend_bench_translating(const struct attend_options *options,
                                                       struct attend_bench_translating *out,
                                                       struct attend_error *err);

/* ---- The product ---- */

/** GFLOP/s of products of so many rows with one matrix of weights. */
struct attend_bench_product {
    int rows;
    double packed;   /**< our product with weights that were rearranged before, as models use it */
    double int8;     /**< the same with int8 weights */
    double unpacked; /**< our product with weights as they are */
    double blas;     /**< OpenBLAS's; 0 when it is not installed */
    double roof_memory, roof_cache; /**< what float weights that come from there allow */
};
enum { ATTEND_BENCH_ROWS = 11 }; /**< 1, 2, 4 .. 1024 */
struct attend_bench_products {
    int threads, inner, columns; /**< weights are (inner, columns) */
    double peak_blas, peak_own;  /**< as in struct attend_bench */
    double memory_bandwidth;     /**< GB/s of reading what is too large for caches */
    double cache_bandwidth;      /**< of reading as much as the weights, again and again */
    struct attend_bench_product row[ATTEND_BENCH_ROWS];
};
ATTEND_API enum attend_status attend_bench_products(const struct attend_options *options,
                                                    struct attend_bench_products *out,
                                                    struct attend_error *err);
/** The products below their roofs over the number of rows, as a picture (of the look, dark counts)
 * and as text for a terminal. Free the text with attend_text_free; NULL when memory runs out. */
ATTEND_API struct attend_picture *
attend_bench_products_picture(const struct attend_bench_products *products,
                              const struct attend_look *look);
ATTEND_API char *attend_bench_products_text(const struct attend_bench_products *products);

#ifdef __cplusplus
}
#endif

#endif
