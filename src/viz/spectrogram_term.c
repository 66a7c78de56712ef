#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/axis.h"
#include "viz/fit.h"
#include "viz/frames_panel.h"
#include "viz/panel.h"
#include "viz/spectrogram_plot.h"

#include <string.h>

enum { BAND_LINES = 6, COLUMNS_LEAST = 8 };

struct strip {
    const struct panel *panel;
    enum term_palette palette;
    int labels, columns;
};

static void add_cell(struct strbuf *out, const struct strip *s, const struct theme *theme,
                     double share)
{
    if (s->palette == TERM_TRUECOLOR) {
        term_add_background(out, theme, share);
        strbuf_addc(out, ' ');
    } else {
        strbuf_adds(out, term_shade(share));
    }
}

static void end_line(struct strbuf *out, const struct strip *s)
{
    if (s->palette == TERM_TRUECOLOR)
        term_add_reset(out);
    strbuf_addc(out, '\n');
}

static void add_bands(struct strbuf *out, const struct strip *s)
{
    const struct panel *p = s->panel;
    const int bands = spectrogram_bands(p), lines = bands < BAND_LINES ? bands : BAND_LINES;
    const struct frames_range range = frames_panel_range(p, bands);
    struct theme gray = *p->theme;
    gray.scale = frames_panel_gray(p);
    for (int line = lines - 1; line >= 0; line--) {
        term_add_spaces(out, s->labels + 1);
        for (int i = 0; i < s->columns; i++) {
            int from;
            const int end = spectrogram_span(p, i, s->columns, &from);
            const double mean =
                spectrogram_mean(p, from, end, line * bands / lines, (line + 1) * bands / lines);
            add_cell(out, s, &gray, frames_range_share(&range, mean));
        }
        end_line(out, s);
    }
}

static void add_row(struct strbuf *out, const struct strip *s, int t)
{
    const struct panel *p = s->panel;
    int peak;
    const double most = frames_panel_most(p, t, &peak);
    label_add_isolated(out, p->target.text[t]);
    term_add_spaces(out, s->labels - utf8_columns(p->target.text[t]) + 1);
    for (int i = 0; i < s->columns; i++) {
        int from;
        const int end = spectrogram_span(p, i, s->columns, &from);
        add_cell(out, s, p->theme, spectrogram_peak(p, from, end, t, most));
    }
    end_line(out, s);
}

/* The unit stands among the labels if there is room. */
static void add_unit(struct strbuf *out, const struct strip *s)
{
    const char *unit = s->panel->matrix->frames->seconds > 0 ? "s" : "frame";
    const int columns = (int)strlen(unit) <= s->labels ? (int)strlen(unit) : 0;
    term_add_spaces(out, s->labels - columns);
    strbuf_addf(out, "%.*s ", columns, unit);
}

/* Numbers that begin at their ticks; those that would touch the one before or the edge are left
 * out. */
static void add_axis(struct strbuf *out, const struct strip *s)
{
    double end;
    const struct axis axis = spectrogram_axis(s->panel, s->columns / 10 + 1, &end);
    int used = -1;
    add_unit(out, s);
    for (int i = 0; i <= axis.steps && end > 0 && axis_tick(&axis, i) <= end; i++) {
        struct strbuf number = {0};
        axis_add_tick(&number, &axis, i);
        out->failed |= number.failed;
        const int at = (int)(axis_tick(&axis, i) / end * s->columns), width = (int)number.length;
        if (number.text && at > used && at + width <= s->columns) {
            term_add_spaces(out, at - (used < 0 ? 0 : used));
            strbuf_adds(out, number.text);
            used = at + width;
        }
        strbuf_release(&number);
    }
    strbuf_addc(out, '\n');
}

void spectrogram_term_add(struct strbuf *out, const struct panel *p, enum term_palette palette)
{
    const int width = p->width ? p->width : TERM_LINE, rows = p->matrix->frames->rows;
    struct strip s = {.panel = p, .palette = palette, .labels = label_set_columns(&p->target)};
    const int room = term_rest(width, s.labels + 1);
    s.columns = rows < room ? rows : room;
    s.columns = s.columns < COLUMNS_LEAST && rows > s.columns ? COLUMNS_LEAST : s.columns;
    if (s.columns)
        add_bands(out, &s);
    for (int t = 0; t < p->target.count; t++)
        add_row(out, &s, t);
    add_axis(out, &s);
}
