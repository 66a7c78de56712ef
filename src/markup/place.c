#include "markup/place.h"

#include <stdlib.h>
#include <string.h>

struct placing {
    const struct attend_markup *markup;
    const struct alignment *alignment;
    const char *target;
    struct place *place;
    int *owner;        /* (units) the innermost element so far; -1: none */
    int *child, *next; /* (markers + 1, markers) first child of an element, from 1; the next one */
};

/* ---- The source ---- */

struct source_range {
    size_t from, to;
};

/* The bytes of the source between the tags of an element, without blanks around them; -1: all. */
static struct source_range source_of(const struct placing *p, int element)
{
    const struct attend_markup *m = p->markup;
    const char *text = m->plain.text;
    struct source_range r = {0, m->plain.length};
    if (element >= 0)
        r = (struct source_range){m->marker[element].at, m->marker[m->marker[element].pair].at};
    while (r.from < r.to && strchr(" \t", text[r.from]))
        r.from++;
    while (r.to > r.from && strchr(" \t", text[r.to - 1]))
        r.to--;
    return r;
}

/* The share of a unit's attention that goes to a range. */
static double share(const struct placing *p, int unit, struct source_range r)
{
    return alignment_before(p->alignment, unit, r.to) -
           alignment_before(p->alignment, unit, r.from);
}

/* ---- Elements ---- */

/* Whether there is more than punctuation between two bytes of a text. */
static bool has_word(const char *text, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++) {
        const bool starts = ((unsigned char)text[at] & 0xc0) != 0x80;
        const enum unit_kind kind = starts ? unit_kind(text + at, to - at) : UNIT_BLANK;
        if (kind == UNIT_WORD || kind == UNIT_DENSE)
            return true;
    }
    return false;
}

static enum unit_kind kind_at(const struct placing *p, int unit)
{
    const size_t from = p->alignment->units.span[unit].from;
    return unit_kind(p->target + from, strlen(p->target + from));
}

static void own(struct placing *p, int element, struct place place)
{
    p->place[element] = place;
    for (int u = place.from; u < place.to; u++)
        p->owner[u] = element;
}

/* The best contiguous free units; false if no unit belongs to the element. Words do not become
 * punctuation. */
static bool find_best(const struct placing *p, int element, int parent, struct place within,
                      struct place *out)
{
    const struct source_range mine = source_of(p, element), around = source_of(p, parent);
    double sum = 0, best = 0;
    int start = within.from;
    *out = (struct place){within.from, within.from};
    for (int u = within.from; u < within.to; u++) {
        if (sum <= 0 || p->owner[u] != parent) {
            sum = 0;
            start = u + (p->owner[u] != parent);
        }
        if (p->owner[u] != parent)
            continue;
        sum += share(p, u, mine) - (parent < 0 ? 0.5 : share(p, u, around) / 2);
        /* Of two that are about equal, the first and shorter one. */
        if (sum > (best > 0 ? best + 0.05 : 1e-9)) {
            best = sum;
            *out = (struct place){start, u + 1};
        }
    }
    const struct attend_span *span = p->alignment->units.span;
    return best > 0 && out->to > out->from &&
           (!has_word(p->markup->plain.text, mine.from, mine.to) ||
            has_word(p->target, span[out->from].from, span[out->to - 1].to));
}

/* The free unit that gives the element most, punctuation last; false if no unit is free. */
static bool find_any(const struct placing *p, int element, int parent, struct place within,
                     struct place *out)
{
    const struct source_range mine = source_of(p, element);
    double best = -2;
    for (int u = within.from; u < within.to; u++)
        if (p->owner[u] == parent) {
            const double value = share(p, u, mine) - (kind_at(p, u) == UNIT_SYMBOL);
            *out = value > best ? (struct place){u, u + 1} : *out;
            best = value > best ? value : best;
        }
    return best > -2;
}

/* Whether an element encloses all words of the element around it. */
static bool is_whole(const struct placing *p, int element, int parent)
{
    const struct source_range mine = source_of(p, element), around = source_of(p, parent);
    return mine.from == around.from && mine.to == around.to && mine.from < mine.to;
}

/* ---- Other markers ---- */

static bool gap_before(const struct placing *p, int unit)
{
    const struct attend_span *span = p->alignment->units.span;
    return unit <= 0 || unit >= p->alignment->units.count || span[unit].from > span[unit - 1].to;
}

/* Whether a marker with a blank may stand before a unit: at a blank, before punctuation that ends a word,
 * and anywhere in a script without blanks. It stays out of l'eau and (word. */
static bool fits_word(const struct placing *p, int unit)
{
    if (gap_before(p, unit) || kind_at(p, unit) == UNIT_DENSE || kind_at(p, unit - 1) == UNIT_DENSE)
        return true;
    return kind_at(p, unit) == UNIT_SYMBOL &&
           (gap_before(p, unit + 1) || kind_at(p, unit + 1) == UNIT_SYMBOL);
}

