/* Calibration as a table and as a reliability diagram. */
#include "attend/calibration.h"
#include "attend/plot.h"
#include "base/strbuf.h"
#include "viz/curves.h"
#include "viz/picture.h"

static void add_bin(struct strbuf *out, const struct attend_reliability_bin *bin)
{
    if (bin->lines)
        strbuf_addf(out, "  %7ld %6.1f%% %6.1f%%", bin->lines, 100 * bin->said, 100 * bin->right);
    else
        strbuf_addf(out, "  %7d %7s %7s", 0, "-", "-");
}

char *attend_calibration_text(const struct attend_calibration *c)
{
    struct strbuf out = {0};
    strbuf_addf(&out, "calibration: %ld of %ld answers are right (%.2f%%)\n", c->right, c->lines,
                100 * (double)c->right / (double)c->lines);
    strbuf_addf(&out, "%-10s  %-23s  %s\n", "", "before", "after, on answers it was not fitted to");
    strbuf_addf(&out, "%-10s  %7s %7s %7s  %7s %7s %7s\n", "confidence", "lines", "said", "right",
                "lines", "said", "right");
    for (int i = 0; i < ATTEND_RELIABILITY_BINS; i++) {
        strbuf_addf(&out, "%3d-%3d%%  ", 100 / ATTEND_RELIABILITY_BINS * i,
                    100 / ATTEND_RELIABILITY_BINS * (i + 1));
        add_bin(&out, &c->before.bin[i]);
        add_bin(&out, &c->after.bin[i]);
        strbuf_addc(&out, '\n');
    }
    strbuf_addf(&out, "error (ECE)  %21.2f%%  %22.2f%%\n", 100 * c->before.ece, 100 * c->after.ece);
    strbuf_addf(&out, "log loss     %22.4f  %23.4f\n", c->before.nll, c->after.nll);
    strbuf_addf(&out, "temperature %.4f, length %.4f, bias %.4f\n", c->scaling.temperature,
                c->scaling.length, c->scaling.bias);
    return strbuf_detach(&out);
}

/* ---- The picture ---- */

struct points {
    double x[ATTEND_RELIABILITY_BINS], y[ATTEND_RELIABILITY_BINS];
    int count;
};

static struct points points_of(const struct attend_reliability *r)
{
    struct points p = {.count = 0};
    for (int i = 0; i < ATTEND_RELIABILITY_BINS; i++)
        if (r->bin[i].lines) {
            p.x[p.count] = 100 * r->bin[i].said;
            p.y[p.count++] = 100 * r->bin[i].right;
        }
    return p;
}

struct attend_picture *attend_picture_calibration(const struct attend_calibration *c,
                                                  const struct attend_style *style)
{
    static const double ends[] = {0, 100};
    const struct points before = points_of(&c->before), after = points_of(&c->after);
    const struct curve curve[] = {
        {.label = "as it should be",
         .x = ends,
         .y = ends,
         .count = 2,
         .series = CURVES_KEY,
         .style = CURVE_THIN},
        {.label = "before", .x = before.x, .y = before.y, .count = before.count, .series = 0},
        {.label = "after", .x = after.x, .y = after.y, .count = after.count, .series = 1},
    };
    const struct curves_panel panel = {.y_label = "right (%)",
                                       .curve = curve,
                                       .count = sizeof curve / sizeof *curve,
                                       .y_max = 100,
                                       .height = 1};
    return picture_curves(&(struct curves_plot){.title = style->title,
                                                .x_label = "confidence (%)",
                                                .panel = &panel,
                                                .panels = 1,
                                                .dark = style->dark});
}
