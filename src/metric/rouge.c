/* ROUGE-1, ROUGE-2 and ROUGE-L (Lin 2004): the overlap of a summary with a reference,
 *
 *     P = common / hypothesis    R = common / reference    F = 2 P R / (P + R)
 *
 * in words, pairs of words, or words of the longest common subsequence. The score is 100 F,
 * averaged over lines. Of several references, the one with the best F counts. A line where one side
 * is empty or too short for a pair is 0. All this is as in Google's rouge_score without stemming.
 *
 * Words are runs of letters and digits in lower case. rouge_score knows only ASCII letters and
 * splits or drops all others; here letters are those of Unicode with their marks and joiners. On
 * ASCII text the two agree. */
#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "metric/metric.h"
#include "metric/ngrams.h"
#include "metric/words.h"

/* The statistics: the sum of F, and the number of lines. */
enum { SUM_OF_F, LINES, SUMS };

/* n of the n-grams to count, or SUBSEQUENCE for the longest common subsequence. */
enum { SUBSEQUENCE = 0, LONGEST = 2 };

/* The words of both sides, and memory for n-grams. */
struct sides {
    struct words words;
    struct symbols hypothesis, reference;
    struct trie grams;
    bool failed;
};

/* ---- Words ---- */

static bool by_characters(const struct metric_settings *settings)
{
    return settings->rules == words_find("char");
}

static void add_points(struct symbols *out, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        int32_t point = 0;
        at += utf8_next(text + at, length - at, &point);
        symbols_add(out, point);
    }
}

/* Reads clusters rather than code points: a mark or a joiner belongs to the letter before it. */
static void read_words(struct words *w, struct symbols *out, const char *text, bool characters)
{
    struct strbuf lower = {0};
    utf8_lower(&lower, text);
    w->points.failed |= lower.failed;
    symbols_clear(&w->points);
    for (size_t at = 0, length; at < lower.length; at += length) {
        bool in_word;
        length = utf8_cluster(lower.text + at, lower.length - at);
        utf8_point(lower.text + at, length, &in_word);
        if (in_word)
            add_points(&w->points, lower.text + at, length);
        if (!in_word || characters)
            symbols_add(&w->points, ' ');
    }
    words_number(w, out);
    strbuf_release(&lower);
}

/* ---- F ---- */

static double common_grams(struct sides *s, int n)
{
    double common[LONGEST] = {0};
    trie_clear(&s->grams);
    ngrams_hypothesis(&s->grams, &s->hypothesis, n);
    ngrams_reference(&s->grams, &s->reference, n);
    ngrams_common(&s->grams, common);
    return common[n - 1];
}

static double common_sequence(struct sides *s)
{
    const int length = symbols_subsequence(&s->hypothesis, &s->reference);
    s->failed |= length < 0;
    return length;
}

/* 2 P R / (P + R) is 2 common / (hypothesis + reference). */
static double f_of(struct sides *s, int n)
{
    const int each = n == SUBSEQUENCE ? 1 : n;
    const double common = n == SUBSEQUENCE ? common_sequence(s) : common_grams(s, n);
    const int both =
        ngrams_total(s->hypothesis.count, each) + ngrams_total(s->reference.count, each);
    return both > 0 ? 2 * common / both : 0;
}

static enum attend_status collect(const char *hypothesis, const char *const *reference,
                                  int references, const struct metric_settings *settings, int n,
                                  double *sums, struct attend_error *err)
{
    const bool characters = by_characters(settings);
    struct sides s = {0};
    double best = 0;
    read_words(&s.words, &s.hypothesis, hypothesis, characters);
    for (int r = 0; r < references; r++) {
        read_words(&s.words, &s.reference, reference[r], characters);
        const double f = f_of(&s, n);
        best = f > best ? f : best;
    }
    const bool failed = s.failed || words_failed(&s.words) || s.grams.failed ||
                        s.hypothesis.failed || s.reference.failed;
    if (!failed) {
        sums[SUM_OF_F] += best;
        sums[LINES]++;
    }
    words_release(&s.words);
    symbols_release(&s.hypothesis);
    symbols_release(&s.reference);
    trie_release(&s.grams);
    return failed ? error_set(err, ATTEND_NO_MEMORY, "out of memory for the words of a summary")
                  : ATTEND_OK;
}

static double score(const double *sums, const struct metric_settings *settings)
{
    (void)settings;
    return sums[LINES] > 0 ? 100 * sums[SUM_OF_F] / sums[LINES] : 0;
}

static void sign(const struct metric_settings *settings, struct strbuf *out)
{
    strbuf_addf(out, "case:lc|tok:%s|stem:no|refs:best|avg:lines",
                by_characters(settings) ? "char" : "letters+digits");
}

/* ---- The metrics ---- */

static enum attend_status collect_rouge1(const char *hypothesis, const char *const *reference,
                                         int references, const struct metric_settings *settings,
                                         double *sums, struct attend_error *err)
{
    return collect(hypothesis, reference, references, settings, 1, sums, err);
}

const struct metric_ops metric_rouge1 = {
    .name = "rouge1",
    .label = "ROUGE-1",
    .unit = "",
    .help = "F1 of the words shared by summary and reference",
    .sums = SUMS,
    .collect = collect_rouge1,
    .score = score,
    .sign = sign,
};

static enum attend_status collect_rouge2(const char *hypothesis, const char *const *reference,
                                         int references, const struct metric_settings *settings,
                                         double *sums, struct attend_error *err)
{
    return collect(hypothesis, reference, references, settings, 2, sums, err);
}

const struct metric_ops metric_rouge2 = {
    .name = "rouge2",
    .label = "ROUGE-2",
    .unit = "",
    .help = "F1 of the shared pairs of words",
    .sums = SUMS,
    .collect = collect_rouge2,
    .score = score,
    .sign = sign,
};

static enum attend_status collect_rougel(const char *hypothesis, const char *const *reference,
                                         int references, const struct metric_settings *settings,
                                         double *sums, struct attend_error *err)
{
    return collect(hypothesis, reference, references, settings, SUBSEQUENCE, sums, err);
}

const struct metric_ops metric_rougel = {
    .name = "rougel",
    .label = "ROUGE-L",
    .unit = "",
    .help = "F1 of the longest common subsequence of words",
    .sums = SUMS,
    .collect = collect_rougel,
    .score = score,
    .sign = sign,
};
