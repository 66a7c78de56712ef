/* chrF (Popovic 2015) and chrF++ (2017), with the same numbers as sacreBLEU 2:
 *
 *     chrF = 100 (1 + 4) P R / (4 P + R)
 *
 * P and R are precision and recall of n-grams of 1 to 6 characters without white space, and for
 * chrF++ also of 1 to 2 words, averaged over the orders that both sides have. Of several
 * references, the one with the best score counts. */
#include "base/error.h"
#include "base/strbuf.h"
#include "metric/metric.h"
#include "metric/ngrams.h"
#include "metric/words.h"

#include <string.h>

enum { CHARACTERS = 6, WORDS = 2, BETA_SQUARED = 4 };

/* Indices of the statistics of one order. */
enum { HYPOTHESIS, REFERENCE, COMMON, EACH };

/* ---- Texts ---- */

/* What is counted in a text. */
struct side {
    struct symbols characters, words;
};

static bool is_mark(int point)
{
    return point > ' ' && point < 0x7f &&
           strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", point) != NULL;
}

/* Copy a word and separate one punctuation mark from it: the one at its end or else the one at its
 * start. */
static void add_word(struct symbols *to, const int *word, int length)
{
    const bool last = length > 1 && is_mark(word[length - 1]);
    const bool first = length > 1 && !last && is_mark(word[0]);
    for (int i = 0; i < length; i++) {
        if (last && i == length - 1)
            symbols_add(to, ' ');
        symbols_add(to, word[i]);
        if (first && i == 0)
            symbols_add(to, ' ');
    }
    symbols_add(to, ' ');
}

/* Separate the marks of all words in w->points, from which words_number reads. */
static void split_marks(struct words *w)
{
    const struct symbols text = w->points;
    symbols_clear(&w->spare);
    for (int i = 0, start = 0; i <= text.count; i++)
        if (i == text.count || symbols_blank(text.item[i])) {
            if (i > start)
                add_word(&w->spare, text.item + start, i - start);
            start = i + 1;
        }
    w->points = w->spare;
    w->spare = text;
}

static void read_side(struct side *side, struct words *w, const char *text, bool lowercase)
{
    symbols_read(&w->points, text, lowercase);
    symbols_clear(&side->characters);
    for (int i = 0; i < w->points.count; i++)
        if (!symbols_blank(w->points.item[i]))
            symbols_add(&side->characters, w->points.item[i]);
    split_marks(w);
    words_number(w, &side->words);
}

static void side_release(struct side *side)
{
    symbols_release(&side->characters);
    symbols_release(&side->words);
}

/* ---- Statistics ---- */

static void count(struct trie *grams, const struct symbols *hypothesis,
                  const struct symbols *reference, int order, double *stats)
{
    double common[CHARACTERS] = {0};
    trie_clear(grams);
    ngrams_hypothesis(grams, hypothesis, order);
    ngrams_reference(grams, reference, order);
    ngrams_common(grams, common);
    for (int n = 1; n <= order; n++, stats += EACH) {
        stats[REFERENCE] = ngrams_total(reference->count, n);
        stats[HYPOTHESIS] = stats[REFERENCE] > 0 ? ngrams_total(hypothesis->count, n) : 0;
        stats[COMMON] = common[n - 1];
    }
}

static double f_of(double precision, double recall)
{
    const double below = BETA_SQUARED * precision + recall;
    return below > 0 ? 100 * (1 + BETA_SQUARED) * precision * recall / below : 0;
}

/* F of the mean precision and recall; or, as in the authors' script, the mean F of all orders,
 * where an order that is too long for one side counts as 0. */
