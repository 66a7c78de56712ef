#include "viz/links_term.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/panel.h"

/* Columns: a weight and the character before it; between two words; an arrow with its blanks. */
enum { WEIGHT = 5, GAP = 2, ARROW = 3 };

struct lines {
    const struct panel *panel;
    struct strbuf *out;
    enum term_palette palette;
    int width;  /* columns of a line */
    int margin; /* columns of the target words */
    int used;   /* columns of the line so far */
};

/* The strongest link of target t that is weaker than the link to source `after`, or equally strong
 * and further right; -1 after the last. */
static int next_link(const struct panel *p, int t, int after)
{
    int next = -1;
    for (int s = 0; s < p->source.count; s++) {
        const double w = panel_weight(p, t, s), before = after < 0 ? 0 : panel_weight(p, t, after);
        const bool listed = after >= 0 && (w > before || (w >= before && s <= after));
        if (w >= PANEL_LINK_LEAST && !listed && (next < 0 || w > panel_weight(p, t, next)))
            next = s;
    }
    return next;
}

/* Start the next `columns` columns: after a gap, or on a new line if they do not fit. */
static void move_on(struct lines *l, int columns)
{
    const int indent = l->margin + ARROW;
    if (l->used > indent && l->used + GAP + columns > l->width) {
        strbuf_addc(l->out, '\n');
        l->used = 0;
    }
    const int to = l->used < indent ? indent : l->used + GAP;
    term_add_spaces(l->out, to - l->used);
    l->used = to + columns;
}

/* "ghar #.97", or " ghar 97 " on its color. */
static void add_link(struct lines *l, int t, int s)
{
    const char *word = l->panel->source.text[s];
    const double weight = panel_weight(l->panel, t, s);
    const bool color = l->palette == TERM_TRUECOLOR;
    move_on(l, utf8_columns(word) + WEIGHT + (color ? 1 : 0));
    if (color) {
        term_add_fill(l->out, l->panel->theme, weight);
        strbuf_addc(l->out, ' ');
    }
    label_add_isolated(l->out, word);
    strbuf_addf(l->out, " %s", color ? "" : term_shade(weight));
    term_add_weight(l->out, weight);
    if (color) {
        strbuf_addc(l->out, ' ');
        term_add_reset(l->out);
    }
}

static void add_line(struct lines *l, int t)
{
    const char *label = l->panel->target.text[t];
    term_add_spaces(l->out, term_rest(l->margin, utf8_columns(label)));
    label_add_isolated(l->out, label);
    strbuf_adds(l->out, " \u2190");
    l->used = l->margin + ARROW - 1;
    for (int s = next_link(l->panel, t, -1); s >= 0; s = next_link(l->panel, t, s))
        add_link(l, t, s);
    strbuf_addc(l->out, '\n');
}

void links_term_add(struct strbuf *out, const struct panel *panel, enum term_palette palette)
{
    struct lines l = {.panel = panel,
                      .out = out,
                      .palette = palette,
                      .width = panel->width ? panel->width : TERM_LINE,
                      .margin = label_set_columns(&panel->target)};
    for (int t = 0; t < panel->target.count; t++)
        add_line(&l, t);
}
