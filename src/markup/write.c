/* Writes the markers of a line into its translation. */
#include "base/error.h"
#include "markup/place.h"

#include <stdlib.h>
#include <string.h>

/* A marker other than an end tag. */
struct sibling {
    int index, parent;
    struct place place;
};

struct writing {
    const struct attend_markup *markup;
    const struct slots *units;
    const char *text; /* the translation */
    size_t length, done;
    const struct sibling *sibling; /* (count) by parent, and then in the order of the translation */
    const int *first;              /* (markers + 1) the first child of an element, from -1 on */
    int count;
    struct strbuf *out;
};

static void put_text(struct writing *w, size_t to)
{
    if (to <= w->done)
        return;
    if (w->markup->html)
        html_escape(w->out, w->text + w->done, to - w->done);
    else
        strbuf_add(w->out, w->text + w->done, to - w->done);
    w->done = to;
}

static void put_bytes(struct writing *w, const struct marker *m)
{
    const char *full = w->markup->full.text + m->start;
    if (m->masked && w->markup->html)
        html_escape(w->out, full, m->end - m->start);
    else if (m->masked)
        strbuf_add(w->out, full, m->end - m->start);
    else
        strbuf_add(w->out, w->markup->given + m->from, m->length);
}

/* ---- Kept markers ---- */

/* What stands beside a place in the translation; its end counts as a blank. */
static enum unit_kind kind_after(const struct writing *w)
{
    return w->done < w->length ? unit_kind(w->text + w->done, w->length - w->done) : UNIT_BLANK;
}

static bool blank_before(const struct writing *w)
{
    return w->done == 0 || strchr(" \t", w->text[w->done - 1]);
}

/* A marker that took a blank gets one, and one that touched its neighbor touches again, as far as
 * taking the marker out gives back the translation (attend_markup_text has the rule). */
static void put_kept(struct writing *w, const struct marker *m)
{
    const bool spaced = m->side == MARKER_TOOK_BEFORE || m->side == MARKER_TOOK_AFTER;
    const enum unit_kind after = kind_after(w);
    const bool free_after = after == UNIT_BLANK || after == UNIT_SYMBOL;
    const bool blank = blank_before(w);
    if (!blank && spaced && free_after)
        strbuf_addc(w->out, ' ');
    put_bytes(w, m);
    if (blank && w->length && (spaced || (w->done && free_after)))
        strbuf_addc(w->out, ' ');
}

/* ---- All markers ---- */

/* Whether the blank before the next unit comes before this marker: an element starts with a word,
 * and most others stay with the word after them, unless the element around them ends here. */
static bool goes_after_blank(const struct marker *m, struct place place, int end)
{
    if (place.to > place.from || place.from == 0)
        return true;
    if (m->kind == MARKER_KEPT)
        return place.from < end && m->side == MARKER_TOUCHES_AFTER;
    return place.from < end && m->tag.kind != HTML_CLOSE;
}

static void put_marker(struct writing *w, const struct sibling *s, int end)
{
    const struct marker *m = &w->markup->marker[s->index];
    if (s->place.from > 0)
        put_text(w, w->units->span[s->place.from - 1].to);
    if (s->place.from < w->units->count && goes_after_blank(m, s->place, end))
        put_text(w, w->units->span[s->place.from].from);
    if (m->kind == MARKER_KEPT)
        put_kept(w, m);
    else
        put_bytes(w, m);
}

/* An element that is being written, and its next child. */
struct open_element {
    int element, end, next;
};

static struct open_element open_element(const struct writing *w, int element, int end)
{
    return (struct open_element){element, end, w->first[element + 1]};
}

/* Write all markers, with the text up to the end of each element before its end tag. `stack` has room
 * for all elements and the text itself. */
