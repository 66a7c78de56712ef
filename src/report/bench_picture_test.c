#include "attend/bench.h"
#include "attend/model.h"
#include "test.h"

#include <string.h>

static struct attend_bench_products products(double blas)
{
    struct attend_bench_products b = {.threads = 2, .inner = 512, .columns = 2048};
    for (int i = 0; i < ATTEND_BENCH_ROWS; i++)
        b.row[i] = (struct attend_bench_product){.rows = 1 << i,
                                                 .packed = 10 + i,
                                                 .int8 = 20 + i,
                                                 .unpacked = 5 + i,
                                                 .blas = blas,
                                                 .roof_memory = 30,
                                                 .roof_cache = 40};
    return b;
}

static char *svg_of(const struct attend_bench_products *b)
{
    struct attend_picture *picture = attend_bench_products_picture(b, &(struct attend_style){0});
    assert_non_null(picture);
    char *svg = attend_picture_svg(picture);
    attend_picture_free(picture);
    return svg;
}

static void assert_has(const char *text, const char *const *parts)
{
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            fail_msg("'%s' is not in: %s", *parts, text);
}

TEST(bench_picture_names_every_product_over_powers_of_two)
{
    static const char *const svg_parts[] = {
        "512 x 2048, 2 threads",    ">1024</text>",         ">512</text>",
        ">ours, packed</text>",     ">ours, int8</text>",   ">OpenBLAS</text>",
        "ours, int8: 1024, 30.00<", "weights in the cache", NULL};
    static const char *const text_parts[] = {"GFLOP/s", "1024\n", "B   ours, int8\n",
                                             "weights in memory\n", NULL};
    const struct attend_bench_products b = products(3);
    char *svg = svg_of(&b), *text = attend_bench_products_text(&b, &(struct attend_style){0});
    assert_has(svg, svg_parts);
    assert_has(text, text_parts);
    attend_text_free(svg);
    attend_text_free(text);
}

TEST(bench_picture_leaves_out_a_library_that_is_missing)
{
    const struct attend_bench_products b = products(0);
    char *svg = svg_of(&b);
    assert_non_null(strstr(svg, "ours, packed"));
    assert_null(strstr(svg, "OpenBLAS"));
    attend_text_free(svg);
}
