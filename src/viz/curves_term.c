#include "viz/curves.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/axis.h"
#include "viz/label.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Characters; each holds 2 x 4 Braille dots, of which the lines between points are made. */
enum {
    COLUMNS = 64,
    ROWS = 17,
    ACROSS = 2 * COLUMNS,
    DOWN = 4 * ROWS,
    X_MOST = 8, /* steps along the axes */
    Y_MOST = 5,
    LETTERS = 26,
};

/* Where points of several curves fall together. */
static const char together = '*';

struct chart {
    const struct curves_plot *plot;
    struct strbuf *out;
    struct axis x, y;
    int margin;                        /* columns of the y axis' numbers */
    unsigned char dots[ROWS][COLUMNS]; /* offset from U+2800 */
    char letter[ROWS][COLUMNS];        /* 0: none */
};

static void add_spaces(struct strbuf *out, int count) { strbuf_addf(out, "%*s", count, ""); }

static char letter_of(int c) { return (char)('A' + c % LETTERS); }

/* ---- Places, in dots from the upper left corner ---------------------------------------------- */

static int place(double share, int size)
{
    return (int)lround(fmin(fmax(share, 0), 1) * (size - 1));
}

static int x_at(const struct chart *t, double x) { return place(axis_share(&t->x, x), ACROSS); }
static int y_at(const struct chart *t, double y) { return place(1 - axis_share(&t->y, y), DOWN); }

static void set_dot(struct chart *t, int x, int y)
{
    /* Unicode numbers the dots of a cell down the left, then down the right column, but the lowest
     * two came later. */
    static const unsigned char bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    t->dots[y / 4][x / 2] |= bit[y % 4][x % 2];
}

/* Curves differ in how close their dots stand. */
static void set_line(struct chart *t, int c, const int from[2], const int to[2])
{
    const int dx = to[0] - from[0], dy = to[1] - from[1];
    const int steps = (int)fmax(abs(dx), abs(dy)), apart = c % 4 + 1;
    for (int i = 0; i <= steps; i += apart)
        set_dot(t, from[0] + (int)lround((double)dx * i / fmax(steps, 1)),
                from[1] + (int)lround((double)dy * i / fmax(steps, 1)));
}

static void set_letter(struct chart *t, int c, const int at[2])
{
    char *letter = &t->letter[at[1] / 4][at[0] / 2];
    *letter = *letter && *letter != letter_of(c) ? together : letter_of(c);
}

static void set_curve(struct chart *t, int c)
{
    const struct curve *curve = &t->plot->curve[c];
    int before[2];
    bool drawn = false;
    for (int i = 0; i < curve->count; i++) {
        const bool shown = curves_shows(curve, i, &t->y);
        if (shown) {
            const int at[2] = {x_at(t, curve->x[i]), y_at(t, curve->y[i])};
            if (drawn)
                set_line(t, c, before, at);
            set_letter(t, c, at);
            memcpy(before, at, sizeof before);
        }
        drawn = shown;
    }
}

/* ---- Lines of text --------------------------------------------------------------------------- */

/* The tick that stands in a row of the y axis or a column of the x axis, or -1. */
static int tick_in(const struct chart *t, int row, int column)
{
    const struct axis *axis = row >= 0 ? &t->y : &t->x;
    for (int i = 0; i <= axis->steps; i++) {
        const double value = axis_tick(axis, i);
        if (row >= 0 ? y_at(t, value) / 4 == row : x_at(t, value) / 2 == column)
            return i;
    }
    return -1;
}

static void add_cell(const struct chart *t, int row, int column)
{
    const unsigned dots = t->dots[row][column];
    const char braille[] = {(char)0xe2, (char)(0xa0 | dots >> 6), (char)(0x80 | (dots & 0x3f)), 0};
    if (t->letter[row][column])
        strbuf_addc(t->out, t->letter[row][column]);
    else
        strbuf_adds(t->out, dots ? braille : " ");
}

