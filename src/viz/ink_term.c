#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/frames_panel.h"
#include "viz/ink_plot.h"
#include "viz/panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cell is about twice as high as wide. */
enum { LINES = 12, ASPECT = 2 };

struct sheet {
    const struct panel *panel;
    enum term_palette palette;
    int columns, lines;
    double scale;          /* columns of a unit of the ink */
    struct ink_spot *cell; /* (lines, columns): the spot with the highest level; word -2: none */
};
enum { NO_INK = -2 };

static void set_size(struct sheet *s, const struct ink_trace *trace)
{
    const int width = s->panel->width ? s->panel->width : TERM_LINE;
    const double by_height = trace->height > 0 ? (LINES - 1) * ASPECT / trace->height : HUGE_VAL;
    const double by_width = trace->width > 0 ? (width - 1) / trace->width : HUGE_VAL;
    const double scale = fmin(by_height, by_width);
    s->scale = isfinite(scale) ? scale : 0;
    s->columns = (int)lround(trace->width * s->scale) + 1;
    s->lines = (int)lround(trace->height * s->scale / ASPECT) + 1;
}

static void mark_cell(struct sheet *s, double x, double y, const struct ink_spot *spot)
{
    const int column = (int)lround(x * s->scale), line = (int)lround(y * s->scale / ASPECT);
    struct ink_spot *cell = &s->cell[line * s->columns + column];
    if (cell->word == NO_INK || spot->level > cell->level)
        *cell = *spot;
}

/* The piece of line that ends at a spot: twice as many points as columns, so that no cell is left
 * out. */
static void mark_piece(struct sheet *s, const struct ink_spot *from, const struct ink_spot *to)
{
    const double length = hypot(to->x - from->x, to->y - from->y) * s->scale;
    const int points = (int)ceil(2 * length) + 1;
    for (int i = 1; i <= points; i++) {
        const double part = (double)i / points;
        mark_cell(s, from->x + part * (to->x - from->x), from->y + part * (to->y - from->y), to);
    }
}

static void mark_all(struct sheet *s, const struct ink_trace *trace)
{
    for (int i = 0; i < s->lines * s->columns; i++)
        s->cell[i].word = NO_INK;
    for (int i = 0; i < trace->count; i++) {
        const bool starts = i == 0 || trace->spot[i - 1].last;
        mark_piece(s, &trace->spot[starts ? i : i - 1], &trace->spot[i]);
    }
}

/* The first letter of a word, or a block if it is not one column wide. */
static void add_letter(struct strbuf *out, const struct sheet *s, int word)
{
    struct strbuf first = {0};
    if (word >= 0) {
        const char *text = s->panel->target.text[word];
        strbuf_add(&first, text, utf8_cluster(text, strlen(text)));
    }
    const bool fits = first.text && utf8_columns(first.text) == 1;
    out->failed |= first.failed;
    strbuf_adds(out, fits ? first.text : word >= 0 ? "\u2588" : "\u00b7");
    strbuf_release(&first);
}

static void add_color(struct strbuf *out, const struct sheet *s, int word)
{
    if (s->palette != TERM_TRUECOLOR || word < 0)
        return;
    const struct color c = frames_word_color(word, frames_panel_dark(s->panel));
    strbuf_addf(out, "\033[38;2;%d;%d;%dm", c.r, c.g, c.b);
}

static void add_lines(struct strbuf *out, const struct sheet *s)
{
    for (int line = 0; line < s->lines; line++) {
        for (int i = 0; i < s->columns; i++) {
            const int word = s->cell[line * s->columns + i].word;
            add_color(out, s, word);
            if (word == NO_INK)
                strbuf_addc(out, ' ');
            else
                add_letter(out, s, word);
        }
        if (s->palette == TERM_TRUECOLOR)
            term_add_reset(out);
        strbuf_addc(out, '\n');
    }
}

/* The words in one line, or in several if they are wider than the terminal. */
static void add_words(struct strbuf *out, const struct sheet *s)
{
    const int width = s->panel->width ? s->panel->width : TERM_LINE;
    int used = 0;
    strbuf_addc(out, '\n');
    for (int t = 0; t < s->panel->target.count; t++) {
        const char *word = s->panel->target.text[t];
        const int columns = utf8_columns(word);
        const bool breaks = used && used + 1 + columns > width;
        strbuf_adds(out, !used ? "" : breaks ? "\n" : " ");
        used = (breaks || !used ? 0 : used + 1) + columns;
        add_color(out, s, t);
        label_add_isolated(out, word);
        if (s->palette == TERM_TRUECOLOR)
            term_add_reset(out);
    }
    strbuf_addc(out, '\n');
}

void ink_term_add(struct strbuf *out, const struct panel *p, enum term_palette palette)
{
    struct sheet s = {.panel = p, .palette = palette};
    struct ink_trace trace;
    ink_trace_init(&trace, p);
    if (!trace.failed) {
        set_size(&s, &trace);
        s.cell = calloc((size_t)s.lines * (size_t)s.columns, sizeof *s.cell);
    }
    out->failed |= !s.cell;
    if (s.cell) {
        mark_all(&s, &trace);
        add_lines(out, &s);
        add_words(out, &s);
    }
    free(s.cell);
    ink_trace_release(&trace);
}
