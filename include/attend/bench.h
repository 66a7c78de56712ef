/* Benchmarks: how fast this machine trains, translates and multiplies matrices. */
#ifndef ATTEND_BENCH_H
#define ATTEND_BENCH_H

#include "attend/model.h"
#include "attend/plot.h"
#include "attend/status.h"
#include "attend/translate.h"

#ifdef __cplusplus
extern "C" {
#endif

struct attend_bench_options {
    size_t size;
    int vocab;             /**< vocabulary size of each side */
    int batch_sentences;   /**< pairs in a batch */
    int length;            /**< mean words of the random sentences, without `</s>` */
    int updates;           /**< timed updates */
    int threads;           /**< 0: one for each physical core that the process may use */
    const char *src, *tgt; /**< train on this text instead of random sentences; or NULL */
    bool no_peak;          /**< do not measure the peak of the machine */
    const char *model;     /**< attend_bench_translating: the model that translates src */
    int repeats;           /**< attend_bench_translating: timed passes over src */
    const char *precision; /**< of the timed updates, as in struct attend_train_options */
};
ATTEND_DEFAULTS(bench)

/* ---- Training ---- */

struct attend_bench {
    int threads;
    double peak_blas; /**< GFLOP/s of OpenBLAS's sgemm at 2048 cubed; 0 if it is not installed */
    double peak_own;  /**< GFLOP/s of the library's own product at the same size */
    double gflop;     /**< work of one update */
    double updates_per_second, tokens_per_second; /**< source and target words, without </s> */
    double target_tokens_per_second;
    double gflops; /**< GFLOP/s reached in training */
    double share;  /**< gflops divided by the larger peak */
    double pack, encoder_forward, decoder_forward, loss, decoder_backward, encoder_backward,
        update;     /**< seconds of each phase */
    double peak_mb; /**< largest resident memory of the process until training ended, including
                       the first measurement of the peaks */
    double
        encoder_words_per_cpu_second; /**< source words, with </s>, that the encoder reads forward
                                            and backward in a second of CPU time of all threads */
    void *reserved[2];
};
/** Time training updates. With `no_peak`, the peaks and the share are 0. */
ATTEND_API enum attend_status attend_bench(const struct attend_bench_options *options,
                                           const struct attend_network_options *network,
                                           struct attend_bench *out, struct attend_error *err);
/** One JSON object with all figures, without a line end. Free it with attend_text_free; NULL when
 * out of memory. The other benchmarks have the same function. */
ATTEND_API char *attend_bench_json(const struct attend_bench *figures);

/* ---- Translating ---- */

struct attend_bench_translating {
    int threads, batch_sentences, beam;
    int sentences;           /**< lines of src */
    int passes;              /**< timed passes over src */
    double load_seconds;     /**< time to load the model and make the translator */
    double seconds;          /**< median time of a pass; the rates below use it */
    double fastest, slowest; /**< seconds of the fastest and the slowest pass */
    double sentences_per_second;
    double tokens; /**< tokens of the translations, without </s> */
    double tokens_per_second;
    double ms_median, ms_worst; /**< per sentence; 0 unless batch_sentences is 1 */
    double peak_mb;             /**< largest resident memory of the process */
    void *reserved[2];
};
/** Time the translation of `src` with `model`, after a warm-up on part of `src`. */
ATTEND_API enum attend_status
attend_bench_translating(const struct attend_bench_options *options,
                         const struct attend_translator_options *search,
                         struct attend_bench_translating *out, struct attend_error *err);
ATTEND_API char *attend_bench_translating_json(const struct attend_bench_translating *figures);

/* ---- The product ---- */

/** GFLOP/s of multiplying an input of `rows` rows by one weight matrix. */
struct attend_bench_product {
    int rows;
    double packed;   /**< the library's product with packed weights, as models use it */
    double int8;     /**< the same with int8 weights */
    double unpacked; /**< the library's product with row-major weights */
    double blas;     /**< OpenBLAS; 0 if it is not installed */
    double roof_memory, roof_cache; /**< roofline with float operands in memory, in cache */
};
enum { ATTEND_BENCH_ROWS = 11 }; /**< 1, 2, 4 .. 1024 */
struct attend_bench_products {
    int threads, inner, columns; /**< weights are (inner, columns) */
    double peak_blas, peak_own;  /**< as in struct attend_bench */
    double memory_bandwidth;     /**< GB/s when reading an array too large for the caches */
    double cache_bandwidth; /**< GB/s when reading an array the size of the weights repeatedly */
    struct attend_bench_product row[ATTEND_BENCH_ROWS];
    void *reserved[2];
};
ATTEND_API enum attend_status attend_bench_products(const struct attend_bench_options *options,
                                                    struct attend_bench_products *out,
                                                    struct attend_error *err);
ATTEND_API char *attend_bench_products_json(const struct attend_bench_products *products);
/** A plot of the products and their rooflines against the number of rows, as a picture (only the
 * style's `dark` is used) and as text for a terminal (only its `width` is used). Free the text with
 * attend_text_free; NULL when out of memory. */
ATTEND_API struct attend_picture *
attend_bench_products_picture(const struct attend_bench_products *products,
                              const struct attend_style *style);
ATTEND_API char *attend_bench_products_text(const struct attend_bench_products *products,
                                            const struct attend_style *style);

#ifdef __cplusplus
}
#endif

#endif
