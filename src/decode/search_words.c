/* The words that a sentence can say, with a shortlist: the likeliest of each of its source words,
 * the frequent ones, the special ones, and those of its constraints and of what can be copied. They
 * depend on the sentence alone. Its logits are in the order of their ids. */
#include "decode/search_parts.h"

#include "base/arena.h"
#include "base/bug.h"
#include "text/shortlist.h"
#include "text/vocab.h"

#include <string.h>

static const struct shortlist *lists_of(const struct search_setup *setup)
{
    return setup->options.shortlist > 0 ? setup->shortlist : NULL;
}

static bool copies(const struct search *s)
{
    bool any = false;
    for (int i = 0; i < s->setup->nets; i++)
        any = any || s->setup->net[i]->decoder.copy.used;
    return any;
}

/* The words of the phrases that must come. */
static int required(const struct search_constraint *c)
{
    return constraint_count(c) ? (int)(c->phrases->start[c->to] - c->phrases->start[c->from]) : 0;
}

/* ---- Memory ---- */

/* The words of an item, at most. */
static int most_words(const struct search *s, const struct batch_text *text, int item)
{
    const struct search_setup *setup = s->setup;
    const int V = setup->net[0]->decoder.output.V, each = setup->options.shortlist + copies(s);
    const struct search_constraint *c = setup->constraints ? &setup->constraints[item] : NULL;
    const double most = VOCAB_SPECIALS + (double)SHORTLIST_LONGEST +
                        (double)each * (sequences_length(text->source, item) + 1) +
                        (c ? c->prefix_length + required(c) : 0);
    return most < V ? (int)most : V;
}

void search_words_bind(struct search *s, struct arena *arena, const struct batch_text *text)
{
    struct search_words *w = &s->words;
    const int V = s->setup->net[0]->decoder.output.V;
    size_t sum = 0;
    *w = (struct search_words){.lists = lists_of(s->setup), .most = V};
    if (!w->lists)
        return;
    for (int i = 0; i < text->count; i++)
        sum += (size_t)most_words(s, text, text->item[i]);
    w->most = sum < (size_t)V ? (int)sum : V;
    w->start = arena_take(arena, sizeof *w->start, (size_t)s->batch.B + 1);
    w->word = arena_take(arena, sizeof *w->word, sum);
    w->column = arena_take(arena, sizeof *w->column, sum);
    w->all = arena_take(arena, sizeof *w->all, (size_t)w->most);
    w->place = arena_take(arena, sizeof *w->place, (size_t)V);
    w->seen = arena_take(arena, sizeof *w->seen, (size_t)V);
}

/* ---- The sets ---- */

static void add(struct search_words *w, const int *word, int count)
{
    for (int k = 0; k < count; k++)
        w->seen[word[k]] = 1;
}

static void add_constraint(struct search_words *w, const struct search_constraint *c)
{
    if (!c)
        return;
    add(w, c->prefix, c->prefix_length);
    if (required(c))
        add(w, c->phrases->ids + c->phrases->start[c->from], required(c));
}

/* The words that source words can be copied as. */
static void add_copies(struct search *s, int b)
{
    const struct copy_source *copied;
    for (int i = 0; i < s->setup->nets; i++) {
        copied = &s->net[i].memory.copies;
        if (s->setup->net[i]->decoder.copy.used)
            add(&s->words, copied->token + copied->start[b], copied->length[b]);
    }
}

static void add_listed(struct search *s, const struct batch_text *text, int item)
{
    struct search_words *w = &s->words;
    int list[SHORTLIST_LONGEST];
    for (size_t j = text->source->start[item]; j < text->source->start[item + 1]; j++)
        add(w, list,
            shortlist_words(w->lists, text->source->ids[j], s->setup->options.shortlist, list));
    add(w, list, shortlist_words(w->lists, w->lists->sources, SHORTLIST_LONGEST, list));
}

/* Write the words that are marked to `out`, ascending; returns their number. */
static int marked(const struct search_words *w, int V, int *out)
{
    int count = 0;
    for (int k = 0; k < V; k++)
        if (w->seen[k])
            out[count++] = k;
    return count;
}

static int collect(struct search *s, const struct batch_text *text, int b, int *out)
{
    struct search_words *w = &s->words;
    const int V = w->lists->targets;
    memset(w->seen, 0, (size_t)V);
    memset(w->seen, 1, VOCAB_SPECIALS);
    add_listed(s, text, s->batch.item[b]);
    add_constraint(w, search_constraint_of(s, b));
    add_copies(s, b);
    return marked(w, V, out);
}

/* The union of all sets, and where each word of a set is in it. */
static void unite(struct search_words *w, int words)
{
    memset(w->seen, 0, (size_t)w->lists->targets);
    add(w, w->word, words);
    w->count = marked(w, w->lists->targets, w->all);
    for (int k = 0; k < w->count; k++)
        w->place[w->all[k]] = k;
    for (int k = 0; k < words; k++)
        w->column[k] = w->place[w->word[k]];
}

/* Copying adds to logits: what it calls a token is now the place of its logit. */
static void place_copies(struct search *s, const struct copy_source *copied)
{
    for (int b = 0; b < s->batch.B; b++)
        for (int j = copied->start[b]; j < copied->start[b] + copied->length[b]; j++) {
            copied->token[j] = search_place(s, b, copied->token[j]);
            BUG_ON(copied->token[j] < 0);
        }
}

void search_words_begin(struct search *s, const struct batch_text *text)
{
    struct search_words *w = &s->words;
    if (!w->lists)
        return;
    w->start[0] = 0;
    for (int b = 0; b < s->batch.B; b++)
        w->start[b + 1] = w->start[b] + collect(s, text, b, w->word + w->start[b]);
    unite(w, w->start[s->batch.B]);
    for (int i = 0; i < s->setup->nets; i++) {
        struct search_net *n = &s->net[i];
        n->words.start = w->start;
        n->words.column = w->column;
        logits_words_take(&n->words, &n->net->decoder.output, w->all, w->count);
        if (n->net->decoder.copy.used)
            place_copies(s, &n->memory.copies);
    }
}

/* ---- Words and the places of their logits ---- */

int search_token(const struct search *s, int sentence, int place)
{
    return s->words.lists ? s->words.word[s->words.start[sentence] + place] : place;
}

int search_place(const struct search *s, int sentence, int token)
{
    const struct search_words *w = &s->words;
    if (!w->lists)
        return token;
    const int *word = w->word + w->start[sentence];
    int from = 0, to = w->start[sentence + 1] - w->start[sentence];
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (word[middle] < token)
            from = middle + 1;
        else
            to = middle;
    }
    const bool there = from < w->start[sentence + 1] - w->start[sentence] && word[from] == token;
    return there ? from : -1;
}
