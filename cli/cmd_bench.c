/* attend bench: the speed of this machine in training (also as a share of the peak of its matrix
 * product), in translation, and in matrix products alone. */
#include "commands.h"
#include "picture.h"
#include "screen.h"

#include <attend/bench.h>
#include <attend/model.h>

#include <stddef.h>
#include <stdio.h>

/* Print and free the text, which is NULL when out of memory. */
static int print_json(const struct command *command, char *text)
{
    const struct attend_error err = {.message = "out of memory for the figures"};
    if (!text)
        return args_fail(command, ATTEND_NO_MEMORY, &err);
    puts(text);
    attend_text_free(text);
    return EXIT_DONE;
}

/* ---- Training ---- */

static void print_stages(const struct attend_bench *b)
{
    const struct {
        const char *name;
        double value;
    } stage[] = {
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
    screen_print("the encoder alone    %.0f source words in a second of CPU time\n",
                 b->encoder_words_per_cpu_second);
}

static void print_peaks(double blas, double own)
{
    if (blas > 0)
        screen_print("sgemm peak           %.1f GFLOP/s (OpenBLAS, 2048 cubed)\n", blas);
    if (own > 0)
        screen_print("own product          %.1f GFLOP/s (2048 cubed)\n", own);
}

static int print_training(const struct attend_bench *b)
{
    printf("threads              %d\n", b->threads);
    print_peaks(b->peak_blas, b->peak_own);
    screen_print("training             %.0f tokens/s (%.0f target), %.2f updates/s of %.1f GFLOP\n",
                 b->tokens_per_second, b->target_tokens_per_second, b->updates_per_second,
                 b->gflop);
    if (b->share > 0)
        screen_print("reached              %.1f GFLOP/s, %.0f %% of the peak\n", b->gflops,
                     100 * b->share);
    else
        screen_print("reached              %.1f GFLOP/s\n", b->gflops);
    printf("memory               %.0f MB at most\n", b->peak_mb);
    printf("one update           %.1f ms\n", 1e3 / b->updates_per_second);
    print_stages(b);
    return EXIT_DONE;
}

static int bench_training(const struct command *command, const struct flags *flags, bool json)
{
    struct attend_bench b;
    struct attend_error err;
    const enum attend_status status = attend_bench(&flags->bench, &flags->network, &b, &err);
    if (status)
        return args_fail(command, status, &err);
    return json ? print_json(command, attend_bench_json(&b)) : print_training(&b);
}

/* ---- Translating ---- */

static int print_translating(const struct attend_bench_translating *b)
{
    printf("threads              %d\n", b->threads);
    printf("loading              %.1f ms\n", 1e3 * b->load_seconds);
    screen_print("translating          %.1f sentences/s, %.0f output tokens/s\n",
                 b->sentences_per_second, b->tokens_per_second);
    screen_print("one pass             %.3f s, median of %d (%.3f to %.3f)\n", b->seconds,
                 b->passes, b->fastest, b->slowest);
    if (b->ms_median > 0)
        screen_print("one sentence         %.2f ms, median %.2f, worst %.2f\n",
                     1e3 / b->sentences_per_second, b->ms_median, b->ms_worst);
    else
        printf("one sentence         %.2f ms\n", 1e3 / b->sentences_per_second);
    printf("memory               %.0f MB at most\n", b->peak_mb);
    return EXIT_DONE;
}

static int bench_translating(const struct command *command, const struct flags *flags, bool json)
{
    struct attend_bench_translating b;
    struct attend_error err;
    const enum attend_status status =
        attend_bench_translating(&flags->bench, &flags->search, &b, &err);
    const char *const models[] = {flags->bench.model, NULL};
    if (status)
        return args_fail_models(command, flags, models, status, &err);
    return json ? print_json(command, attend_bench_translating_json(&b)) : print_translating(&b);
}

/* ---- Products ---- */

/* The columns of the table after the rows. */
static const struct product_column {
    const char *name;
    int width; /* with the blank before it */
    size_t offset;
} product_columns[] = {
    {"packed", 10, offsetof(struct attend_bench_product, packed)},
    {"int8", 10, offsetof(struct attend_bench_product, int8)},
    {"unpacked", 10, offsetof(struct attend_bench_product, unpacked)},
    {"OpenBLAS", 10, offsetof(struct attend_bench_product, blas)},
    {"memory roof", 13, offsetof(struct attend_bench_product, roof_memory)},
    {"cache roof", 13, offsetof(struct attend_bench_product, roof_cache)},
};
enum { PRODUCT_COLUMNS = sizeof product_columns / sizeof *product_columns, ROWS_WIDTH = 6 };

/* OpenBLAS may be missing. */
static void print_product(const struct attend_bench_product *p, const struct product_column *c)
{
    const double value = *(const double *)((const char *)p + c->offset);
    if (value > 0 || c->offset != offsetof(struct attend_bench_product, blas))
        printf("%*.1f", c->width, value);
    else
        printf("%*s", c->width, "-");
}

/* As many columns from `from` on as fit the terminal. Returns the first that does not. */
static int print_product_block(const struct attend_bench_products *b, int from, int screen)
{
    int to = from;
    printf("%*s", ROWS_WIDTH, "rows");
    for (int used = ROWS_WIDTH; to < PRODUCT_COLUMNS; to++) {
        used += product_columns[to].width;
        if (screen && to > from && used > screen)
            break;
        printf("%*s", product_columns[to].width, product_columns[to].name);
    }
    printf("\n");
    for (int i = 0; i < ATTEND_BENCH_ROWS; i++) {
        printf("%*d", ROWS_WIDTH, b->row[i].rows);
        for (int c = from; c < to; c++)
            print_product(&b->row[i], &product_columns[c]);
        printf("\n");
    }
    return to;
}

static void print_products(const struct attend_bench_products *b)
{
    printf("threads              %d\n", b->threads);
    print_peaks(b->peak_blas, b->peak_own);
    screen_print("reading              %.1f GB/s from memory, %.1f GB/s from the cache\n",
                 b->memory_bandwidth, b->cache_bandwidth);
    printf("\nGFLOP/s, rows x %d x %d\n", b->columns, b->inner);
    for (int from = 0; from < PRODUCT_COLUMNS;) {
        fputs(from ? "\n" : "", stdout);
        from = print_product_block(b, from, screen_width(stdout));
    }
}

static int draw_products(const struct command *command, const struct attend_bench_products *b,
                         const char *output)
{
    if (output)
        return picture_save(command, attend_bench_products_picture(b, &(struct attend_style){0}),
                            output);
    const struct attend_error err = {.message = "out of memory for the picture"};
    const struct attend_style style = {.width = screen_width(stdout)};
    char *text = attend_bench_products_text(b, &style);
    if (!text)
        return args_fail(command, ATTEND_NO_MEMORY, &err);
    printf("\n%s", text);
    attend_text_free(text);
    return EXIT_DONE;
}

static int bench_products(const struct command *command, const struct flags *flags, bool json)
{
    const char *output = flags->output;
    struct attend_bench_products b;
    struct attend_error err;
    const enum attend_status status = attend_bench_products(&flags->bench, &b, &err);
    if (status)
        return args_fail(command, status, &err);
    int code = EXIT_DONE;
    if (json)
        code = print_json(command, attend_bench_products_json(&b));
    else
        print_products(&b);
    return code != EXIT_DONE || (json && !output) ? code : draw_products(command, &b, output);
}

/* ---- The command ---- */

int cmd_bench(const struct command *command, const struct flags *flags, const char *const *operand,
              int count)
{
    (void)operand, (void)count;
    const char *output = flags->output;
    const bool json = flags->json;
    const bool products = flags->products;
    const bool model = flags->bench.model;
    if (products && model)
        return args_usage(command, "--products and --model are different benchmarks; give one");
    if (output && !products)
        return args_usage(command, "--output needs --products");
    if (output && !picture_takes(output))
        return args_usage(command, "--output takes a file that ends in .svg, .png or .pdf");
    if (model && flags->bench.tgt)
        return args_usage(command, "--tgt does not go with --model, which translates --src");
    return products ? bench_products(command, flags, json)
           : model  ? bench_translating(command, flags, json)
                    : bench_training(command, flags, json);
}
