/* attend bench: this machine's speed at training, as a share of its own matrix product; at
 * translating; and at products alone. */
#include "commands.h"
#include "picture.h"

#include <attend/bench.h>
#include <attend/model.h>

#include <stdio.h>

/* ---- JSON ---- */

struct figure {
    const char *name;
    double value;
};

/* Members of an object, without its braces. */
static void print_members(const struct figure *figure, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s\"%s\":%.7g", i ? "," : "", figure[i].name, figure[i].value);
}

#define MEMBERS(figures) print_members(figures, sizeof(figures) / sizeof *(figures))

/* ---- Training ---- */

static int print_training_json(const struct attend_bench *b)
{
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
    printf("{");
    MEMBERS(whole);
    printf(",\"stage_ms\":{");
    MEMBERS(stage);
    printf("}}\n");
    return EXIT_DONE;
}

static void print_stages(const struct attend_bench *b)
{
    const struct figure stage[] = {
        {"rearrange weights", b->pack},
        {"encoder forward", b->encoder_forward},
        {"decoder forward", b->decoder_forward},
        {"logits and loss", b->loss},
        {"decoder backward", b->decoder_backward},
        {"encoder backward", b->encoder_backward},
        {"clip and update", b->update},
    };
    for (size_t i = 0; i < sizeof stage / sizeof *stage; i++)
        printf("  %-20s %7.1f ms  %4.1f %%\n", stage[i].name, 1e3 * stage[i].value,
               100 * stage[i].value * b->updates_per_second);
}

static void print_peaks(double blas, double own)
{
    if (blas > 0)
        printf("sgemm peak           %.1f GFLOP/s (OpenBLAS, 2048 cubed)\n", blas);
    if (own > 0)
        printf("own product          %.1f GFLOP/s (2048 cubed)\n", own);
}

static int print_training(const struct attend_bench *b)
{
    printf("threads              %d\n", b->threads);
    print_peaks(b->peak_blas, b->peak_own);
    printf("training             %.0f tokens/s (%.0f target), %.2f updates/s of %.1f GFLOP\n",
           b->tokens_per_second, b->target_tokens_per_second, b->updates_per_second, b->gflop);
    printf("reached              %.1f GFLOP/s", b->gflops);
    if (b->share > 0)
        printf(", %.0f %% of the peak", 100 * b->share);
    printf("\nmemory               %.0f MB at most\n", b->peak_mb);
    printf("one update           %.1f ms\n", 1e3 / b->updates_per_second);
    print_stages(b);
    return EXIT_DONE;
}

static int bench_training(const struct command *command, const struct attend_options *options,
                          bool json)
{
    struct attend_bench b;
    struct attend_error err;
    const enum attend_status status = attend_bench(options, &b, &err);
    if (status)
        return args_fail(command, status, &err);
    return json ? print_training_json(&b) : print_training(&b);
}

/* ---- Translating ---- */

static int print_translating_json(const struct attend_bench_translating *b)
{
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
    printf("{");
    MEMBERS(whole);
    printf("}\n");
    return EXIT_DONE;
}

static int print_translating(const struct attend_bench_translating *b)
{
    printf("threads              %d\n", b->threads);
    printf("loading              %.1f ms\n", 1e3 * b->load_seconds);
    printf("translating          %.1f sentences/s, %.0f output tokens/s\n", b->sentences_per_second,
           b->tokens_per_second);
    printf("one pass             %.3f s, median of %d (%.3f to %.3f)\n", b->seconds, b->passes,
           b->fastest, b->slowest);
    printf("one sentence         %.2f ms", 1e3 / b->sentences_per_second);
    if (b->ms_median > 0)
        printf(", median %.2f, worst %.2f", b->ms_median, b->ms_worst);
    printf("\nmemory               %.0f MB at most\n", b->peak_mb);
    return EXIT_DONE;
}

static int bench_translating(const struct command *command, const struct attend_options *options,
                             bool json)
{
    struct attend_bench_translating b;
    struct attend_error err;
    const enum attend_status status = attend_bench_translating(options, &b, &err);
    if (status)
        return args_fail(command, status, &err);
    return json ? print_translating_json(&b) : print_translating(&b);
}