static void add_row(const struct chart *t, int row)
{
    const int tick = tick_in(t, row, -1);
    struct strbuf number = {0};
    int last = COLUMNS - 1;
    if (tick >= 0)
        axis_add_tick(&number, &t->y, tick);
    strbuf_addf(t->out, "%*s %s", t->margin, tick >= 0 && number.text ? number.text : "",
                tick >= 0 ? "\u2524" : "\u2502");
    while (last >= 0 && !t->dots[row][last] && !t->letter[row][last])
        last--;
    for (int column = 0; column <= last; column++)
        add_cell(t, row, column);
    strbuf_addc(t->out, '\n');
    t->out->failed |= number.failed;
    strbuf_release(&number);
}

/* The numbers below the axis, each under the middle of its tick. */
static void add_x_numbers(const struct chart *t)
{
    int used = 0;
    for (int column = 0; column < COLUMNS; column++) {
        const int tick = tick_in(t, -1, column);
        if (tick < 0)
            continue;
        struct strbuf number = {0};
        axis_add_tick(&number, &t->x, tick);
        const int from = t->margin + 2 + column - ((int)number.length - 1) / 2;
        if (number.text && from > used) {
            add_spaces(t->out, from - used);
            strbuf_adds(t->out, number.text);
            used = from + (int)number.length;
        }
        t->out->failed |= number.failed;
        strbuf_release(&number);
    }
    strbuf_addc(t->out, '\n');
}

static void add_x_axis(const struct chart *t)
{
    add_spaces(t->out, t->margin + 1);
    strbuf_adds(t->out, "\u2514");
    for (int column = 0; column < COLUMNS; column++)
        strbuf_adds(t->out, tick_in(t, -1, column) >= 0 ? "\u252c" : "\u2500");
    strbuf_addc(t->out, '\n');
    add_x_numbers(t);
}

/* A line with safe text in the middle of the plot area, or from its left if that is too narrow. */
static void add_caption(const struct chart *t, const char *raw)
{
    struct strbuf safe = {0};
    label_add(&safe, raw);
    t->out->failed |= safe.failed;
    if (safe.text) {
        const int blank = COLUMNS - utf8_width(safe.text);
        add_spaces(t->out, t->margin + 2 + (blank > 0 ? blank / 2 : 0));
        strbuf_addf(t->out, "%s\n", safe.text);
    }
    strbuf_release(&safe);
}

static bool has_together(const struct chart *t)
{
    return memchr(t->letter, together, sizeof t->letter);
}

static void add_legend(const struct chart *t)
{
    strbuf_addc(t->out, '\n');
    for (int c = 0; c < t->plot->count; c++) {
        strbuf_addf(t->out, "%*c  ", t->margin + 2, letter_of(c));
        label_add(t->out, t->plot->curve[c].label);
        strbuf_addc(t->out, '\n');
    }
    if (has_together(t))
        strbuf_addf(t->out, "%*c  several\n", t->margin + 2, together);
}

static int widest_number(struct strbuf *out, const struct axis *axis)
{
    size_t most = 0;
    for (int i = 0; i <= axis->steps; i++) {
        struct strbuf number = {0};
        axis_add_tick(&number, axis, i);
        most = number.length > most ? number.length : most;
        out->failed |= number.failed;
        strbuf_release(&number);
    }
    return (int)most;
}

void curves_term(struct strbuf *out, const struct curves_plot *plot)
{
    struct chart t = {.plot = plot, .out = out};
    curves_axes(plot, X_MOST, Y_MOST, &t.x, &t.y);
    t.margin = widest_number(out, &t.y);
    for (int c = 0; c < plot->count; c++)
        set_curve(&t, c);
    if (plot->title) {
        label_add(out, plot->title);
        strbuf_adds(out, "\n\n");
    }
    if (plot->y_label) {
        label_add(out, plot->y_label);
        strbuf_addc(out, '\n');
    }
    for (int row = 0; row < ROWS; row++)
        add_row(&t, row);
    add_x_axis(&t);
    if (plot->x_label)
        add_caption(&t, plot->x_label);
    if (plot->count > 0)
        add_legend(&t);
}
