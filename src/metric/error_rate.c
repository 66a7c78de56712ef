#include "metric/error_rate.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "metric/metric.h"
#include "metric/words.h"

#include <string.h>

/* ---- Whole lines ---- */

static const char BLANKS[] = " \t\n\v\f\r";

static bool is_blank(char c) { return c && strchr(BLANKS, c); }

static const char *skip_blanks(const char *text) { return text + strspn(text, BLANKS); }

static bool same_line(const char *a, const char *b)
{
    a = skip_blanks(a);
    b = skip_blanks(b);
    while (*a && *b) {
        if (is_blank(*a) && is_blank(*b)) {
            a = skip_blanks(a);
            b = skip_blanks(b);
        } else if (*a++ != *b++)
            return false;
    }
    return !*skip_blanks(a) && !*skip_blanks(b);
}

int error_rate_correct(const char *const *hypothesis, const char *const *reference, int count)
{
    int correct = 0;
    for (int i = 0; i < count; i++)
        correct += same_line(hypothesis[i], reference[i]);
    return correct;
}

enum { CORRECT, LINES, ACCURACY_SUMS };

/* A line as it is compared. */
static const char *line_text(struct strbuf *lower, const char *text, bool lowercase)
{
    if (!lowercase)
        return text;
    strbuf_clear(lower);
    utf8_lower(lower, text);
    return lower->text ? lower->text : "";
}

static enum attend_status collect_accuracy(const char *hypothesis, const char *const *reference,
                                           int references, const struct metric_settings *settings,
                                           double *sums, struct attend_error *err)
{
    struct strbuf hyp = {0}, ref = {0};
    const char *given = line_text(&hyp, hypothesis, settings->lowercase);
    bool correct = false;
    for (int r = 0; r < references && !correct; r++)
        correct = same_line(given, line_text(&ref, reference[r], settings->lowercase));
    enum attend_status status = strbuf_status(&hyp, err);
    if (!status)
        status = strbuf_status(&ref, err);
    if (!status) {
        sums[CORRECT] += correct;
        sums[LINES]++;
    }
    strbuf_release(&hyp);
    strbuf_release(&ref);
    return status;
}

static double score_accuracy(const double *sums, const struct metric_settings *settings)
{
    (void)settings;
    return sums[LINES] > 0 ? 100 * sums[CORRECT] / sums[LINES] : 0;
}

static void sign_case(const struct metric_settings *settings, struct strbuf *out)
{
    strbuf_addf(out, "case:%s", settings->lowercase ? "lc" : "mixed");
}

const struct metric_ops metric_accuracy = {
    .name = "accuracy",
    .label = "accuracy",
    .unit = "%",
    .help = "lines that are right as a whole",
    .sums = ACCURACY_SUMS,
    .collect = collect_accuracy,
    .score = score_accuracy,
    .sign = sign_case,
};

/* ---- Edits ---- */

enum { EDITS, LENGTH, RATE_SUMS };

static bool by_characters(const struct metric_settings *settings)
{
    return settings->rules == words_find("char");
}

/* A number for each grapheme cluster. White space counts as in whole lines: any run within the line
 * as one space. */
static void read_characters(struct words *w, struct symbols *out, const char *text, bool lowercase)
{
    struct strbuf lower = {0};
    bool gap = false;
    text = line_text(&lower, text, lowercase);
    symbols_clear(out);
    for (size_t left = strlen(text); left > 0;) {
        const size_t length = utf8_cluster(text, left);
        int node = 0;
        for (size_t at = 0; at < length;) {
            int32_t point = 0;
            at += utf8_next(text + at, length - at, &point);
            node = trie_step(&w->names, node, point);
        }
        const bool blank = strchr(BLANKS, *text);
        if (!blank && gap && out->count > 0)
            symbols_add(out, trie_step(&w->names, 0, ' '));
        if (!blank)
            symbols_add(out, node);
        gap = blank;
        text += length;
        left -= length;
    }
    w->points.failed |= lower.failed;
    strbuf_release(&lower);
}

typedef void read_fn(struct words *, struct symbols *out, const char *text, bool lowercase);

static void read_words(struct words *w, struct symbols *out, const char *text, bool lowercase)
{
    words_read(w, out, text, NULL, lowercase);
}

static enum attend_status collect_edits(const char *hypothesis, const char *const *reference,
                                        int references, bool lowercase, read_fn *read, double *sums,
                                        struct attend_error *err)
{
    struct words words = {0};
    struct symbols hyp = {0}, ref = {0};
    int edits = 0, length = 0;
    read(&words, &hyp, hypothesis, lowercase);
    for (int r = 0; r < references && edits >= 0; r++) {
        read(&words, &ref, reference[r], lowercase);
        const int needed = symbols_distance(&hyp, &ref);
        if (r == 0 || needed < edits || (needed == edits && ref.count > length)) {
            edits = needed;
            length = ref.count;
        }
    }
    const bool failed = edits < 0 || words_failed(&words) || hyp.failed || ref.failed;
    if (!failed) {
        sums[EDITS] += edits;
        sums[LENGTH] += length;
    }
    words_release(&words);
    symbols_release(&hyp);
    symbols_release(&ref);
    return failed ? error_set(err, ATTEND_NO_MEMORY, "out of memory for the edits of a sentence")
                  : ATTEND_OK;
}

static enum attend_status collect_wer(const char *hypothesis, const char *const *reference,
                                      int references, const struct metric_settings *settings,
                                      double *sums, struct attend_error *err)
{
    return collect_edits(hypothesis, reference, references, settings->lowercase, read_words, sums,
                         err);
}

static enum attend_status collect_ser(const char *hypothesis, const char *const *reference,
                                      int references, const struct metric_settings *settings,
                                      double *sums, struct attend_error *err)
{
    return collect_edits(hypothesis, reference, references, settings->lowercase,
                         by_characters(settings) ? read_characters : read_words, sums, err);
}

static double score_rate(const double *sums, const struct metric_settings *settings)
{
    (void)settings;
    if (sums[LENGTH] > 0)
        return 100 * sums[EDITS] / sums[LENGTH];
    return sums[EDITS] > 0 ? 100 : 0;
}

static void sign_wer(const struct metric_settings *settings, struct strbuf *out)
{
    sign_case(settings, out);
    strbuf_adds(out, "|tok:none");
}

static void sign_ser(const struct metric_settings *settings, struct strbuf *out)
{
    sign_case(settings, out);
    strbuf_addf(out, "|tok:%s", by_characters(settings) ? "char" : "none");
}

const struct metric_ops metric_wer = {
    .name = "wer",
    .label = "WER",
    .unit = "%",
    .help = "edits of words, per word of the reference",
    .lower_is_better = true,
    .sums = RATE_SUMS,
    .collect = collect_wer,
    .score = score_rate,
    .sign = sign_wer,
};

const struct metric_ops metric_ser = {
    .name = "ser",
    .label = "SER",
    .unit = "%",
    .help = "edits of symbols, per symbol of the reference",
    .lower_is_better = true,
    .sums = RATE_SUMS,
    .collect = collect_ser,
    .score = score_rate,
    .sign = sign_ser,
};
