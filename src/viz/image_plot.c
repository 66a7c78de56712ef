#include "viz/image_plot.h"

#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/frames_panel.h"
#include "viz/panel.h"

#include <math.h>
#include <stdlib.h>

/* Pixels of the picture. */
enum {
    FONT = 13,
    LABEL_GAP = 8,
    LINE_HEIGHT = 48, /* of a line of writing, unless it would be wider than LINE_MOST */
    LINE_MOST = 800,
    LINE_PANELS = 420,
    LINE_LEAST = 8,
    LINE_GAP = 6,
    PATCH_SIDE = 132, /* the longer side of an image that is read in patches */
    PATCH_GAP = 14,
    CAPTION = 22,
    ACROSS_MOST = 6, /* images side by side */
    DETAIL = 600,    /* larger images are drawn with as many pixels a side */
};
static const double thickness = 0.86, dark_floor = 0.4;

/* ---- Weights --------------------------------------------------------------------------------- */

static const struct attend_frames_view *frames_of(const struct panel *p)
{
    return p->matrix->frames;
}

static bool in_patches(const struct panel *p)
{
    return frames_of(p)->kind == ATTEND_FRAMES_PATCHES;
}

static int at_least_one(int number) { return number > 1 ? number : 1; }

int image_down(const struct panel *p)
{
    const int side = at_least_one(frames_of(p)->stride);
    return (frames_of(p)->rows + side - 1) / side;
}

/* The column of the matrix that stands for a pixel. If an encoder merged patches, each column has
 * the same number of consecutive ones. */
static int column_at(const struct panel *p, int row, int column)
{
    const struct attend_frames_view *f = frames_of(p);
    const int last = p->matrix->source_count - 1, side = at_least_one(f->stride);
    if (!in_patches(p))
        return frames_panel_column(p, column);
    const int across = at_least_one(f->across), patches = across * image_down(p);
    const int each = last >= 0 ? (patches + last) / (last + 1) : 1;
    const int place = column / side < across ? column / side : across - 1;
    const int found = (row / side * across + place) / at_least_one(each);
    return found < last ? found : last;
}

