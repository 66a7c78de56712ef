#include "viz/panel.h"

#include "base/bug.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdlib.h>

void panel_init(struct panel *p, const struct attend_matrix *m, const struct attend_style *style,
                const struct theme *theme)
{
    BUG_ON(m->source_count < 0 || m->target_count < 0);
    *p =
        (struct panel){.matrix = m, .theme = theme, .values = style->values, .width = style->width};
    const size_t words = (size_t)m->source_count + (size_t)m->target_count;
    label_set_init(&p->title, &m->title, m->title ? 1 : 0);
    label_set_init(&p->source, m->source, m->frames && !m->source ? 0 : m->source_count);
    label_set_init(&p->target, m->target, m->target_count);
    p->x = calloc(2 * words + 1, sizeof *p->x);
    p->failed = p->title.failed || p->source.failed || p->target.failed || !p->x;
    if (p->failed)
        return;
    p->y = p->x + words;
    p->source_reversed = label_set_right_to_left(&p->source);
    p->target_reversed = label_set_right_to_left(&p->target);
}

void panel_release(struct panel *p)
{
    label_set_release(&p->title);
    label_set_release(&p->source);
    label_set_release(&p->target);
    free(p->x);
    *p = (struct panel){0};
}

double panel_weight(const struct panel *p, int t, int s)
{
    return (double)p->matrix->weight[(size_t)t * (size_t)p->matrix->source_count + (size_t)s];
}

double panel_received(const struct panel *p, int s)
{
    double sum = 0;
    for (int t = 0; t < p->matrix->target_count; t++)
        sum += panel_weight(p, t, s);
    return sum;
}

double panel_most_received(const struct panel *p)
{
    double most = 0;
    for (int s = 0; s < p->matrix->source_count; s++) {
        const double received = panel_received(p, s);
        most = isfinite(received) ? fmax(most, received) : most;
    }
    return most;
}

double panel_share(const struct panel *p, int s, double most)
{
    const double received = panel_received(p, s);
    return most > 0 || isnan(received) ? received / most : 0;
}

void panel_add_tooltip(struct strbuf *tip, const struct panel *p, int t, int s)
{
    label_add_isolated(tip, p->target.text[t]);
    strbuf_adds(tip, " <- ");
    label_add_isolated(tip, p->source.text[s]);
    strbuf_adds(tip, ": ");
    label_add_number(tip, panel_weight(p, t, s), 3);
}
