#include "viz/spectrogram_plot.h"

#include "base/strbuf.h"
#include "viz/axis.h"
#include "viz/display_list.h"
#include "viz/frames_panel.h"
#include "viz/panel.h"

#include <math.h>
#include <stdlib.h>

/* Pixels. */
enum {
    LABEL_GAP = 8,
    FONT = 13,
    ROW = 24, /* height of a row of weights, with the gap below it */
    ROW_GAP = 2,
    GAP = 8,          /* below the spectrogram */
    BAND = 2,         /* height of a band */
    BANDS_LEAST = 48, /* height of the spectrogram */
    BANDS_MOST = 128,
    FRAME = 3, /* width of a frame, if there is room */
    WIDTH_LEAST = 320,
    WIDTH_MOST = SPECTROGRAM_MOST,
    WIDTH_PANELS = 480,
    TICK = 5,
    TICK_SIZE = 11,
    TICKS = 8,
    AXIS = TICK + 16, /* height of the axis */
    TICK_HALF = 14,   /* room for the left half of the first tick's label */
    OVERHANG = 16,    /* of the last tick's label */
};

/* ---- Shared ---------------------------------------------------------------------------------- */

int spectrogram_bands(const struct panel *p)
{
    const int width = p->matrix->frames->width;
    return width < SPECTROGRAM_BANDS ? width : SPECTROGRAM_BANDS;
}

int spectrogram_span(const struct panel *p, int i, int columns, int *from)
{
    const long long rows = p->matrix->frames->rows;
    *from = (int)(i * rows / columns);
    const int end = (int)((i + 1) * rows / columns);
    return end > *from ? end : *from + 1;
}

double spectrogram_mean(const struct panel *p, int from, int end, int first, int last)
{
    const struct attend_frames_view *f = p->matrix->frames;
    double sum = 0;
    int count = 0;
    for (int i = from; i < end; i++)
        for (int b = first; b < last; b++) {
            const float value = f->value[(size_t)i * (size_t)f->width + (size_t)b];
            sum += isfinite(value) ? (double)value : 0;
            count += isfinite(value) != 0;
        }
    return count ? sum / count : (double)NAN;
}

double spectrogram_peak(const struct panel *p, int from, int end, int t, double most)
{
    double peak = 0;
    for (int i = from; i < end && p->matrix->source_count; i++)
        peak = fmax(peak, frames_panel_share(p, t, frames_panel_column(p, i), most));
    return peak;
}

