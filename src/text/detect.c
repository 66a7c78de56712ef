#include "text/detect.h"

#include "base/rng.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

enum { BLANK = ' ', STEPS = 8, COST_MAX = 255 };

typedef void gram_fn(void *context, int order, unsigned cell);

/* The last letters of a text, the newest first. */
struct window {
    int32_t point[DETECT_ORDERS];
};

static void give_grams(const struct window *w, gram_fn *give, void *context)
{
    uint64_t hash = rng_seed(0);
    bool letters = false;
    for (int order = 0; order < DETECT_ORDERS; order++) {
        letters = letters || w->point[order] != BLANK;
        hash = rng_key(hash, (uint64_t)w->point[order]);
        if (letters)
            give(context, order, (unsigned)(hash % DETECT_CELLS));
    }
}

static void push(struct window *w, int32_t point, gram_fn *give, void *context)
{
    if (point == BLANK && w->point[0] == BLANK)
        return;
    memmove(w->point + 1, w->point, (DETECT_ORDERS - 1) * sizeof *w->point);
    w->point[0] = point;
    give_grams(w, give, context);
}

/* Calls `give` for every n-gram of a text; false when memory ran out. */
static bool walk(const char *text, gram_fn *give, void *context)
{
    struct window w = {{BLANK, BLANK, BLANK}};
    struct strbuf lower = {0};
    utf8_lower(&lower, text);
    for (size_t at = 0; !lower.failed && at < lower.length;) {
        int32_t point;
        bool in_word;
        const size_t left = lower.length - at;
        utf8_point(lower.text + at, left, &in_word);
        at += utf8_next(lower.text + at, left, &point);
        const bool letter = in_word && utf8_class(point) != UTF8_NUMBER;
        push(&w, letter ? point : BLANK, give, context);
    }
    push(&w, BLANK, give, context);
    const bool good = !lower.failed;
    strbuf_release(&lower);
    return good;
}

/* ---- Learning ---- */

static void count_gram(void *context, int order, unsigned cell)
{
    struct detect_counts *counts = context;
    counts->cell[order][cell]++;
}

bool detect_count(struct detect_counts *counts, const char *text)
{
    return walk(text, count_gram, counts);
}

void detect_make(struct detect *d, const struct detect_counts *counts)
{
    for (int order = 0; order < DETECT_ORDERS; order++) {
        double total = DETECT_CELLS / 2.0;
        for (int c = 0; c < DETECT_CELLS; c++)
            total += (double)counts->cell[order][c];
        for (int c = 0; c < DETECT_CELLS; c++) {
            const double bits = -log2(((double)counts->cell[order][c] + 0.5) / total);
            const double steps = round(STEPS * bits);
            d->cost[order][c] = (unsigned char)(steps < COST_MAX ? steps : COST_MAX);
        }
    }
}

/* ---- Identification ---- */

struct scoring {
    const struct detect *const *languages;
    int count;
    double *out;
};

static void add_cost(void *context, int order, unsigned cell)
{
    const struct scoring *s = context;
    for (int l = 0; l < s->count; l++)
        s->out[l] += s->languages[l]->cost[order][cell] / (double)(STEPS * DETECT_ORDERS);
    s->out[s->count] += log2(DETECT_CELLS) / DETECT_ORDERS;
}

bool detect_bits(const struct detect *const *languages, int count, const char *text, double *out)
{
    struct scoring s = {languages, count, out};
    for (int l = 0; l <= count; l++)
        out[l] = 0;
    return walk(text, add_cost, &s);
}

void detect_shares(double *bits, int count)
{
    double least = bits[count], sum = 0;
    for (int l = 0; l < count; l++)
        least = fmin(least, bits[l]);
    for (int l = 0; l <= count; l++) {
        bits[l] = exp2(least - bits[l]);
        sum += bits[l];
    }
    for (int l = 0; l <= count; l++)
        bits[l] /= sum;
}
