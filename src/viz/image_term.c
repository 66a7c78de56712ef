#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/frames_panel.h"
#include "viz/image_plot.h"
#include "viz/panel.h"
#include "viz/spectrogram_plot.h"

/* A patch is two columns wide if they fit, because a column is half as wide as a line is high. */
enum { IMAGE_LINES = 6, SQUARE = 2, SQUARES_GAP = 3 };

struct text {
    struct strbuf *out;
    const struct panel *panel;
    enum term_palette palette;
    int labels, columns; /* columns: of the whole line of writing, or of a patch */
};

static void add_cell(const struct text *x, const struct theme *theme, double share, int width)
{
    if (x->palette == TERM_TRUECOLOR)
        term_add_background(x->out, theme, share);
    for (int i = 0; i < width; i++)
        strbuf_adds(x->out, x->palette == TERM_TRUECOLOR ? " " : term_shade(share));
}

static void end_cells(const struct text *x)
{
    if (x->palette == TERM_TRUECOLOR)
        term_add_reset(x->out);
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* Text column i stands for the columns of pixels from `from` up to the returned one. */
static int span(const struct text *x, int i, int *from)
{
    const long long width = x->panel->matrix->frames->width;
    *from = (int)(i * width / x->columns);
    return (int)((i + 1) * width / x->columns);
}

static void add_image(const struct text *x)
{
    const struct panel *p = x->panel;
    const int rows = p->matrix->frames->rows, lines = rows < IMAGE_LINES ? rows : IMAGE_LINES;
    const struct frames_range range = frames_panel_range(p, p->matrix->frames->width);
    /* Blocks are the ink, which is darker than the ground on paper. */
    const bool invert = x->palette == TERM_BLOCKS && frames_range_share(&range, range.middle) > 0.5;
    struct theme gray = *p->theme;
    gray.scale = color_scale_find("gray", true);
    for (int line = 0; line < lines; line++) {
        term_add_spaces(x->out, x->labels + 1);
        for (int i = 0; i < x->columns; i++) {
            int from;
            const int end = span(x, i, &from);
            const double mean =
                spectrogram_mean(p, line * rows / lines, (line + 1) * rows / lines, from, end);
            const double share = frames_range_share(&range, mean);
            add_cell(x, &gray, invert ? 1 - share : share, 1);
        }
        end_cells(x);
        strbuf_addc(x->out, '\n');
    }
}

static void add_weights(const struct text *x, int t)
{
    int place;
    const double most = frames_panel_most(x->panel, t, &place);
    label_add_isolated(x->out, x->panel->target.text[t]);
    term_add_spaces(x->out, x->labels - utf8_columns(x->panel->target.text[t]) + 1);
    for (int i = 0; i < x->columns; i++) {
        int from;
        const int end = span(x, i, &from);
        add_cell(x, x->panel->theme, spectrogram_peak(x->panel, from, end, t, most), 1);
    }
    end_cells(x);
    strbuf_addc(x->out, '\n');
}

void image_columns_term_add(struct strbuf *out, const struct panel *p, enum term_palette palette)
{
    const int width = p->width ? p->width : TERM_LINE, pixels = p->matrix->frames->width;
    struct text x = {out, p, palette, label_set_columns(&p->target), 0};
    const int room = term_rest(width, x.labels + 1);
    x.columns = pixels < room ? pixels : room;
    add_image(&x);
    for (int t = 0; t < p->target.count; t++)
        add_weights(&x, t);
}

/* ---- Patches --------------------------------------------------------------------------------- */

/* Line `line` of the squares of word t. */
static void add_squares(const struct text *x, int t, double most, int line)
{
    const struct attend_frames_view *f = x->panel->matrix->frames;
    for (int i = 0; i < f->across; i++)
        add_cell(x, x->panel->theme,
                 1 - image_veil(x->panel, t, most, line * f->stride, i * f->stride), x->columns);
    end_cells(x);
}

/* The words from `first` up to `end` side by side, each below its squares. */
static void add_block(const struct text *x, int first, int end, int each)
{
    const struct panel *p = x->panel;
    for (int line = 0; line <= image_down(p); line++) {
        for (int t = first; t < end; t++) {
            const bool caption = line == image_down(p);
            const int used =
                caption ? utf8_columns(p->target.text[t]) : x->columns * p->matrix->frames->across;
            int place;
            if (caption)
                label_add_isolated(x->out, p->target.text[t]);
            else
                add_squares(x, t, frames_panel_most(p, t, &place), line);
            term_add_spaces(x->out, t + 1 < end ? each - used : 0);
        }
        strbuf_addc(x->out, '\n');
    }
}

void image_patches_term_add(struct strbuf *out, const struct panel *p, enum term_palette palette)
{
    const int width = p->width ? p->width : TERM_LINE;
    const int across = p->matrix->frames->across, columns = SQUARE * across <= width ? SQUARE : 1;
    const struct text x = {out, p, palette, label_set_columns(&p->target), columns};
    const int squares = columns * across;
    const int each = (squares > x.labels ? squares : x.labels) + SQUARES_GAP;
    const int fit = (width + SQUARES_GAP) / each, together = fit > 1 ? fit : 1;
    for (int t = 0; t < p->target.count; t += together) {
        const int end = t + together < p->target.count ? t + together : p->target.count;
        strbuf_adds(out, t ? "\n" : "");
        add_block(&x, t, end, each);
    }
}