static void put_all(struct writing *w, struct open_element *stack)
{
    int depth = 0;
    stack[0] = open_element(w, -1, w->units->count);
    while (depth >= 0) {
        struct open_element *top = &stack[depth];
        if (top->next < w->count && w->sibling[top->next].parent == top->element) {
            const struct sibling *s = &w->sibling[top->next++];
            put_marker(w, s, top->end);
            if (w->markup->marker[s->index].kind == MARKER_OPEN)
                stack[++depth] = open_element(w, s->index, s->place.to);
            continue;
        }
        if (top->end > 0)
            put_text(w, w->units->span[top->end - 1].to);
        if (depth-- > 0)
            put_bytes(w, &w->markup->marker[w->markup->marker[top->element].pair]);
    }
}

/* ---- The order of the translation ---- */

/* By place; what stands before a unit comes before an element that starts there. */
static int by_place(const void *a, const void *b)
{
    const struct sibling *x = a, *y = b;
    const bool full = x->place.to > x->place.from, other = y->place.to > y->place.from;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->place.from != y->place.from)
        return x->place.from < y->place.from ? -1 : 1;
    return full != other ? (full ? 1 : -1) : x->index - y->index;
}

static int sort_siblings(struct sibling *sibling, int *first, const struct attend_markup *m,
                         const struct place *place)
{
    int count = 0;
    for (int i = 0; i < m->count; i++)
        if (m->marker[i].kind != MARKER_CLOSE)
            sibling[count++] = (struct sibling){i, m->marker[i].parent, place[i]};
    qsort(sibling, (size_t)count, sizeof *sibling, by_place);
    for (int i = 0; i <= m->count; i++)
        first[i] = count;
    for (int i = count - 1; i >= 0; i--)
        first[sibling[i].parent + 1] = i;
    return count;
}

static bool write_all(struct strbuf *out, const struct attend_markup *m, const struct alignment *a,
                      const char *text)
{
    const size_t markers = (size_t)m->count + 1;
    struct place *place = calloc(markers, sizeof *place);
    struct sibling *sibling = calloc(markers, sizeof *sibling);
    int *first = calloc(markers, sizeof *first);
    struct open_element *stack = calloc(markers, sizeof *stack);
    const bool good = place && sibling && first && stack && place_markers(place, m, a, text);
    if (good) {
        struct writing w = {.markup = m,
                            .units = &a->units,
                            .text = text,
                            .length = strlen(text),
                            .sibling = sibling,
                            .first = first,
                            .count = sort_siblings(sibling, first, m, place),
                            .out = out};
        put_all(&w, stack);
        put_text(&w, w.length);
    }
    free(place);
    free(sibling);
    free(first);
    free(stack);
    return good && !out->failed;
}

/* ---- The public function ---- */

static bool apply(const struct attend_markup *m, const struct attend_translation *best,
                  struct attend_translation *t)
{
    struct strbuf out = {0};
    struct alignment alignment;
    bool good = true;
    if (m->plain.length == 0 && !*t->text) {
        strbuf_adds(&out, m->given);
    } else if (m->count == 0) {
        put_text(&(struct writing){.markup = m, .text = t->text, .out = &out}, strlen(t->text));
    } else {
        good = alignment_init(&alignment, m->plain.text, best, t);
        if (good) {
            good = write_all(&out, m, &alignment, t->text);
            alignment_release(&alignment);
        }
    }
    char *text = strbuf_detach(&out);
    if (text) {
        free(t->text);
        t->text = text;
    }
    return good && text;
}

static void drop_spans(struct attend_translation *t)
{
    free(t->source_span);
    free(t->target_span);
    t->source_span = t->target_span = NULL;
}

enum attend_status attend_markup_apply(const struct attend_markup *m, struct attend_translation *t,
                                       struct attend_error *err)
{
    bool good = true;
    for (int i = 0; i < t->others && good; i++)
        good = apply(m, t, &t->other[i]);
    good = good && apply(m, t, t);
    for (int i = 0; i < t->others; i++)
        drop_spans(&t->other[i]);
    drop_spans(t);
    return good ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for a translation");
}
