/* Finds the terms and the masked parts of a line. */
#include "markup/line.h"

#include "base/error.h"
#include "markup/glossary.h"
#include "markup/mask.h"

#include <stdlib.h>
#include <string.h>

/* Something that was found in the text. */
struct find {
    size_t from, to;
    const char *target; /* NULL: the text itself */
    bool required;      /* false: it is taken out */
};

struct finds {
    struct find *find;
    int count, size;
    bool failed;
};

static void add(struct finds *f, struct find find)
{
    if (f->count == f->size) {
        const int size = f->size ? 2 * f->size : 16;
        struct find *more = realloc(f->find, (size_t)size * sizeof *more);
        f->failed = f->failed || !more;
        if (!more)
            return;
        f->find = more;
        f->size = size;
    }
    f->find[f->count++] = find;
}

/* ---- Terms ---- */

static void find_in(struct finds *f, const struct attend_glossary *g,
                    const struct glossary_words *w)
{
    for (int i = 0; g && i < w->count; i++) {
        int length = 0;
        const struct glossary_term *term = glossary_find(g, w, i, &length);
        if (term)
            add(f, (struct find){w->word[i].from, w->word[i + length - 1].to, term->target, true});
    }
}

/* The longest first; of equal ones, the one that was found first. */
static int by_length(const void *a, const void *b)
{
    const struct find *x = a, *y = b;
    const size_t m = x->to - x->from, n = y->to - y->from;
    if (m != n)
        return m > n ? -1 : 1;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}

static int by_place(const void *a, const void *b)
{
    const struct find *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Keep the longest of terms that overlap, in the order of the text. `taken` has a flag for each byte
 * of the text. */
static void choose(struct finds *f, bool *taken)
{
    int kept = 0;
    qsort(f->find, (size_t)f->count, sizeof *f->find, by_length);
    for (int i = 0; i < f->count; i++) {
        const struct find find = f->find[i];
        if (taken[find.from] || taken[find.to - 1])
            continue;
        memset(taken + find.from, true, find.to - find.from);
        f->find[kept++] = find;
    }
    f->count = kept;
}

static void find_terms(struct finds *f, const char *text, bool *taken,
                       const struct attend_markup_options *options)
{
    struct glossary_words words = {0};
    if (!options->glossary && !options->general)
        return;
    glossary_cut(&words, text);
    f->failed = words.failed;
    if (!f->failed)
        find_in(f, options->glossary, &words);
    if (f->count && !f->failed)
        choose(f, taken);
    const int own = f->count;
    struct finds more = {.failed = f->failed};
    if (!f->failed)
        find_in(&more, options->general, &words);
    if (more.count && !more.failed)
        choose(&more, taken);
    for (int i = 0; i < more.count; i++)
        add(f, more.find[i]);
    f->failed = f->failed || more.failed || f->count < own;
    free(more.find);
    glossary_words_release(&words);
}

/* ---- Masks ---- */

static void find_masked(struct finds *f, const char *text, size_t length, bool *taken,
                        unsigned which)
{
    for (size_t at = 0; at < length;) {
        size_t found = 0;
        for (const struct mask *mask = masks; mask->name && !found; mask++) {
            found = mask->bit & which ? mask->find(text, length, at) : 0;
            if (found && !memchr(taken + at, 1, found))
                add(f, (struct find){at, at + found, NULL, mask->required});
        }
        at += found ? found : 1;
    }
}

/* ---- Taking them ---- */

static void require(struct attend_markup *m, const char *text, size_t length)
{
    if (m->terms == ATTEND_MAX_PHRASES) {
        m->left_out++;
        return;
    }
    if (!m->term)
        m->term = calloc(ATTEND_MAX_PHRASES, sizeof *m->term);
    char *copy = m->term ? strndup(text, length) : NULL;
    m->failed = m->failed || !copy;
    if (copy)
        m->term[m->terms++] = copy;
}

/* Take a part of the text out, unless a tag stands inside it. `index` is the number of markers
 * before the last part. */
static void take_out(struct attend_markup *m, const struct find *find, int *index)
{
    while (*index < m->count && m->marker[*index].end <= find->from)
        ++*index;
    if (*index < m->count && m->marker[*index].start < find->to)
        return;
    line_insert(
        m, *index,
        (struct marker){.kind = MARKER_KEPT, .start = find->from, .end = find->to, .masked = true});
}

static bool can_say(const struct attend_markup *m, const struct find *find,
                    const struct attend_model *model)
{
    char *text = strndup(m->full.text + find->from, find->to - find->from);
    const bool can = text && model && attend_model_spells(model, text);
    free(text);
    return can;
}

static void take(struct attend_markup *m, const struct finds *f, const struct attend_model *model)
{
    int index = 0;
    for (int i = 0; i < f->count && !m->failed && m->count <= LINE_MARKERS; i++) {
        const struct find *find = &f->find[i];
        if (find->target)
            require(m, find->target, strlen(find->target));
        else if (find->required && can_say(m, find, model))
            require(m, m->full.text + find->from, find->to - find->from);
        else
            take_out(m, find, &index);
    }
}

enum attend_status line_find_terms(struct attend_markup *m,
                                   const struct attend_markup_options *options,
                                   struct attend_error *err)
{
    struct finds finds = {0};
    if ((!options->masks && !options->glossary && !options->general) || !m->full.length)
        return ATTEND_OK;
    bool *taken = calloc(m->full.length + 1, sizeof *taken);
    if (taken) {
        find_terms(&finds, m->full.text, taken, options);
        find_masked(&finds, m->full.text, m->full.length, taken, options->masks);
    }
    if (finds.count && !finds.failed) {
        qsort(finds.find, (size_t)finds.count, sizeof *finds.find, by_place);
        take(m, &finds, options->model);
    }
    const bool good = taken && !finds.failed && !m->failed;
    free(taken);
    free(finds.find);
    return good ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for a line's terms");
}
