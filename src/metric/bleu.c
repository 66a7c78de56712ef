#include "metric/bleu.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "metric/metric.h"
#include "metric/ngrams.h"
#include "metric/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 4 };

/* Indices of the statistics. */
enum { HYPOTHESIS_WORDS, REFERENCE_WORDS, COMMON, TOTAL = COMMON + ORDER, SUMS = TOTAL + ORDER };

/* ---- Smoothing ---- */

struct bleu_smoothing {
    const char *name;
    double value;    /* default; 0: the method has none */
    bool add;        /* the value is added to both counts of n > 1 */
    bool halve;      /* the k-th p_n of 0 gets 1 / 2^k of a match */
    bool substitute; /* a p_n of 0 gets the value as its number of matches */
};

static const struct bleu_smoothing smoothings[] = {
    {.name = "exp", .halve = true},
    {.name = "floor", .value = 0.1, .substitute = true},
    {.name = "add-k", .value = 1, .add = true},
    {.name = "none"},
};
enum { SMOOTHINGS = sizeof smoothings / sizeof *smoothings };

const char *bleu_smoothing_name(int i) { return i < SMOOTHINGS ? smoothings[i].name : NULL; }

const struct bleu_smoothing *bleu_smoothing_find(const char *name)
{
    for (int i = 0; i < SMOOTHINGS; i++)
        if (strcmp(smoothings[i].name, name) == 0)
            return &smoothings[i];
    return NULL;
}

static const struct bleu_smoothing *smoothing_of(const struct metric_settings *settings)
{
    return settings->smoothing ? settings->smoothing : &smoothings[0];
}

static double value_of(const struct metric_settings *settings)
{
    return settings->smooth_value > 0 ? settings->smooth_value : smoothing_of(settings)->value;
}

/* ---- A sentence ---- */

static const char *rules_name(const struct metric_settings *settings)
{
    for (int i = 0; words_name(i); i++)
        if (settings->rules == words_find(words_name(i)))
            return words_name(i);
    return "13a";
}

/* Of two lengths, the one closer to `length`, or else the shorter; a negative `best` means none
 * yet. */
static int nearer(int length, int best, int other)
{
    const int d = abs(length - best), e = abs(length - other);
    return best < 0 || e < d || (e == d && other < best) ? other : best;
}

static enum attend_status collect(const char *hypothesis, const char *const *reference,
                                  int references, const struct metric_settings *settings,
                                  double *sums, struct attend_error *err)
{
    const struct words_rules *rules = words_find(rules_name(settings));
    struct words words = {0};
    struct trie grams = {0};
    struct symbols text = {0};
    double common[ORDER] = {0};
    words_read(&words, &text, hypothesis, rules, settings->lowercase);
    ngrams_hypothesis(&grams, &text, ORDER);
    const int length = text.count;
    int nearest = -1;
    for (int r = 0; r < references; r++) {
        words_read(&words, &text, reference[r], rules, settings->lowercase);
        ngrams_reference(&grams, &text, ORDER);
        nearest = nearer(length, nearest, text.count);
    }
    ngrams_common(&grams, common);
    const bool failed = words_failed(&words) || grams.failed || text.failed;
    if (!failed) {
        sums[HYPOTHESIS_WORDS] += length;
        sums[REFERENCE_WORDS] += nearest;
        for (int n = 0; n < ORDER; n++) {
            sums[COMMON + n] += common[n];
            sums[TOTAL + n] += ngrams_total(length, n + 1);
        }
    }
    words_release(&words);
    trie_release(&grams);
    symbols_release(&text);
    return failed ? error_set(err, ATTEND_NO_MEMORY, "out of memory for the n-grams of a sentence")
                  : ATTEND_OK;
}

/* ---- The score ---- */

static double brevity(const double *sums)
{
    const double h = sums[HYPOTHESIS_WORDS], r = sums[REFERENCE_WORDS];
    if (h >= r)
        return 1;
    return h > 0 ? exp(1 - r / h) : 0;
}

static double score(const double *sums, const struct metric_settings *settings)
{
    const struct bleu_smoothing *smoothing = smoothing_of(settings);
    const double value = value_of(settings);
    double logs = 0, share = 1, matches = 0;
    int order = 0;
    for (int n = 0; n < ORDER; n++)
        matches += sums[COMMON + n];
    if (matches == 0)
        return 0;
    for (; order < ORDER; order++) {
        const double added = smoothing->add && order > 0 ? value : 0;
        double common = sums[COMMON + order] + added;
        const double total = sums[TOTAL + order] + added;
        if (total == 0)
            break;
        if (common == 0 && smoothing->halve)
            common = share /= 2;
        else if (common == 0 && smoothing->substitute)
            common = value;
        logs += log(common / total);
    }
    if (order < ORDER && !settings->effective_order)
        return 0;
    return 100 * brevity(sums) * exp(logs / order);
}

static void sign(const struct metric_settings *settings, struct strbuf *out)
{
    strbuf_addf(out, "case:%s|eff:%s|tok:%s|smooth:%s", settings->lowercase ? "lc" : "mixed",
                settings->effective_order ? "yes" : "no", rules_name(settings),
                smoothing_of(settings)->name);
    if (smoothing_of(settings)->value > 0)
        strbuf_addf(out, "[%.2f]", value_of(settings));
}

const struct metric_ops metric_bleu = {
    .name = "bleu",
    .label = "BLEU",
    .unit = "",
    .help = "n-grams of 1 to 4 words shared with a reference, less a penalty for short output",
    .sums = SUMS,
    .collect = collect,
    .score = score,
    .sign = sign,
};
