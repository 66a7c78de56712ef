/* Benchmark results as JSON. */
#include "attend/bench.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

#include <stddef.h>

struct figure {
    const char *name;
    double value;
};

static void put_figures(struct json_writer *w, const struct figure *figure, size_t count)
{
    for (size_t i = 0; i < count; i++)
        json_put_number(w, figure[i].name, figure[i].value, 7);
}

#define PUT_FIGURES(w, figures) put_figures(w, figures, sizeof(figures) / sizeof *(figures))

char *attend_bench_json(const struct attend_bench *b)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    const struct figure whole[] = {
        {"threads", b->threads},
        {"peak_blas_gflops", b->peak_blas},
        {"peak_own_gflops", b->peak_own},
        {"gflop_per_update", b->gflop},
        {"gflops", b->gflops},
        {"share_of_peak", b->share},
        {"updates_per_second", b->updates_per_second},
        {"tokens_per_second", b->tokens_per_second},
        {"target_tokens_per_second", b->target_tokens_per_second},
        {"encoder_words_per_cpu_second", b->encoder_words_per_cpu_second},
        {"peak_rss_mb", b->peak_mb},
    };
    const struct figure stage[] = {
        {"pack", 1e3 * b->pack},
        {"encoder_forward", 1e3 * b->encoder_forward},
        {"decoder_forward", 1e3 * b->decoder_forward},
        {"loss", 1e3 * b->loss},
        {"decoder_backward", 1e3 * b->decoder_backward},
        {"encoder_backward", 1e3 * b->encoder_backward},
        {"update", 1e3 * b->update},
    };
    json_begin_object(&w, NULL);
    PUT_FIGURES(&w, whole);
    json_begin_object(&w, "stage_ms");
    PUT_FIGURES(&w, stage);
    json_end(&w);
    json_end(&w);
    return strbuf_detach(&out);
}

char *attend_bench_translating_json(const struct attend_bench_translating *b)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    const struct figure whole[] = {
        {"threads", b->threads},
        {"batch_sentences", b->batch_sentences},
        {"beam", b->beam},
        {"sentences", b->sentences},
        {"passes", b->passes},
        {"load_seconds", b->load_seconds},
        {"seconds", b->seconds},
        {"fastest_seconds", b->fastest},
        {"slowest_seconds", b->slowest},
        {"sentences_per_second", b->sentences_per_second},
        {"tokens", b->tokens},
        {"tokens_per_second", b->tokens_per_second},
        {"ms_per_sentence", 1e3 / b->sentences_per_second},
        {"ms_median", b->ms_median},
        {"ms_worst", b->ms_worst},
        {"peak_rss_mb", b->peak_mb},
    };
    json_begin_object(&w, NULL);
    PUT_FIGURES(&w, whole);
    json_end(&w);
    return strbuf_detach(&out);
}

static void put_product(struct json_writer *w, const struct attend_bench_product *p)
{
    const struct figure row[] = {
        {"rows", p->rows},
        {"packed_gflops", p->packed},
        {"int8_gflops", p->int8},
        {"unpacked_gflops", p->unpacked},
        {"blas_gflops", p->blas},
        {"roof_memory_gflops", p->roof_memory},
        {"roof_cache_gflops", p->roof_cache},
    };
    json_begin_object(w, NULL);
    PUT_FIGURES(w, row);
    json_end(w);
}

char *attend_bench_products_json(const struct attend_bench_products *b)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    const struct figure whole[] = {
        {"threads", b->threads},
        {"inner", b->inner},
        {"columns", b->columns},
        {"peak_blas_gflops", b->peak_blas},
        {"peak_own_gflops", b->peak_own},
        {"memory_bandwidth_gbs", b->memory_bandwidth},
        {"cache_bandwidth_gbs", b->cache_bandwidth},
    };
    json_begin_object(&w, NULL);
    PUT_FIGURES(&w, whole);
    json_begin_array(&w, "products");
    for (int i = 0; i < ATTEND_BENCH_ROWS; i++)
        put_product(&w, &b->row[i]);
    json_end(&w);
    json_end(&w);
    return strbuf_detach(&out);
}