/* ---- Products ---- */

static void print_products_json(const struct attend_bench_products *b)
{
    const struct figure whole[] = {
        {"threads", b->threads},
        {"inner", b->inner},
        {"columns", b->columns},
        {"peak_blas_gflops", b->peak_blas},
        {"peak_own_gflops", b->peak_own},
        {"memory_bandwidth_gbs", b->memory_bandwidth},
        {"cache_bandwidth_gbs", b->cache_bandwidth},
    };
    printf("{");
    MEMBERS(whole);
    for (int i = 0; i < ATTEND_BENCH_ROWS; i++) {
        const struct attend_bench_product *p = &b->row[i];
        const struct figure row[] = {
            {"rows", p->rows},
            {"packed_gflops", p->packed},
            {"int8_gflops", p->int8},
            {"unpacked_gflops", p->unpacked},
            {"blas_gflops", p->blas},
            {"roof_memory_gflops", p->roof_memory},
            {"roof_cache_gflops", p->roof_cache},
        };
        printf("%s{", i ? "," : ",\"products\":[");
        MEMBERS(row);
        printf("}");
    }
    printf("]}\n");
}

static void print_products(const struct attend_bench_products *b)
{
    printf("threads              %d\n", b->threads);
    print_peaks(b->peak_blas, b->peak_own);
    printf("reading              %.1f GB/s from memory, %.1f GB/s from the cache\n",
           b->memory_bandwidth, b->cache_bandwidth);
    printf("\nGFLOP/s, rows x %d x %d\n%6s %9s %9s %9s %9s %12s %12s\n", b->columns, b->inner,
           "rows", "packed", "int8", "unpacked", "OpenBLAS", "memory roof", "cache roof");
    for (int i = 0; i < ATTEND_BENCH_ROWS; i++) {
        const struct attend_bench_product *p = &b->row[i];
        printf("%6d %9.1f %9.1f %9.1f ", p->rows, p->packed, p->int8, p->unpacked);
        if (p->blas > 0)
            printf("%9.1f", p->blas);
        else
            printf("%9s", "-");
        printf(" %12.1f %12.1f\n", p->roof_memory, p->roof_cache);
    }
}

static int draw_products(const struct command *command, const struct attend_bench_products *b,
                         const char *output)
{
    if (output)
        return picture_save(command, attend_bench_products_picture(b, &(struct attend_look){0}),
                            output);
    const struct attend_error err = {"out of memory for the picture"};
    char *text = attend_bench_products_text(b);
    if (!text)
        return args_fail(command, ATTEND_NO_MEMORY, &err);
    printf("\n%s", text);
    attend_text_free(text);
    return EXIT_DONE;
}

static int bench_products(const struct command *command, const struct attend_options *options,
                          bool json)
{
    const char *output = attend_options_text(options, "output");
    struct attend_bench_products b;
    struct attend_error err;
    const enum attend_status status = attend_bench_products(options, &b, &err);
    if (status)
        return args_fail(command, status, &err);
    if (json)
        print_products_json(&b);
    else
        print_products(&b);
    return json && !output ? EXIT_DONE : draw_products(command, &b, output);
}

/* ---- The command ---- */

int cmd_bench(const struct command *command, const struct attend_options *options,
              const char *const *operand, int count)
{
    (void)operand, (void)count;
    const char *output = attend_options_text(options, "output");
    const bool json = attend_options_number(options, "json") > 0;
    const bool products = attend_options_number(options, "products") > 0;
    const bool model = attend_options_text(options, "model");
    if (products && model)
        return args_usage(command, "--products and --model are different benchmarks");
    if (output && !products)
        return args_usage(command, "--output goes with --products");
    if (output && !picture_takes(output))
        return args_usage(command, "--output takes a file that ends in .svg, .png or .pdf");
    if (model && attend_options_text(options, "tgt"))
        return args_usage(command, "--model translates --src: it takes no --tgt");
    return products ? bench_products(command, options, json)
           : model  ? bench_translating(command, options, json)
                    : bench_training(command, options, json);
}
