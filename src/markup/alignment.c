#include "markup/alignment.h"

#include <stdlib.h>
#include <string.h>

/* What the length counts beside attention: it decides only where attention does not. */
static const double ALIGNMENT_LENGTH = 0.01;

static int by_place(const void *a, const void *b)
{
    const struct alignment_token *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->index - y->index;
}

/* The source tokens that have bytes. They do not overlap: each starts at the end of the one before
 * at the earliest. */
static bool take_tokens(struct alignment *a, const struct attend_translation *best)
{
    const struct attend_span *span = best->source_span;
    a->token = calloc((size_t)best->source_count + 1, sizeof *a->token);
    for (int i = 0; a->token && i + 1 < best->source_count; i++)
        if (span[i].to > span[i].from && span[i].to <= a->length)
            a->token[a->tokens++] = (struct alignment_token){span[i].from, span[i].to, i};
    if (a->token)
        qsort(a->token, (size_t)a->tokens, sizeof *a->token, by_place);
    size_t end = 0;
    for (int i = 0; a->token && i < a->tokens; i++) {
        struct alignment_token *token = &a->token[i];
        token->from = token->from > end ? token->from : end;
        token->to = token->to > token->from ? token->to : token->from;
        end = token->to;
    }
    return a->token;
}

/* The first unit that ends after a byte. */
static int unit_at(const struct slots *u, size_t byte)
{
    int low = 0, high = u->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (u->span[middle].to > byte)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Add the attention of a target token to the units that it wrote, by the bytes of each. */
static void add_row(struct alignment *a, const struct attend_span *span, const float *row)
{
    const struct slots *u = &a->units;
    for (int i = unit_at(u, span->from); i < u->count && u->span[i].from < span->to; i++) {
        const size_t from = u->span[i].from > span->from ? u->span[i].from : span->from;
        const size_t to = u->span[i].to < span->to ? u->span[i].to : span->to;
        double *sum = a->sum + (size_t)i * (size_t)(a->tokens + 1);
        for (int j = 0; j < a->tokens; j++)
            sum[j + 1] += (double)row[a->token[j].index] * (double)(to - from);
    }
}

/* Turn the weights of each unit into shares of what comes before each token. */
static void finish_rows(struct alignment *a)
{
    for (int u = 0; u < a->units.count; u++) {
        double *sum = a->sum + (size_t)u * (size_t)(a->tokens + 1);
        for (int j = 0; j < a->tokens; j++)
            sum[j + 1] += sum[j];
        const double all = sum[a->tokens];
        a->attends[u] = all > 1e-6;
        for (int j = 0; j <= a->tokens && a->attends[u]; j++)
            sum[j] /= all;
    }
}

static bool take_attention(struct alignment *a, const struct attend_translation *best,
                           const struct attend_translation *t)
{
    if (!take_tokens(a, best))
        return false;
    if (a->tokens == 0 || a->units.count == 0)
        return true;
    a->sum = calloc((size_t)a->units.count * (size_t)(a->tokens + 1), sizeof *a->sum);
    a->attends = calloc((size_t)a->units.count, sizeof *a->attends);
    if (!a->sum || !a->attends)
        return false;
    for (int i = 0; i < t->target_count; i++)
        if (t->target_span[i].to > t->target_span[i].from)
            add_row(a, &t->target_span[i], t->attention + (size_t)i * (size_t)best->source_count);
    finish_rows(a);
    return true;
}

bool alignment_init(struct alignment *a, const char *source, const struct attend_translation *best,
                    const struct attend_translation *t)
{
    *a = (struct alignment){.length = strlen(source)};
    slots_cut(&a->units, t->text, t->target_span, t->target_count);
    bool good = !a->units.failed;
    if (good && t->attention && t->target_span && best->source_span)
        good = take_attention(a, best, t);
    if (!good)
        alignment_release(a);
    return good;
}

void alignment_release(struct alignment *a)
{
    slots_release(&a->units);
    free(a->token);
    free(a->sum);
    free(a->attends);
    *a = (struct alignment){0};
}

/* The first token that ends after a byte. */
static int token_at(const struct alignment *a, size_t byte)
{
    int low = 0, high = a->tokens;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (a->token[middle].to > byte)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The share by attention. */
static double attended(const struct alignment *a, int unit, size_t at)
{
    const double *sum = a->sum + (size_t)unit * (size_t)(a->tokens + 1);
    const int j = token_at(a, at);
    if (j == a->tokens || at <= a->token[j].from)
        return sum[j];
    const double inside =
        (double)(at - a->token[j].from) / (double)(a->token[j].to - a->token[j].from);
    return sum[j] + inside * (sum[j + 1] - sum[j]);
}

double alignment_before(const struct alignment *a, int unit, size_t at)
{
    const double place = a->length ? (double)at / (double)a->length : 1;
    const double share = place * a->units.count - unit;
    const double by_length = share < 0 ? 0 : share > 1 ? 1 : share;
    if (!a->sum || !a->attends[unit])
        return by_length;
    return (1 - ALIGNMENT_LENGTH) * attended(a, unit, at) + ALIGNMENT_LENGTH * by_length;
}
