#include "decode/search_parts.h"

#include "text/vocab.h"

#include <math.h>

/* ---- Forbidden words ---- */

static int words_of(const struct search *s, int row)
{
    int node = s->row[row].node;
    for (int t = s->row[row].length - 1; t >= 0; t--, node = s->node[node].parent)
        s->history[t] = s->node[node].token;
    return s->row[row].length;
}

/* Forbids words that would repeat an n-gram: those that followed its first n - 1 words earlier. */
static void forbid_repeats(const struct search *s, int sentence, real *logits, int words)
{
    const int n = s->setup->options.no_repeat;
    for (int at = 0; at + n <= words; at++)
        if (constraints_end_in(s->history, words, s->history + at, n))
            logits[search_place(s, sentence, s->history[at + n - 1])] = -(real)INFINITY;
}

static void forbid_phrases(const struct search *s, int sentence, real *logits, int words)
{
    const struct sequences *banned = s->setup->banned;
    for (int i = 0; i < banned->count; i++) {
        const int *phrase = banned->ids + banned->start[i], length = sequences_length(banned, i);
        const int last = length ? search_place(s, sentence, phrase[length - 1]) : -1;
        if (last >= 0 && constraints_end_in(s->history, words, phrase, length))
            logits[last] = -(real)INFINITY;
    }
}

/* Forbids all words except the next one of a prefix. */
static void keep_only(real *logits, int V, int place)
{
    const real kept = logits[place];
    for (int k = 0; k < V; k++)
        logits[k] = -(real)INFINITY;
    logits[place] = kept;
}

void search_forbid(struct search *s, int i)
{
    const struct attend_translator_options *o = &s->setup->options;
    const struct search_row *row = &s->row[i];
    const struct search_constraint *constraint = search_constraint_of(s, row->sentence);
    real *logits = search_logits(s, i);
    if (constraint && row->length < constraint->prefix_length) {
        keep_only(logits, logits_count(&s->net[0].logits, i),
                  search_place(s, row->sentence, constraint->prefix[row->length]));
        return;
    }
    logits[VOCAB_BOS] = -(real)INFINITY;
    if (!o->allow_unk)
        logits[VOCAB_UNK] = -(real)INFINITY;
    const bool banned = s->setup->banned && s->setup->banned->count;
    const int words = o->no_repeat || banned ? words_of(s, i) : 0;
    if (o->no_repeat)
        forbid_repeats(s, row->sentence, logits, words);
    if (banned)
        forbid_phrases(s, row->sentence, logits, words);
    if (constraint && !constraint_met(constraint, row->constraint))
        logits[VOCAB_EOS] = -(real)INFINITY;
}

/* ---- The best continuations ---- */

/* Keep the best `width` candidates, best first; of equal ones the earlier stays ahead. Returns
 * their number. */
static int keep(struct search_candidate *best, int count, int width, struct search_candidate new)
{
    if (count == width && !(new.log_probability > best[count - 1].log_probability))
        return count;
    int at = count < width ? count : width - 1;
    for (; at > 0 && new.log_probability > best[at - 1].log_probability; at--)
        best[at] = best[at - 1];
    best[at] = new;
    return count < width ? count + 1 : width;
}

/* Adds the words at places [from, to) of row i. */
static int best_of_words(const struct search *s, int i, int from, int to,
                         struct search_candidate *best, int count, int width)
{
    const real *logits = search_logits(s, i);
    const double base = s->row[i].log_probability - (double)s->net[0].logits.norm[i];
    for (int k = from; k < to; k++) {
        const double log_probability = base + (double)logits[k];
        if (count == width && !(log_probability > best[count - 1].log_probability))
            continue;
        if (log_probability > -(double)INFINITY)
            count = keep(best, count, width,
                         (struct search_candidate){log_probability, i,
                                                   search_token(s, s->row[i].sentence, k), 0});
    }
    return count;
}

/* Add the best continuations of one row to those in `best`. Most blocks of words contain none and
 * are skipped. */
static int best_of_row(const struct search *s, int i, struct search_candidate *best, int count,
                       int width)
{
    const struct logits *l = &s->net[0].logits;
    const int V = logits_count(l, i);
    const real *most = l->most.at + i * l->most.row;
    const double base = s->row[i].log_probability - (double)l->norm[i];
    for (int from = 0; from < V; from += LOGITS_BLOCK) {
        const double possible = base + (double)most[from / LOGITS_BLOCK];
        if (count < width || possible > best[count - 1].log_probability)
            count = best_of_words(s, i, from, V - from < LOGITS_BLOCK ? V : from + LOGITS_BLOCK,
                                  best, count, width);
    }
    return count;
}

/* ---- With phrases that must come ---- */

/* The candidates of one row: its best ones, and every word that continues or begins a phrase. */
static int pool_row(const struct search *s, int i, const struct search_constraint *constraint,
                    int width, struct search_candidate *pool)
{
    int next[CONSTRAINTS_MAX + 1];
    int count = best_of_row(s, i, pool, 0, width);
    const int wanted = constraint_next(constraint, s->row[i].constraint, next);
    for (int k = 0; k < wanted; k++) {
        const double log_probability =
            s->row[i].log_probability - (double)s->net[0].logits.norm[i] +
            (double)search_logits(s, i)[search_place(s, s->row[i].sentence, next[k])];
        bool there = !(log_probability > -(double)INFINITY);
        for (int j = 0; j < count && !there; j++)
            there = pool[j].token == next[k];
        if (!there)
            pool[count++] = (struct search_candidate){log_probability, i, next[k], 0};
    }
    for (int j = 0; j < count; j++)
        pool[j].words = constraint_words(
            constraint, constraint_advance(constraint, s->row[i].constraint, pool[j].token));
    return count;
}

/* The best candidate with `words` words of phrases said; -1: none. */
static int best_of_bank(const struct search_candidate *pool, int count, int words)
{
    int best = -1;
    for (int j = 0; j < count; j++)
        if (pool[j].words == words &&
            (best < 0 || pool[j].log_probability > pool[best].log_probability))
            best = j;
    return best;
}

/* Fill the places from the banks in turn, starting with those that have said most. */
static int deal(struct search_candidate *pool, int count, int width, struct search_candidate *out)
{
    int most = 0, dealt = 0;
    for (int j = 0; j < count; j++)
        most = pool[j].words > most ? pool[j].words : most;
    for (bool any = true; any && dealt < width;) {
        any = false;
        for (int words = most; words >= 0 && dealt < width; words--) {
            const int best = best_of_bank(pool, count, words);
            if (best < 0)
                continue;
            dealt = keep(out, dealt, width, pool[best]);
            pool[best].words = -1;
            any = true;
        }
    }
    return dealt;
}

int search_choose(struct search *s, int from, int to, int width)
{
    const struct search_constraint *constraint = search_constraint_of(s, s->row[from].sentence);
    int count = 0;
    if (!constraint_count(constraint)) {
        for (int i = from; i < to; i++)
            count = best_of_row(s, i, s->candidate, count, width);
        return count;
    }
    struct search_candidate *pool = s->candidate + s->K;
    for (int i = from; i < to; i++)
        count += pool_row(s, i, constraint, width, pool + count);
    return deal(pool, count, width, s->candidate);
}
