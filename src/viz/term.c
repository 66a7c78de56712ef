#include "viz/term.h"

#include "base/strbuf.h"
#include "viz/theme.h"
#include "viz/matrix_view.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SCALE_STEPS = 20 };

void term_add_spaces(struct strbuf *out, int count) { strbuf_addf(out, "%*s", count, ""); }

int term_rest(int columns, int used) { return columns > used ? columns - used : 0; }

const char *term_shade(double weight)
{
    static const struct {
        double least;
        const char *block;
    } shades[] = {{0.75, "\u2588"}, {0.5, "\u2593"}, {0.25, "\u2592"}, {0.05, "\u2591"}};
    for (size_t i = 0; i < sizeof shades / sizeof *shades; i++)
        if (weight >= shades[i].least)
            return shades[i].block;
    return " ";
}

/* Zeros print as a plain 0, so that other weights stand out. */
void term_add_weight(struct strbuf *out, double weight)
{
    const int hundredths = isnan(weight) ? 0 : (int)lround(fmin(fmax(weight, 0), 1) * 100);
    if (hundredths > 0 && hundredths < 100)
        strbuf_addf(out, ".%02d", hundredths);
    else
        strbuf_adds(out, isnan(weight) ? "  -" : hundredths ? "1.0" : "  0");
}

void term_add_background(struct strbuf *out, const struct theme *theme, double weight)
{
    const struct color c = theme_weight(theme, weight);
    strbuf_addf(out, "\033[48;2;%d;%d;%dm", c.r, c.g, c.b);
}

void term_add_fill(struct strbuf *out, const struct theme *theme, double weight)
{
    const struct color ink = color_ink(theme_weight(theme, weight));
    term_add_background(out, theme, weight);
    strbuf_addf(out, "\033[38;2;%d;%d;%dm", ink.r, ink.g, ink.b);
}

void term_add_reset(struct strbuf *out) { strbuf_adds(out, "\033[0m"); }

/* "caption 0 (scale) 1"; the caption has a line of its own if it must. Returns the columns of the last
 * line. */
static int add_scale(struct strbuf *out, const struct matrix_view_legend *legend,
                     const struct theme *theme, int width)
{
    const int caption = (int)strlen(legend->caption), scale = SCALE_STEPS + 6;
    const bool breaks = width > 0 && caption + scale > width;
    strbuf_addf(out, "%s%c0 ", legend->caption, breaks ? '\n' : ' ');
    for (int i = 0; i <= SCALE_STEPS; i++) {
        term_add_background(out, theme, (double)i / SCALE_STEPS);
        strbuf_addc(out, ' ');
    }
    term_add_reset(out);
    strbuf_adds(out, " 1");
    return scale - 1 + (breaks ? 0 : caption + 1);
}

void term_add_legend(struct strbuf *out, const struct matrix_view_legend *legend,
                     const struct theme *theme, enum term_palette palette, int width)
{
    int used = 0;
    const bool color = palette == TERM_TRUECOLOR && legend->color;
    if (!color && !legend->note)
        return;
    strbuf_addc(out, '\n');
    if (color)
        used = add_scale(out, legend, theme, width);
    if (legend->note && color)
        strbuf_adds(out, width > 0 && used + 2 + (int)strlen(legend->note) > width ? "\n" : "  ");
    if (legend->note)
        strbuf_adds(out, legend->note);
    strbuf_addc(out, '\n');
}
