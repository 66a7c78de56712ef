#include "viz/links_term.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/panel.h"

/* Columns: a weight and what stands before it; between two words; an arrow with its blanks. */
enum { WEIGHT = 5, GAP = 2, ARROW = 3 };

struct lines {
    const struct panel *panel;
    struct strbuf *out;
    enum term_style style;
    int margin; /* columns of the target words */
    int used;   /* columns of the line so far */
};

/* The strongest link of target t that is weaker than that to source `after` (or, equally strong,
 * stands behind it); -1 after the last. */
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

/* To where the next `columns` begin: after a gap, or in a new line when they do not fit. */
static void move_on(struct lines *l, int columns)
{
    const int indent = l->margin + ARROW;
    if (l->used > indent && l->used + GAP + columns > TERM_LINE) {
        strbuf_addc(l->out, '\n');
        l->used = 0;
    }
    const int to = l->used < indent ? indent : l->used + GAP;
    term_add_spaces(l->out, to - l->used);
    l->used = to + columns;
}

/* "ghar #.97", or " ghar 97 " on its colour. */
static void add_link(struct lines *l, int t, int s)
{
    const char *word = l->panel->source.text[s];
    const double weight = panel_weight(l->panel, t, s);
    const bool colour = l->style == TERM_TRUECOLOR;
    move_on(l, utf8_width(word) + WEIGHT + (colour ? 1 : 0));
    if (colour) {
        term_add_fill(l->out, l->panel->theme, weight);
        strbuf_addc(l->out, ' ');
    }
    label_add_isolated(l->out, word);
    strbuf_addf(l->out, " %s", colour ? "" : term_shade(weight));
    term_add_weight(l->out, weight);
    if (colour) {
        strbuf_addc(l->out, ' ');
        term_add_reset(l->out);
    }
}

static void add_line(struct lines *l, int t)
{
    const char *label = l->panel->target.text[t];
    term_add_spaces(l->out, term_rest(l->margin, utf8_width(label)));
    label_add_isolated(l->out, label);
    strbuf_adds(l->out, " \u2190");
    l->used = l->margin + ARROW - 1;
    for (int s = next_link(l->panel, t, -1); s >= 0; s = next_link(l->panel, t, s))
        add_link(l, t, s);
    strbuf_addc(l->out, '\n');
}

void links_term_add(struct strbuf *out, const struct panel *panel, enum term_style style)
{
    struct lines l = {
        .panel = panel, .out = out, .style = style, .margin = label_set_columns(&panel->target)};
    for (int t = 0; t < panel->target.count; t++)
        add_line(&l, t);
}