struct axis spectrogram_axis(const struct panel *p, int most, double *end)
{
    const struct attend_frames_view *f = p->matrix->frames;
    *end = f->rows * (f->seconds > 0 ? f->seconds : 1);
    return axis_around(0, *end > 0 ? *end : 1, most);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

static const char *axis_caption(const struct panel *p)
{
    return p->matrix->frames->seconds > 0 ? "seconds" : "frames";
}

static double bands_height(const struct panel *p)
{
    return fmax(BANDS_LEAST, fmin(BANDS_MOST, BAND * spectrogram_bands(p)));
}

void spectrogram_plot_measure(struct panel *p)
{
    const double most = p->panels < 2 ? WIDTH_MOST : WIDTH_PANELS;
    const double labels =
        fmax(label_set_em(&p->target) * FONT, label_em(axis_caption(p)) * TICK_SIZE + TICK_HALF);
    p->font = FONT;
    p->cell = fmax(WIDTH_LEAST, fmin(most, FRAME * p->matrix->frames->rows));
    p->room = (struct panel_room){.left = ceil(labels + LABEL_GAP),
                                  .right = p->cell + OVERHANG,
                                  .above = bands_height(p) + GAP,
                                  .below = p->target.count * ROW + AXIS};
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static int pixel_columns(const struct panel *p)
{
    const int rows = p->matrix->frames->rows;
    return rows < SPECTROGRAM_MOST ? rows : SPECTROGRAM_MOST;
}

/* pixel: (bands, columns), high bands first. */
static void fill_bands(struct color *pixel, const struct panel *p, int bands, int columns)
{
    const struct frames_range range = frames_panel_range(p, bands);
    struct frames_shades shades;
    frames_shades_init(&shades, frames_panel_gray(p));
    for (int b = bands - 1; b >= 0; b--)
        for (int i = 0; i < columns; i++) {
            int from;
            const int end = spectrogram_span(p, i, columns, &from);
            const double value = spectrogram_mean(p, from, end, b, b + 1);
            *pixel++ = frames_shade(&shades, frames_range_share(&range, value));
        }
}

static void draw_bands(struct display_list *list, const struct panel *p, double x, double y)
{
    const int bands = spectrogram_bands(p), columns = pixel_columns(p);
    struct color *pixel = calloc((size_t)bands * (size_t)columns + 1, sizeof *pixel);
    list->failed |= !pixel;
    if (pixel && bands && columns)
        fill_bands(pixel, p, bands, columns);
    if (pixel)
        display_list_image(list, (struct display_image){.x = x,
                                                        .y = y,
                                                        .width = p->cell,
                                                        .height = bands_height(p),
                                                        .columns = columns,
                                                        .rows = bands,
                                                        .pixel = pixel});
    free(pixel);
}

/* "word: most weight 0.123 at 0.45 s" */
static void add_tooltip(struct strbuf *tip, const struct panel *p, int t, double most, int column)
{
    const struct attend_frames_view *f = p->matrix->frames;
    const double at = (column < 0 ? 0 : column) * (double)(f->stride > 1 ? f->stride : 1);
    frames_panel_add_most(tip, p, t, most);
    if (f->seconds > 0)
        label_add_number(tip, at * f->seconds, 2);
    else
        label_add_number(tip, at, 0);
    strbuf_adds(tip, f->seconds > 0 ? " s" : "");
}

static void draw_row(struct display_list *list, const struct panel *p, int t,
                     const struct frames_shades *shades, double x, double y)
{
    struct color pixel[SPECTROGRAM_MOST];
    struct strbuf tip = {0};
    const int columns = pixel_columns(p);
    int peak;
    const double most = frames_panel_most(p, t, &peak);
    for (int i = 0; i < columns; i++) {
        int from;
        const int end = spectrogram_span(p, i, columns, &from);
        pixel[i] = frames_shade(shades, spectrogram_peak(p, from, end, t, most));
    }
    add_tooltip(&tip, p, t, most, peak);
    list->failed |= tip.failed;
    display_list_image(list, (struct display_image){.x = x,
                                                    .y = y,
                                                    .width = p->cell,
                                                    .height = ROW - ROW_GAP,
                                                    .columns = columns,
                                                    .rows = 1,
                                                    .pixel = pixel,
                                                    .tooltip = tip.text});
    strbuf_release(&tip);
}

static void draw_rows(struct display_list *list, const struct panel *p, double x, double y)
{
    struct frames_shades shades;
    frames_shades_init(&shades, p->theme->scale);
    for (int t = 0; t < p->target.count; t++, y += ROW) {
        draw_row(list, p, t, &shades, x, y);
        const double line = y + ROW - ROW_GAP / 2.0;
        display_list_line(list,
                          (struct display_line){x, line, x + p->cell, line, 1, p->theme->rule});
        display_list_text(
            list, (struct display_text){.x = x - LABEL_GAP,
                                        .y = y + (ROW - ROW_GAP) / 2.0 + PANEL_HALF_HEIGHT * FONT,
                                        .size = FONT,
                                        .anchor = ANCHOR_END,
                                        .color = p->theme->ink,
                                        .text = p->target.text[t]});
    }
}

static void draw_tick(struct display_list *list, const struct panel *p, const struct axis *axis,
                      int i, double x, double y)
{
    struct strbuf number = {0};
    axis_add_tick(&number, axis, i);
    list->failed |= number.failed;
    display_list_line(list, (struct display_line){x, y, x, y + TICK, 1, p->theme->axis});
    display_list_text(list, (struct display_text){.x = x,
                                                  .y = y + TICK + TICK_SIZE + 1,
                                                  .size = TICK_SIZE,
                                                  .anchor = ANCHOR_MIDDLE,
                                                  .color = p->theme->faint,
                                                  .text = number.text ? number.text : ""});
    strbuf_release(&number);
}

static void draw_axis(struct display_list *list, const struct panel *p, double x, double y)
{
    double end;
    const struct axis axis = spectrogram_axis(p, TICKS, &end);
    display_list_line(list, (struct display_line){x, y, x + p->cell, y, 1, p->theme->axis});
    for (int i = 0; i <= axis.steps && axis_tick(&axis, i) <= end; i++)
        draw_tick(list, p, &axis, i, x + p->cell * axis_tick(&axis, i) / (end > 0 ? end : 1), y);
    display_list_text(list, (struct display_text){.x = x - LABEL_GAP - TICK_HALF,
                                                  .y = y + TICK + TICK_SIZE + 1,
                                                  .size = TICK_SIZE,
                                                  .anchor = ANCHOR_END,
                                                  .color = p->theme->faint,
                                                  .text = axis_caption(p)});
}

void spectrogram_plot_draw(struct display_list *list, const struct panel *p, double x, double y)
{
    draw_bands(list, p, x, y - bands_height(p) - GAP);
    draw_rows(list, p, x, y);
    draw_axis(list, p, x, y + p->target.count * ROW);
}