/* Whether a marker may stand before a unit: not inside an element beside it. */
static bool fits(const struct placing *p, int marker, int parent, struct place within, int unit)
{
    if (unit == within.from || unit == within.to)
        return true;
    const int left = p->owner[unit - 1], right = p->owner[unit];
    if (left != parent && left == right)
        return false;
    const struct marker *m = &p->markup->marker[marker];
    const bool spaced = m->side == MARKER_TOOK_BEFORE || m->side == MARKER_TOOK_AFTER;
    return m->kind != MARKER_KEPT || !spaced || fits_word(p, unit);
}

/* The words of the source on both sides of a marker. */
static struct source_range neighbors(const struct placing *p, size_t at)
{
    const char *text = p->markup->plain.text;
    struct source_range r = {at, at};
    while (r.from && strchr(" \t", text[r.from - 1]))
        r.from--;
    while (r.from && !strchr(" \t", text[r.from - 1]))
        r.from--;
    r.to += strspn(text + r.to, " \t");
    r.to += strcspn(text + r.to, " \t");
    return r;
}

/* The place that divides the attention of the units best, beside the translations of the marker's
 * neighbors in any order. Start and end tags without their partner must keep their order, so only
 * the first counts for them. */
static int find_border(const struct placing *p, int marker, int parent, struct place within)
{
    const struct source_range around = source_of(p, parent);
    const struct marker *m = &p->markup->marker[marker];
    const struct source_range before = {around.from, m->at}, after = {m->at, around.to};
    if (m->at <= around.from)
        return within.from;
    if (m->at >= around.to)
        return within.to;
    const bool alone = m->kind == MARKER_TAG && m->tag.kind != HTML_VOID;
    const struct source_range near = alone ? (struct source_range){0, 0} : neighbors(p, m->at);
    double sum = 0, best = within.from < within.to ? share(p, within.from, near) : 0;
    int border = within.from;
    for (int u = within.from; u < within.to; u++) {
        sum += (share(p, u, before) - share(p, u, after)) / (within.to - within.from);
        const double here =
            sum + share(p, u, near) + (u + 1 < within.to ? share(p, u + 1, near) : 0);
        if (here > best + 1e-9 && fits(p, marker, parent, within, u + 1)) {
            best = here;
            border = u + 1;
        }
    }
    return border;
}

/* ---- All ---- */

static bool is_filled(const struct placing *p, int i)
{
    const struct source_range r = source_of(p, i);
    return p->markup->marker[i].kind == MARKER_OPEN && r.to > r.from;
}

/* Elements with words take units: first those that some units belong to, then the others. */
static void place_elements(struct placing *p, int parent, struct place within)
{
    struct place found;
    for (int i = p->child[parent + 1]; i; i = p->next[i - 1]) {
        p->place[i - 1] = (struct place){-1, -1};
        if (!is_filled(p, i - 1))
            continue;
        if (is_whole(p, i - 1, parent))
            own(p, i - 1, within);
        else if (find_best(p, i - 1, parent, within, &found))
            own(p, i - 1, found);
    }
    for (int i = p->child[parent + 1]; i; i = p->next[i - 1])
        if (p->place[i - 1].from < 0 && is_filled(p, i - 1) &&
            find_any(p, i - 1, parent, within, &found))
            own(p, i - 1, found);
}

static void place_children(struct placing *p, int parent, struct place within)
{
    place_elements(p, parent, within);
    for (int i = p->child[parent + 1]; i; i = p->next[i - 1])
        if (p->place[i - 1].from < 0) {
            const int border = find_border(p, i - 1, parent, within);
            p->place[i - 1] = (struct place){border, border};
        }
}

/* An element comes before its children, so its own place is known when they are placed. */
static void place_all(struct placing *p, struct place within)
{
    place_children(p, -1, within);
    for (int i = 0; i < p->markup->count; i++)
        if (p->markup->marker[i].kind == MARKER_OPEN)
            place_children(p, i, p->place[i]);
}

/* Link the children of every element, in their order. */
static void link_children(struct placing *p)
{
    for (int i = p->markup->count - 1; i >= 0; i--) {
        const struct marker *marker = &p->markup->marker[i];
        if (marker->kind == MARKER_CLOSE)
            continue;
        p->next[i] = p->child[marker->parent + 1];
        p->child[marker->parent + 1] = i + 1;
    }
}

bool place_markers(struct place *place, const struct attend_markup *markup,
                   const struct alignment *alignment, const char *target)
{
    const size_t markers = (size_t)markup->count + 1;
    struct placing p = {.markup = markup,
                        .alignment = alignment,
                        .target = target,
                        .place = place,
                        .owner = calloc((size_t)alignment->units.count + 1, sizeof *p.owner),
                        .child = calloc(markers, sizeof *p.child),
                        .next = calloc(markers, sizeof *p.next)};
    const bool good = p.owner && p.child && p.next;
    for (int u = 0; good && u < alignment->units.count; u++)
        p.owner[u] = -1;
    if (good) {
        link_children(&p);
        place_all(&p, (struct place){0, alignment->units.count});
    }
    free(p.owner);
    free(p.child);
    free(p.next);
    return good;
}
