#include "metric/symmetrize.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- The table ---- */

static const struct symmetrize_row rows[] = {
    {"intersection", SYMMETRIZE_NEVER, SYMMETRIZE_NEVER},
    {"union", SYMMETRIZE_NEVER, SYMMETRIZE_ALWAYS},
    {"grow-diag", SYMMETRIZE_ONE_FREE, SYMMETRIZE_NEVER},
    {"grow-diag-final", SYMMETRIZE_ONE_FREE, SYMMETRIZE_ONE_FREE},
    {"grow-diag-final-and", SYMMETRIZE_ONE_FREE, SYMMETRIZE_BOTH_FREE},
    {"grow-diag-both", SYMMETRIZE_BOTH_FREE, SYMMETRIZE_NEVER},
};
enum { ROWS = sizeof rows / sizeof *rows };

const char *symmetrize_name(int i) { return i < ROWS ? rows[i].name : NULL; }

const struct symmetrize_row *symmetrize_find(const char *name)
{
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

/* ---- The links of both directions ---- */

enum { FORWARD = 1, REVERSE = 2 };

struct place {
    struct link link;
    int in; /* the directions that have it */
    bool chosen;
    bool waiting; /* chosen, but its neighbors are not yet scanned */
};

struct growth {
    struct place *place; /* (count) the union, sorted by target, then source */
    int count;
    bool *source_taken, *target_taken; /* per word: whether a chosen link uses it */
    int at;                            /* position of the scan; count when no scan runs */
    int ahead, behind;                 /* waiting places: for this scan, for the next */
    int first;                         /* where the next scan starts */
};

static int by_target(const void *left, const void *right)
{
    const struct link *a = &((const struct place *)left)->link;
    const struct link *b = &((const struct place *)right)->link;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    return (a->source > b->source) - (a->source < b->source);
}

static void copy(struct growth *g, const struct links *links, int direction)
{
    for (int i = 0; i < links->count; i++)
        g->place[g->count++] = (struct place){.link = links->item[i], .in = direction};
}

/* Sort the links of both directions and merge those that are in both. */
static void merge(struct growth *g)
{
    int kept = 0;
    qsort(g->place, (size_t)g->count, sizeof *g->place, by_target);
    for (int i = 0; i < g->count; i++) {
        struct place *last = kept ? &g->place[kept - 1] : NULL;
        if (last && by_target(last, &g->place[i]) == 0) {
            last->in |= g->place[i].in;
            last->link.sure |= g->place[i].link.sure;
        } else {
            g->place[kept++] = g->place[i];
        }
    }
    g->count = kept;
}

static enum attend_status gather(struct growth *g, const struct links *forward,
                                 const struct links *reverse, struct attend_error *err)
{
    const size_t most = (size_t)forward->count + (size_t)reverse->count;
    int sources = 1, targets = 1;
    g->place = malloc((most + 1) * sizeof *g->place);
    if (g->place) {
        copy(g, forward, FORWARD);
        copy(g, reverse, REVERSE);
        merge(g);
        g->at = g->first = g->count;
    }
    for (int i = 0; i < g->count; i++) {
        const struct link *link = &g->place[i].link;
        sources = link->source < sources ? sources : link->source + 1;
        targets = link->target < targets ? targets : link->target + 1;
    }
    g->source_taken = calloc((size_t)sources, sizeof *g->source_taken);
    g->target_taken = calloc((size_t)targets, sizeof *g->target_taken);
    return g->place && g->source_taken && g->target_taken
               ? ATTEND_OK
               : error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu links", most);
}

static void release(struct growth *g)
{
    free(g->place);
    free(g->source_taken);
    free(g->target_taken);
}

/* ---- Choosing ---- */

static void choose(struct growth *g, struct place *p)
{
    const int at = (int)(p - g->place);
    p->chosen = p->waiting = true;
    if (at > g->at) {
        g->ahead++;
    } else {
        g->behind++;
        g->first = at < g->first ? at : g->first;
    }
    g->source_taken[p->link.source] = true;
    g->target_taken[p->link.target] = true;
}

static void offer(struct growth *g, struct place *p, enum symmetrize_need need)
{
    const int free_words = !g->source_taken[p->link.source] + !g->target_taken[p->link.target];
    if (!p->chosen && free_words >= (int)need)
        choose(g, p);
}

static void offer_neighbors(struct growth *g, const struct place *p, enum symmetrize_need need)
{
    /* Steps in target and source: sides before corners. The order decides when two links compete
     * for a word. */
    static const int steps[8][2] = {{-1, 0},  {0, -1}, {1, 0},  {0, 1},
                                    {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    for (int i = 0; i < 8; i++) {
        const struct place wanted = {.link = {.target = p->link.target + steps[i][0],
                                              .source = p->link.source + steps[i][1]}};
        struct place *found =
            bsearch(&wanted, g->place, (size_t)g->count, sizeof *g->place, by_target);
        if (found)
            offer(g, found, need);
    }
}

/* Scan until no place is waiting. A word never becomes free again, so a link that was refused once
 * would always be refused: the neighbors of each place need to be scanned only once. */
static void grow(struct growth *g, enum symmetrize_need need)
{
    while (g->behind) {
        g->ahead = g->behind;
        g->behind = 0;
        g->at = g->first;
        for (g->first = g->count; g->ahead; g->at++)
            if (g->place[g->at].waiting) {
                g->place[g->at].waiting = false;
                g->ahead--;
                offer_neighbors(g, &g->place[g->at], need);
            }
        g->at = g->count;
    }
}

static void offer_all(struct growth *g, int direction, enum symmetrize_need need)
{
    for (int i = 0; i < g->count; i++)
        if (g->place[i].in == direction)
            offer(g, &g->place[i], need);
}

static enum attend_status collect(const struct growth *g, struct links *out,
                                  struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < g->count && !status; i++)
        if (g->place[i].chosen)
            status = links_add(out, g->place[i].link, err);
    if (status)
        links_clear(out);
    return status;
}

enum attend_status symmetrize(struct links *out, const struct links *forward,
                              const struct links *reverse, const struct symmetrize_row *row,
                              struct attend_error *err)
{
    struct growth g = {0};
    links_clear(out);
    enum attend_status status = gather(&g, forward, reverse, err);
    if (!status) {
        offer_all(&g, FORWARD | REVERSE, SYMMETRIZE_ALWAYS);
        grow(&g, row->grow);
        offer_all(&g, FORWARD, row->rest);
        offer_all(&g, REVERSE, row->rest);
        status = collect(&g, out, err);
    }
    release(&g);
    return status;
}