double image_veil(const struct panel *p, int t, double most, int row, int column)
{
    const int s = column_at(p, row, column);
    return s < 0 ? 1 : 1 - frames_panel_share(p, t, s, most);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

struct grid {
    double width, height; /* of an image */
    double x, y;          /* from one image to the next */
    int across, count;    /* images side by side, and in all: one for each word and the bare one */
};

static double line_scale(const struct panel *p)
{
    const double width = at_least_one(frames_of(p)->width);
    const double height = at_least_one(frames_of(p)->rows);
    return fmin(LINE_HEIGHT / height, (p->panels < 2 ? LINE_MOST : LINE_PANELS) / width);
}

static struct grid measure(const struct panel *p)
{
    const double width = at_least_one(frames_of(p)->width);
    const double height = at_least_one(frames_of(p)->rows);
    const double scale = in_patches(p) ? PATCH_SIDE / fmax(width, height) : line_scale(p);
    const double least = in_patches(p) ? 1 : LINE_LEAST;
    struct grid g = {.width = ceil(fmax(width * scale, least)),
                     .height = ceil(fmax(height * scale, least)),
                     .across = 1,
                     .count = p->target.count + 1};
    g.x = g.width;
    g.y = g.height + LINE_GAP;
    if (in_patches(p)) {
        const double caption = ceil(label_set_em(&p->target) * FONT);
        const double square = ceil(sqrt(g.count) * 1.3);
        g.across = (int)fmin(fmin(fmax(square, 1), ACROSS_MOST), g.count);
        g.x = fmax(g.width, caption) + PATCH_GAP;
        g.y = g.height + CAPTION + PATCH_GAP;
    }
    return g;
}

void image_plot_measure(struct panel *p)
{
    const struct grid g = measure(p);
    const int down = (g.count + g.across - 1) / g.across;
    p->font = FONT;
    p->room = (struct panel_room){.right = g.x * g.across, .below = g.y * down};
    if (!in_patches(p))
        p->room.left = ceil(label_set_em(&p->target) * FONT) + LABEL_GAP;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* The image as it is drawn: every step-th pixel. */
struct raster {
    struct color *pixel;
    int columns, rows, step;
    struct frames_range range;
    struct frames_shades shades;
    double floor; /* the shade of the darkest pixels */
};

static int steps(int length, int step) { return (length + step - 1) / step; }

static void raster_init(struct raster *r, const struct panel *p)
{
    const struct attend_frames_view *f = frames_of(p);
    const int longer = f->width > f->rows ? f->width : f->rows;
    r->step = 1 + longer / (DETAIL + 1);
    r->columns = steps(f->width, r->step);
    r->rows = steps(f->rows, r->step);
    r->range = frames_panel_range(p, f->width);
    /* A veil over a black ground would not be seen, so such a ground is gray. */
    r->floor = frames_range_share(&r->range, r->range.middle) < 0.5 ? dark_floor : 0;
    /* Large values are light on any paper: an image is not turned into its negative. */
    frames_shades_init(&r->shades, color_scale_find("gray", true));
    r->pixel = calloc((size_t)r->columns * (size_t)r->rows + 1, sizeof *r->pixel);
}

/* For t = -1 without a veil. */
static void fill(struct raster *r, const struct panel *p, int t)
{
    static const struct color dark = {0x10, 0x13, 0x1a};
    const struct attend_frames_view *f = frames_of(p);
    int place;
    const double most = t >= 0 ? frames_panel_most(p, t, &place) : 0;
    struct color *pixel = r->pixel;
    for (int i = 0; i < f->rows; i += r->step)
        for (int k = 0; k < f->width; k += r->step) {
            const double value = (double)f->value[(size_t)i * (size_t)f->width + (size_t)k];
            const double share = frames_range_share(&r->range, value);
            const double cover = t >= 0 ? thickness * image_veil(p, t, most, i, k) : 0;
            *pixel++ = frames_mix(frames_shade(&r->shades, r->floor + (1 - r->floor) * share), dark,
                                  cover);
        }
}

static void draw_image(struct display_list *list, const struct panel *p, const struct raster *r,
                       const struct grid *g, int t, double x, double y)
{
    struct strbuf tip = {0};
    int place;
    if (t >= 0) {
        label_add_isolated(&tip, p->target.text[t]);
        strbuf_adds(&tip, ": most weight ");
        label_add_number(&tip, frames_panel_most(p, t, &place), 3);
    }
    list->failed |= tip.failed;
    display_list_rect(list, (struct display_rect){x - 1, y - 1, g->width + 2, g->height + 2,
                                                  p->theme->rule, NULL});
    display_list_image(list, (struct display_image){.x = x,
                                                    .y = y,
                                                    .width = g->width,
                                                    .height = g->height,
                                                    .columns = r->columns,
                                                    .rows = r->rows,
                                                    .pixel = r->pixel,
                                                    .tooltip = tip.text});
    strbuf_release(&tip);
}

/* To the left of a line, below an image in patches. */
static void draw_caption(struct display_list *list, const struct panel *p, const struct grid *g,
                         int t, double x, double y)
{
    const bool below = in_patches(p);
    display_list_text(
        list, (struct display_text){.x = below ? x + g->width / 2 : x - LABEL_GAP,
                                    .y = below ? y + g->height + FONT + 4
                                               : y + g->height / 2 + PANEL_HALF_HEIGHT * FONT,
                                    .size = FONT,
                                    .anchor = below ? ANCHOR_MIDDLE : ANCHOR_END,
                                    .color = p->theme->ink,
                                    .text = p->target.text[t]});
}

void image_plot_draw(struct display_list *list, const struct panel *p, double x, double y)
{
    const struct grid g = measure(p);
    struct raster r;
    raster_init(&r, p);
    list->failed |= !r.pixel;
    for (int t = -1; t < p->target.count && r.pixel; t++) {
        const int i = t + 1, line = i / g.across;
        const double spare = in_patches(p) ? (g.x - PATCH_GAP - g.width) / 2 : 0;
        const double left = x + i % g.across * g.x + spare, top = y + line * g.y;
        fill(&r, p, t);
        draw_image(list, p, &r, &g, t, left, top);
        if (t >= 0)
            draw_caption(list, p, &g, t, left, top);
    }
    free(r.pixel);
}