static double f_score(const double *stats, int orders, const struct metric_settings *settings)
{
    double precision = 0, recall = 0, sum = 0;
    int used = 0;
    for (int n = 0; n < orders; n++, stats += EACH)
        if (stats[HYPOTHESIS] > 0 && stats[REFERENCE] > 0) {
            const double p = stats[COMMON] / stats[HYPOTHESIS];
            const double r = stats[COMMON] / stats[REFERENCE];
            precision += p;
            recall += r;
            sum += f_of(p, r);
            used++;
        }
    if (settings->every_order)
        return sum / orders;
    return used ? f_of(precision / used, recall / used) : 0;
}

static enum attend_status collect(const char *hypothesis, const char *const *reference,
                                  int references, const struct metric_settings *settings,
                                  double *sums, int words, struct attend_error *err)
{
    const int orders = CHARACTERS + words;
    struct words w = {0};
    struct side hyp = {0}, ref = {0};
    struct trie grams = {0};
    double best[METRIC_SUMS] = {0}, best_score = -1;
    read_side(&hyp, &w, hypothesis, settings->lowercase);
    for (int r = 0; r < references; r++) {
        double stats[METRIC_SUMS] = {0};
        read_side(&ref, &w, reference[r], settings->lowercase);
        count(&grams, &hyp.characters, &ref.characters, CHARACTERS, stats);
        count(&grams, &hyp.words, &ref.words, words, stats + EACH * CHARACTERS);
        const double f = f_score(stats, orders, settings);
        if (f > best_score) {
            best_score = f;
            memcpy(best, stats, sizeof best);
        }
    }
    const bool failed = words_failed(&w) || grams.failed || hyp.characters.failed ||
                        hyp.words.failed || ref.characters.failed || ref.words.failed;
    for (int i = 0; i < EACH * orders && !failed; i++)
        sums[i] += best[i];
    side_release(&hyp);
    side_release(&ref);
    trie_release(&grams);
    words_release(&w);
    return failed ? error_set(err, ATTEND_NO_MEMORY, "out of memory for the n-grams of a sentence")
                  : ATTEND_OK;
}

/* ---- Both metrics ---- */

static void sign(const struct metric_settings *settings, struct strbuf *out, int words)
{
    strbuf_addf(out, "case:%s|eff:%s|nc:%d|nw:%d|space:no", settings->lowercase ? "lc" : "mixed",
                settings->every_order ? "no" : "yes", CHARACTERS, words);
}

static enum attend_status collect_chrf(const char *hypothesis, const char *const *reference,
                                       int references, const struct metric_settings *settings,
                                       double *sums, struct attend_error *err)
{
    return collect(hypothesis, reference, references, settings, sums, 0, err);
}

static double score_chrf(const double *sums, const struct metric_settings *settings)
{
    return f_score(sums, CHARACTERS, settings);
}

static void sign_chrf(const struct metric_settings *settings, struct strbuf *out)
{
    sign(settings, out, 0);
}

const struct metric_ops metric_chrf = {
    .name = "chrf",
    .label = "chrF",
    .unit = "",
    .help = "n-grams of 1 to 6 characters; recall counts more than precision",
    .sums = EACH * CHARACTERS,
    .collect = collect_chrf,
    .score = score_chrf,
    .sign = sign_chrf,
};

static enum attend_status collect_chrfpp(const char *hypothesis, const char *const *reference,
                                         int references, const struct metric_settings *settings,
                                         double *sums, struct attend_error *err)
{
    return collect(hypothesis, reference, references, settings, sums, WORDS, err);
}

static double score_chrfpp(const double *sums, const struct metric_settings *settings)
{
    return f_score(sums, CHARACTERS + WORDS, settings);
}

static void sign_chrfpp(const struct metric_settings *settings, struct strbuf *out)
{
    sign(settings, out, WORDS);
}

const struct metric_ops metric_chrfpp = {
    .name = "chrf++",
    .label = "chrF++",
    .unit = "",
    .help = "chrF with n-grams of 1 to 2 words added",
    .sums = EACH * (CHARACTERS + WORDS),
    .collect = collect_chrfpp,
    .score = score_chrfpp,
    .sign = sign_chrfpp,
};
