#include "text/subword_sampling.h"

#include "base/logarithm.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEVER = (double)-INFINITY; /* log 0 */

static bool is_boundary(const char *word, size_t at)
{
    return ((unsigned char)word[at] & 0xC0) != 0x80;
}

static double score_of(const struct subword_rule *r, const char *word, size_t from, size_t to)
{
    return r->score(r->context, word + from, to - from);
}

/* ---- Unigram ---- */

/* sum[i] = log of the sum over all segmentations of the first i bytes; NEVER where there is
 * none. */
static void sum_ways(const struct subword_rule *r, const char *word, size_t length, double *sum)
{
    sum[0] = 0;
    for (size_t i = 1; i <= length; i++)
        sum[i] = NEVER;
    for (size_t from = 0; from < length; from++)
        for (size_t to = from + 1; to <= length && to - from <= r->longest; to++) {
            if (sum[from] == NEVER)
                break;
            if (to < length && !is_boundary(word, to))
                continue;
            const double score = score_of(r, word, from, to);
            if (!isnan(score))
                sum[to] = log_add(sum[to], sum[from] + r->alpha * score);
        }
}

/* Sample the start of the piece that ends at `to`. */
static size_t sample_piece(const struct subword_rule *r, const char *word, const double *sum,
                           size_t to, double chance)
{
    size_t last = to;
    for (size_t from = to; from-- > 0 && to - from <= r->longest;) {
        const double score = sum[from] > NEVER ? score_of(r, word, from, to) : (double)NAN;
        if (isnan(score))
            continue;
        last = from;
        chance -= exp(sum[from] + r->alpha * score - sum[to]);
        if (chance < 0)
            break;
    }
    return last;
}

static int sample_unigram(const struct subword_rule *r, uint64_t key, const char *word,
                          size_t length, size_t *end)
{
    double *sum = malloc((length + 1) * sizeof *sum);
    size_t count = 0;
    if (!sum)
        return -1;
    sum_ways(r, word, length, sum);
    /* Filled from the back of `end`, then moved to the front. */
    for (size_t to = length; to > 0 && sum[length] > NEVER;) {
        count++;
        end[length - count] = to;
        to = sample_piece(r, word, sum, to, rng_uniform(key, count));
    }
    memmove(end, end + length - count, count * sizeof *end);
    free(sum);
    return (int)count;
}

/* ---- Merges ---- */

/* Symbol i of a word ends at end[i]; pair[i] is the score of the piece that symbols i and i + 1
 * form. */
struct merging {
    const struct subword_rule *rule;
    const char *word;
    size_t *end;
    double *pair;
    int count;
};

static size_t begin_of(const struct merging *m, int i) { return i ? m->end[i - 1] : 0; }

static double pair_score(const struct merging *m, int i)
{
    return i >= 0 && i + 1 < m->count ? score_of(m->rule, m->word, begin_of(m, i), m->end[i + 1])
                                      : (double)NAN;
}

/* The symbol to merge with the next one; -1: none. */
static int choose_pair(const struct merging *m, uint64_t key, uint64_t *used)
{
    int best = -1;
    for (int i = 0; i + 1 < m->count; i++) {
        if (isnan(m->pair[i]) || rng_uniform(key, (*used)++) < m->rule->alpha)
            continue;
        if (best < 0 || m->pair[i] > m->pair[best])
            best = i;
    }
    return best;
}

static void join_pair(struct merging *m, int i)
{
    const size_t rest = (size_t)(m->count - i - 1);
    memmove(m->end + i, m->end + i + 1, rest * sizeof *m->end);
    memmove(m->pair + i, m->pair + i + 1, rest * sizeof *m->pair);
    m->count--;
    m->pair[i] = pair_score(m, i);
    if (i > 0)
        m->pair[i - 1] = pair_score(m, i - 1);
}

static bool spells(const struct merging *m)
{
    for (int i = 0; i < m->count; i++)
        if (isnan(score_of(m->rule, m->word, begin_of(m, i), m->end[i])))
            return false;
    return true;
}

static int sample_merges(const struct subword_rule *r, uint64_t key, const char *word,
                         size_t length, size_t *end)
{
    struct merging m = {
        .rule = r, .word = word, .end = end, .pair = malloc(length * sizeof(double))};
    uint64_t used = 0;
    if (!m.pair)
        return -1;
    for (size_t i = 1; i <= length; i++)
        if (i == length || is_boundary(word, i))
            end[m.count++] = i;
    for (int i = 0; i < m.count; i++)
        m.pair[i] = pair_score(&m, i);
    for (int i; (i = choose_pair(&m, key, &used)) >= 0;)
        join_pair(&m, i);
    free(m.pair);
    return spells(&m) ? m.count : 0;
}

int subword_sample(const struct subword_rule *r, uint64_t key, const char *word, size_t length,
                   size_t *end)
{
    if (length == 0)
        return 0;
    return (r->merges ? sample_merges : sample_unigram)(r, key, word, length, end);
}
