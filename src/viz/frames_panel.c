#include "viz/frames_panel.h"

#include "base/strbuf.h"
#include "viz/panel.h"

#include <math.h>
#include <stdlib.h>

/* ---- Weights --------------------------------------------------------------------------------- */

double frames_panel_most(const struct panel *p, int t, int *column)
{
    double most = 0;
    *column = -1;
    for (int s = 0; s < p->matrix->source_count; s++) {
        const double weight = panel_weight(p, t, s);
        if (isfinite(weight) && weight > most) {
            most = weight;
            *column = s;
        }
    }
    return most;
}

double frames_panel_share(const struct panel *p, int t, int s, double most)
{
    const double weight = panel_weight(p, t, s);
    if (!(most > 0) || isnan(weight))
        return 0;
    return fmin(fmax(weight / most, 0), 1);
}

int frames_panel_column(const struct panel *p, int i)
{
    const int stride = p->matrix->frames->stride, last = p->matrix->source_count - 1;
    const int column = stride > 1 ? i / stride : i;
    return column < last ? column : last;
}

void frames_panel_add_most(struct strbuf *out, const struct panel *p, int t, double most)
{
    label_add_isolated(out, p->target.text[t]);
    strbuf_adds(out, ": most weight ");
    label_add_number(out, most, 3);
    strbuf_adds(out, " at ");
}

/* ---- Values ---------------------------------------------------------------------------------- */

static int compare(const void *one, const void *other)
{
    const float x = *(const float *)one, y = *(const float *)other;
    return (x > y) - (x < y);
}

/* Quantiles of evenly spaced values: a few outliers must not make the rest one gray. */
struct frames_range frames_panel_range(const struct panel *p, int columns)
{
    enum { SAMPLES = 4096 };
    static const double low = 0.02, high = 0.995;
    const struct attend_frames_view *f = p->matrix->frames;
    const size_t all = (size_t)f->rows * (size_t)columns;
    const size_t step = all > SAMPLES ? all / SAMPLES | 1 : 1;
    float sample[2 * SAMPLES];
    size_t count = 0;
    for (size_t i = 0; i < all && count < 2 * SAMPLES; i += step) {
        const size_t row = i / (size_t)columns, column = i % (size_t)columns;
        const float value = f->value[row * (size_t)f->width + column];
        if (isfinite(value))
            sample[count++] = value;
    }
    if (!count)
        return (struct frames_range){0, 1, 0.5};
    qsort(sample, count, sizeof *sample, compare);
    const double last = (double)(count - 1);
    return (struct frames_range){.low = (double)sample[(size_t)(low * last)],
                                 .high = (double)sample[(size_t)ceil(high * last)],
                                 .middle = (double)sample[count / 2]};
}

double frames_range_share(const struct frames_range *range, double value)
{
    if (!(range->high > range->low) || isnan(value))
        return 0;
    return fmin(fmax((value - range->low) / (range->high - range->low), 0), 1);
}

/* ---- Colors ---------------------------------------------------------------------------------- */

void frames_shades_init(struct frames_shades *shades, const struct color_scale *scale)
{
    for (int i = 0; i <= FRAMES_SHADES; i++)
        shades->shade[i] = color_scale_at(scale, (double)i / FRAMES_SHADES);
}

struct color frames_shade(const struct frames_shades *shades, double share)
{
    return shades->shade[lround(share * FRAMES_SHADES)];
}

bool frames_panel_dark(const struct panel *p) { return color_lightness(p->theme->paper) < 0.5; }

const struct color_scale *frames_panel_gray(const struct panel *p)
{
    return color_scale_find("gray", frames_panel_dark(p));
}

static unsigned char mix_channel(unsigned char first, unsigned char second, double share)
{
    return (unsigned char)lround(first + share * (second - first));
}

struct color frames_mix(struct color first, struct color second, double share)
{
    return (struct color){mix_channel(first.r, second.r, share),
                          mix_channel(first.g, second.g, share),
                          mix_channel(first.b, second.b, share)};
}

/* Found by a search for the largest distances in Oklab, also after simulated protanopia,
 * deuteranopia and tritanopia, among colors that are neither gray nor too close to the paper. */
struct color frames_word_color(int t, bool dark)
{
    static const struct color colors[2][FRAMES_COLORS] = {
        {{0x66, 0x00, 0x66},
         {0xee, 0x88, 0x00},
         {0xcc, 0x00, 0x88},
         {0x00, 0x44, 0x00},
         {0x66, 0x66, 0xee},
         {0x88, 0x66, 0x00},
         {0x00, 0x00, 0xcc},
         {0xcc, 0x88, 0xcc}},
        {{0x00, 0xee, 0xee},
         {0x88, 0x44, 0x88},
         {0x66, 0xcc, 0x00},
         {0x22, 0x44, 0xee},
         {0xee, 0x66, 0x88},
         {0xee, 0xee, 0x66},
         {0x88, 0x88, 0xee},
         {0x44, 0x66, 0x00}},
    };
    return colors[dark][t % FRAMES_COLORS];
}
