/* Which symbols are taken for which, over all lines. */
#include "eval/compare.h"
#include "eval/eval_set.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Counts of pairs of symbols. The nodes of `pairs` at depth 2 are pairs of numbers of symbols. */
struct counting {
    struct compare compare;
    struct attend_confusions *out;
    struct trie known; /* the children of its root are the symbols, in the order of their numbers */
    struct trie pairs; /* its node->hypothesis is the count */
    int room;
};

/* The number of a symbol, from 1; 0: none, or out of memory. */
static int symbol_number(struct counting *c, const struct units *u, int at)
{
    struct attend_confusions *out = c->out;
    if (at < 0)
        return 0;
    const int number = trie_step(&c->known, 0, u->id.item[at]);
    if (number <= out->symbols)
        return number;
    if (out->symbols == c->room) {
        const int room = c->room ? 2 * c->room : 64;
        struct attend_symbol *more = realloc(out->symbol, (size_t)room * sizeof *more);
        if (!more)
            return 0;
        out->symbol = more;
        c->room = room;
    }
    char *text = strndup(u->line.text + u->span[at].start, u->span[at].length);
    if (text)
        out->symbol[out->symbols++] = (struct attend_symbol){.text = text};
    return text ? number : 0;
}

static bool count_edit(struct counting *c, const struct edit *e)
{
    struct attend_confusions *out = c->out;
    const int output = symbol_number(c, &c->compare.output, e->output),
              reference = symbol_number(c, &c->compare.reference, e->reference);
    if ((!output && e->output >= 0) || (!reference && e->reference >= 0))
        return false;
    struct attend_symbol *right = reference ? &out->symbol[reference - 1] : NULL,
                         *given = output ? &out->symbol[output - 1] : NULL;
    out->references += right != NULL;
    if (right) {
        right->references++;
        right->same += e->kind == EDIT_SAME;
        right->substituted += e->kind == EDIT_SUBSTITUTED;
        right->deleted += e->kind == EDIT_DELETED;
    }
    if (given) {
        given->instead += e->kind == EDIT_SUBSTITUTED;
        given->inserted += e->kind == EDIT_INSERTED;
    }
    out->substitutions += e->kind == EDIT_SUBSTITUTED;
    out->deletions += e->kind == EDIT_DELETED;
    out->insertions += e->kind == EDIT_INSERTED;
    if (e->kind == EDIT_SAME)
        return true;
    const int node = trie_step(&c->pairs, trie_step(&c->pairs, 0, reference), output);
    if (!c->pairs.failed)
        c->pairs.node[node].hypothesis++;
    return !c->pairs.failed;
}

static enum attend_status count_line(struct counting *c, int line, struct attend_error *err)
{
    int edits;
    enum attend_status status = compare_line(&c->compare, line, &edits, NULL, err);
    if (!status)
        status = compare_align(&c->compare, line, err);
    for (int i = 0; !status && i < c->compare.edits.count; i++)
        if (!count_edit(c, &c->compare.edits.item[i]))
            status = error_set(err, ATTEND_NO_MEMORY, "out of memory for symbols");
    return status;
}

/* ---- The result ---- */

static int by_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (b != NULL) - (a != NULL);
}

static int by_count(const void *first, const void *second)
{
    const struct attend_confusion *a = first, *b = second;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    const int order = by_text(a->reference, b->reference);
    return order ? order : by_text(a->output, b->output);
}

static long edits_of(const struct attend_symbol *s)
{
    return s->substituted + s->deleted + s->instead + s->inserted;
}

static int by_edits(const void *first, const void *second)
{
    const struct attend_symbol *a = first, *b = second;
    if (edits_of(a) != edits_of(b))
        return edits_of(a) > edits_of(b) ? -1 : 1;
    return strcmp(a->text, b->text);
}

static enum attend_status sort(struct counting *c, struct attend_error *err)
{
    struct attend_confusions *out = c->out;
    const struct trie *pairs = &c->pairs;
    out->item = calloc((size_t)pairs->count + 1, sizeof *out->item);
    if (!out->item)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d confusions", pairs->count);
    for (int i = 1; i < pairs->count; i++) {
        const int output = pairs->node[i].symbol,
                  reference = pairs->node[pairs->node[i].parent].symbol;
        if (pairs->node[i].depth == 2)
            out->item[out->count++] = (struct attend_confusion){
                .reference = reference ? out->symbol[reference - 1].text : NULL,
                .output = output ? out->symbol[output - 1].text : NULL,
                .count = pairs->node[i].hypothesis};
    }
    qsort(out->item, (size_t)out->count, sizeof *out->item, by_count);
    if (out->symbols)
        qsort(out->symbol, (size_t)out->symbols, sizeof *out->symbol, by_edits);
    return ATTEND_OK;
}

enum attend_status attend_eval_set_confusions(struct attend_confusions **out,
                                              const struct attend_eval_set *set,
                                              struct attend_error *err)
{
    struct counting c = {.compare = {.input = &set->input}, .out = calloc(1, sizeof **out)};
    if (!c.out)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for confusions");
    enum attend_status status = compare_begin(&c.compare, &set->options, err);
    c.out->lines = set->input.count;
    c.out->characters = c.compare.characters;
    for (int i = 0; i < set->input.count && !status; i++)
        status = count_line(&c, i, err);
    if (!status)
        status = sort(&c, err);
    compare_release(&c.compare);
    trie_release(&c.known);
    trie_release(&c.pairs);
    if (status)
        attend_confusions_free(c.out);
    else
        *out = c.out;
    return status;
}

void attend_confusions_free(struct attend_confusions *c)
{
    if (!c)
        return;
    for (int i = 0; i < c->symbols; i++)
        free(c->symbol[i].text);
    free(c->symbol);
    free(c->item);
    free(c);
}
