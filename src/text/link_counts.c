#include "text/link_counts.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "text/shortlist.h"

#include <stdbool.h>
#include <stdlib.h>

static enum attend_status no_memory(struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for the links of words");
}

/* ---- Counting ---- */

static int by_words(const void *left, const void *right)
{
    const struct link_count *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->target > b->target) - (a->target < b->target);
}

/* Sort, and add up the counts of the same words. */
static void merge(struct link_counts *c)
{
    size_t kept = 0;
    qsort(c->item, c->used, sizeof *c->item, by_words);
    for (size_t i = 0; i < c->used; i++) {
        if (kept && by_words(&c->item[kept - 1], &c->item[i]) == 0)
            c->item[kept - 1].count += c->item[i].count;
        else
            c->item[kept++] = c->item[i];
    }
    c->used = kept;
}

/* Room is doubled only if merging frees less than half of it. */
static bool grow(struct link_counts *c)
{
    if (c->used)
        merge(c);
    if (c->used < c->size / 2)
        return true;
    const size_t size = c->size ? 2 * c->size : 1 << 16;
    struct link_count *more = realloc(c->item, size * sizeof *more);
    if (!more)
        return false;
    c->item = more;
    c->size = size;
    return true;
}

enum attend_status link_counts_add(struct link_counts *c, int source, int target, uint64_t count,
                                   struct attend_error *err)
{
    if (c->used == c->size && !grow(c))
        return no_memory(err);
    c->item[c->used++] = (struct link_count){source, target, count};
    return ATTEND_OK;
}

/* ---- Lists ---- */

static int likelier_first(const void *left, const void *right)
{
    const struct link_count *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return (a->target > b->target) - (a->target < b->target);
}

/* Write the first `most` of the likeliest targets of one source. */
static void write_list(struct strbuf *out, struct link_count *item, size_t count, int most)
{
    int word[SHORTLIST_LONGEST];
    int kept = 0;
    if (count)
        qsort(item, count, sizeof *item, likelier_first);
    for (size_t i = 0; i < count && kept < most && kept < SHORTLIST_LONGEST; i++)
        if (item[i].count)
            word[kept++] = item[i].target;
    shortlist_write(out, word, kept);
}

enum attend_status link_counts_write(struct link_counts *c, int sources, int words,
                                     const uint64_t *frequency, int targets, int frequent,
                                     struct strbuf *out, struct attend_error *err)
{
    struct link_count *all = calloc((size_t)targets + 1, sizeof *all);
    size_t at = 0;
    if (!all)
        return no_memory(err);
    if (c->used)
        merge(c);
    for (int s = 0; s < sources; s++) {
        const size_t from = at;
        while (at < c->used && c->item[at].source == s)
            at++;
        write_list(out, c->item + from, at - from, words);
    }
    for (int t = 0; t < targets; t++)
        all[t] = (struct link_count){.target = t, .count = frequency[t]};
    write_list(out, all, (size_t)targets, frequent);
    free(all);
    c->used = 0; /* the lists are no longer in the order of the words */
    return strbuf_status(out, err);
}

void link_counts_release(struct link_counts *c)
{
    free(c->item);
    *c = (struct link_counts){0};
}
