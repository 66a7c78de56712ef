#include "metric/edits.h"

#include "metric/symbols.h"

#include <stdlib.h>

static bool make_room(struct edits *e, size_t output, size_t reference)
{
    const size_t columns = reference + 1;
    if (output + 1 > EDITS_MOST_CELLS / columns)
        return false;
    free(e->way);
    free(e->row);
    free(e->item);
    e->way = malloc((output + 1) * columns);
    e->row = malloc(columns * sizeof *e->row);
    e->item = malloc((output + reference + 1) * sizeof *e->item);
    return e->way && e->row && e->item;
}

/* Fill one row of `way` with the cheapest edit that leads to each cell. */
static void fill_row(struct edits *e, const struct symbols *output, const struct symbols *reference,
                     int i)
{
    const int columns = reference->count + 1;
    unsigned char *way = e->way + (size_t)i * (size_t)columns;
    int diagonal = e->row[0]++;
    way[0] = EDIT_INSERTED;
    for (int j = 1; j < columns; j++) {
        const bool same = output->item[i - 1] == reference->item[j - 1];
        const int replaced = diagonal + !same, deleted = e->row[j - 1] + 1,
                  inserted = e->row[j] + 1;
        diagonal = e->row[j];
        e->row[j] = replaced;
        way[j] = same ? EDIT_SAME : EDIT_SUBSTITUTED;
        if (deleted < e->row[j]) {
            e->row[j] = deleted;
            way[j] = EDIT_DELETED;
        }
        if (inserted < e->row[j]) {
            e->row[j] = inserted;
            way[j] = EDIT_INSERTED;
        }
    }
}

/* Follow the edits back from the end, then put them in order. */
static void trace(struct edits *e, int i, int j)
{
    const size_t columns = (size_t)j + 1;
    e->count = 0;
    while (i > 0 || j > 0) {
        const enum edit_kind kind = e->way[(size_t)i * columns + (size_t)j];
        i -= kind != EDIT_DELETED;
        j -= kind != EDIT_INSERTED;
        e->item[e->count++] =
            (struct edit){kind, kind != EDIT_DELETED ? i : -1, kind != EDIT_INSERTED ? j : -1};
    }
    for (int a = 0, b = e->count - 1; a < b; a++, b--) {
        const struct edit last = e->item[b];
        e->item[b] = e->item[a];
        e->item[a] = last;
    }
}

bool edits_align(struct edits *e, const struct symbols *output, const struct symbols *reference)
{
    if (!make_room(e, (size_t)output->count, (size_t)reference->count))
        return false;
    for (int j = 0; j <= reference->count; j++) {
        e->row[j] = j;
        e->way[j] = EDIT_DELETED;
    }
    for (int i = 1; i <= output->count; i++)
        fill_row(e, output, reference, i);
    trace(e, output->count, reference->count);
    return true;
}

void edits_release(struct edits *e)
{
    free(e->item);
    free(e->way);
    free(e->row);
    *e = (struct edits){0};
}
