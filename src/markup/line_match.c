/* Pairs the tags of a line. */
#include "markup/line.h"

#include "base/error.h"

/* The start tags that are open. */
struct stack {
    int open[LINE_DEPTH];
    int depth;
};

static enum attend_status refuse(const struct attend_markup *m, int i, const char *why,
                                 struct attend_error *err)
{
    const struct marker *marker = &m->marker[i];
    return error_set(err, ATTEND_DATA, "%.*s at byte %zu %s",
                     marker->length < 60 ? (int)marker->length : 60, m->given + marker->from,
                     marker->from + 1, why);
}

/* Start tags above `depth` are not closed where they should be: they become single tags. */
static enum attend_status drop(struct attend_markup *m, struct stack *s, int depth, bool tolerant,
                               struct attend_error *err)
{
    if (!tolerant && s->depth > depth)
        return refuse(m, s->open[s->depth - 1],
                      "is not closed, or another tag closes before it; write <b>...</b>", err);
    while (s->depth > depth)
        m->marker[s->open[--s->depth]].kind = MARKER_TAG;
    return ATTEND_OK;
}

static enum attend_status close_tag(struct attend_markup *m, struct stack *s, int i, bool tolerant,
                                    struct attend_error *err)
{
    int depth = s->depth;
    while (depth && !html_same_name(&m->marker[s->open[depth - 1]].tag, &m->marker[i].tag))
        depth--;
    if (!depth && !tolerant)
        return refuse(m, i, "closes a tag that is not open; take it out or open it before", err);
    if (!depth) {
        m->marker[i].kind = MARKER_TAG;
        return ATTEND_OK;
    }
    const enum attend_status status = drop(m, s, depth, tolerant, err);
    const int open = s->open[--s->depth];
    m->marker[open].pair = i;
    m->marker[i].pair = open;
    return status;
}

static enum attend_status open_tag(struct attend_markup *m, struct stack *s, int i, bool tolerant,
                                   struct attend_error *err)
{
    if (s->depth < LINE_DEPTH)
        s->open[s->depth++] = i;
    else if (tolerant)
        m->marker[i].kind = MARKER_TAG;
    else
        return error_set(err, ATTEND_DATA, "has more than %d tags inside each other", LINE_DEPTH);
    return ATTEND_OK;
}

/* Every marker's parent is the element around it, once it is known which start tags have an end. */
static void find_parents(struct attend_markup *m)
{
    int parent = -1;
    for (int i = 0; i < m->count; i++) {
        if (m->marker[i].kind == MARKER_CLOSE)
            parent = m->marker[m->marker[i].pair].parent;
        m->marker[i].parent = parent;
        if (m->marker[i].kind == MARKER_OPEN)
            parent = i;
    }
}

enum attend_status line_match(struct attend_markup *m, bool tolerant, struct attend_error *err)
{
    struct stack stack = {.depth = 0};
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < m->count && !status; i++) {
        const struct marker *marker = &m->marker[i];
        if (marker->kind == MARKER_TAG && !marker->tag.ends && !tolerant)
            status = refuse(m, i, "does not end; write its > or, for a <, &lt;", err);
        else if (marker->kind == MARKER_OPEN)
            status = open_tag(m, &stack, i, tolerant, err);
        else if (marker->kind == MARKER_CLOSE)
            status = close_tag(m, &stack, i, tolerant, err);
    }
    if (!status)
        status = drop(m, &stack, 0, tolerant, err);
    if (!status)
        find_parents(m);
    return status;
}
