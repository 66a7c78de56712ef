#include "viz/salience_term.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/panel.h"

#include <string.h>

enum { GAP = 2 }; /* columns between two words */

struct text {
    const struct panel *panel;
    struct strbuf *out;
    enum term_palette palette;
    double most;
    int width;  /* columns of a line at most */
    int widest; /* columns of the widest line */
};

/* Writes one line of a word's slot. */
typedef void part_fn(const struct text *, int s);

/* ---- Layout ---------------------------------------------------------------------------------- */

static bool shows_numbers(const struct text *x) { return x->panel->values != ATTEND_VALUES_NEVER; }

static int number_columns(const struct text *x, int s)
{
    struct strbuf number = {0};
    label_add_number(&number, panel_received(x->panel, s), 2);
    const int columns = number.text ? (int)strlen(number.text) : 0;
    strbuf_release(&number);
    return columns;
}

static int word_columns(const struct text *x, int s)
{
    return utf8_columns(x->panel->source.text[s]);
}

static int slot_columns(const struct text *x, int s)
{
    const int word = word_columns(x, s), number = shows_numbers(x) ? number_columns(x, s) : 0;
    return word > number ? word : number;
}

/* The first word after the line; *columns is the line's width. */
static int line_end(const struct text *x, int from, int *columns)
{
    int s = from;
    for (*columns = 0; s < x->panel->source.count; s++) {
        const int slot = slot_columns(x, s) + (s > from ? GAP : 0);
        if (s > from && *columns + slot > x->width)
            break;
        *columns += slot;
    }
    return s;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void add_word(const struct text *x, int s)
{
    if (x->palette == TERM_TRUECOLOR)
        term_add_fill(x->out, x->panel->theme, panel_share(x->panel, s, x->most));
    label_add_isolated(x->out, x->panel->source.text[s]);
    if (x->palette == TERM_TRUECOLOR)
        term_add_reset(x->out);
}

static void add_shade(const struct text *x, int s)
{
    for (int i = 0; i < word_columns(x, s); i++)
        strbuf_adds(x->out, term_shade(panel_share(x->panel, s, x->most)));
}

static void add_number(const struct text *x, int s)
{
    label_add_number(x->out, panel_received(x->panel, s), 2);
}

/* One line of the words from..to; `columns` gives the width of each part. */
static void add_line(const struct text *x, int from, int to, part_fn *part,
                     int (*columns)(const struct text *, int s))
{
    const bool reversed = x->panel->source_reversed;
    int used = 0;
    line_end(x, from, &used);
    term_add_spaces(x->out, reversed ? x->widest - used : 0);
    for (int i = from; i < to; i++) {
        const int s = reversed ? to - 1 - (i - from) : i;
        const int blank = slot_columns(x, s) - columns(x, s);
        term_add_spaces(x->out, (i > from ? GAP : 0) + (reversed ? blank : 0));
        part(x, s);
        term_add_spaces(x->out, reversed || i + 1 == to ? 0 : blank);
    }
    strbuf_addc(x->out, '\n');
}

void salience_term_add(struct strbuf *out, const struct panel *panel, enum term_palette palette)
{
    struct text x = {.panel = panel,
                     .out = out,
                     .palette = palette,
                     .most = panel_most_received(panel),
                     .width = panel->width ? panel->width : TERM_LINE};
    for (int from = 0, columns; from < panel->source.count;) {
        from = line_end(&x, from, &columns);
        x.widest = columns > x.widest ? columns : x.widest;
    }
    for (int from = 0, to, columns; from < panel->source.count; from = to) {
        to = line_end(&x, from, &columns);
        add_line(&x, from, to, add_word, word_columns);
        if (palette == TERM_BLOCKS)
            add_line(&x, from, to, add_shade, word_columns);
        if (shows_numbers(&x))
            add_line(&x, from, to, add_number, number_columns);
        strbuf_adds(out, to < panel->source.count ? "\n" : "");
    }
}
