#include "attend/bench.h"

#include "viz/picture.h"
#include "base/strbuf.h"
#include "viz/curves.h"

#include <math.h>
#include <stddef.h>

/* A curve for each figure of a product. */
static const struct series {
    const char *label;
    size_t offset; /* in struct attend_bench_product */
    enum curve_style style;
    int series;
} series[] = {
#define SERIES(field, text, how, number)                                                           \
    {                                                                                              \
        text, offsetof(struct attend_bench_product, field), how, number                            \
    }
    SERIES(roof_cache, "float roof, weights in the cache", CURVE_THIN, 4),
    SERIES(roof_memory, "float roof, weights in memory", CURVE_THIN, CURVES_KEY),
    SERIES(packed, "ours, packed", CURVE_MARKED, 0),
    SERIES(int8, "ours, int8", CURVE_MARKED, 1),
    SERIES(unpacked, "ours, unpacked", CURVE_MARKED, 2),
    SERIES(blas, "OpenBLAS", CURVE_MARKED, 3),
#undef SERIES
};
enum { SERIES_COUNT = sizeof series / sizeof *series };

struct picture {
    double x[ATTEND_BENCH_ROWS], y[SERIES_COUNT][ATTEND_BENCH_ROWS];
    struct curve curve[SERIES_COUNT];
    int curves;
    double highest;
};

static void set_curve(struct picture *p, const struct attend_bench_products *b,
                      const struct series *s)
{
    double *y = p->y[p->curves], highest = 0;
    for (int i = 0; i < ATTEND_BENCH_ROWS; i++) {
        y[i] = *(const double *)((const char *)&b->row[i] + s->offset);
        highest = fmax(highest, y[i]);
    }
    p->highest = fmax(p->highest, highest);
    if (highest > 0) /* OpenBLAS may be missing */
        p->curve[p->curves++] = (struct curve){.label = s->label,
                                               .x = p->x,
                                               .y = y,
                                               .count = ATTEND_BENCH_ROWS,
                                               .series = s->series,
                                               .style = s->style};
}

/* The two kinds of output: terminal text or a picture. */
struct output {
    struct strbuf text;
    struct attend_picture *picture;
};

static void draw_text(struct output *out, const struct curves_plot *plot)
{
    curves_term(&out->text, plot);
}

static void draw_picture(struct output *out, const struct curves_plot *plot)
{
    out->picture = picture_curves(plot);
}

static void draw(const struct attend_bench_products *b, const struct attend_style *style,
                 struct output *out, void (*output)(struct output *, const struct curves_plot *))
{
    struct picture p = {0};
    struct strbuf title = {0};
    for (int i = 0; i < ATTEND_BENCH_ROWS; i++)
        p.x[i] = b->row[i].rows;
    for (int s = 0; s < SERIES_COUNT; s++)
        set_curve(&p, b, &series[s]);
    strbuf_addf(&title, "Rows times weights of %d x %d, %d thread%s", b->inner, b->columns,
                b->threads, b->threads > 1 ? "s" : "");
    const struct curves_panel panel = {
        .y_label = "GFLOP/s", .curve = p.curve, .count = p.curves, .y_max = p.highest, .height = 1};
    if (!title.failed)
        output(out, &(struct curves_plot){.title = title.text,
                                          .x_label = "rows",
                                          .panel = &panel,
                                          .panels = 1,
                                          .dark = style->dark,
                                          .width = style->width,
                                          .log_x = true});
    out->text.failed |= title.failed;
    strbuf_release(&title);
}

struct attend_picture *attend_bench_products_picture(const struct attend_bench_products *b,
                                                     const struct attend_style *style)
{
    struct output out = {.picture = NULL};
    draw(b, style, &out, draw_picture);
    return out.picture;
}

char *attend_bench_products_text(const struct attend_bench_products *b,
                                 const struct attend_style *style)
{
    struct output out = {.picture = NULL};
    draw(b, style, &out, draw_text);
    return strbuf_detach(&out.text);
}
