#include "viz/frames_panel.h"
#include "viz/ink_plot.h"
#include "viz/panel.h"

#include <math.h>
#include <stdlib.h>

/* The columns dx, dy and pen up; columns that are missing are 0. */
static double value_at(const struct attend_frames_view *f, int row, int column)
{
    const double value =
        column < f->width ? (double)f->value[(size_t)row * (size_t)f->width + (size_t)column] : 0;
    return isfinite(value) ? fmin(fmax(value, -1e6), 1e6) : 0;
}

/* Sum the steps, then move the box to the origin. */
static void place_spots(struct ink_trace *trace, const struct attend_frames_view *f)
{
    double x = 0, y = 0, left = HUGE_VAL, top = HUGE_VAL, right = -HUGE_VAL, bottom = -HUGE_VAL;
    for (int i = 0; i < trace->count; i++) {
        x += value_at(f, i, 0);
        y += value_at(f, i, 1);
        trace->spot[i] = (struct ink_spot){.x = x, .y = y, .last = value_at(f, i, 2) > 0.5};
        left = fmin(left, x);
        right = fmax(right, x);
        top = fmin(top, y);
        bottom = fmax(bottom, y);
    }
    for (int i = 0; i < trace->count; i++) {
        trace->spot[i].x -= left;
        trace->spot[i].y -= top;
    }
    trace->width = trace->count ? right - left : 0;
    trace->height = trace->count ? bottom - top : 0;
}

/* The word with the largest weight in the column of the spot. */
static void color_spot(struct ink_spot *spot, const struct panel *p, int column, const double *most)
{
    double largest = 0;
    spot->word = -1;
    spot->level = 0;
    for (int t = 0; t < p->target.count && column >= 0; t++) {
        const double weight = panel_weight(p, t, column);
        if (weight > largest && isfinite(weight)) {
            largest = weight;
            spot->word = t;
        }
    }
    if (spot->word >= 0)
        spot->level =
            (int)lround(INK_LEVELS * frames_panel_share(p, spot->word, column, most[spot->word]));
}

/* The mean x by squared weights, in which many small weights count little. NaN for a word without
 * weight. */
static double middle_of(const struct ink_trace *trace, const struct panel *p, int t, double most)
{
    double sum = 0, weights = 0;
    for (int i = 0; i < trace->count && p->matrix->source_count; i++) {
        const double share = frames_panel_share(p, t, frames_panel_column(p, i), most);
        sum += share * share * trace->spot[i].x;
        weights += share * share;
    }
    return weights > 0 ? sum / weights : (double)NAN;
}

void ink_trace_init(struct ink_trace *trace, const struct panel *p)
{
    const struct attend_frames_view *f = p->matrix->frames;
    const size_t words = (size_t)p->target.count;
    double *most = calloc(words + 1, sizeof *most);
    *trace = (struct ink_trace){.count = f->rows,
                                .spot = calloc((size_t)f->rows + 1, sizeof *trace->spot),
                                .middle = calloc(words + 1, sizeof *trace->middle)};
    trace->failed = !most || !trace->spot || !trace->middle;
    if (!trace->failed) {
        int column;
        place_spots(trace, f);
        for (int t = 0; t < p->target.count; t++) {
            most[t] = frames_panel_most(p, t, &column);
            trace->middle[t] = middle_of(trace, p, t, most[t]);
        }
        for (int i = 0; i < trace->count; i++)
            color_spot(&trace->spot[i], p, frames_panel_column(p, i), most);
    }
    free(most);
}

void ink_trace_release(struct ink_trace *trace)
{
    free(trace->spot);
    free(trace->middle);
    *trace = (struct ink_trace){0};
}
