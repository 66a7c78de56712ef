/* Sequence accuracy: the share of lines that are right as a whole, and 100 less that, the line
 * error; and error rates, edits over the length of the reference: WER of words, SER of symbols
 * (metric_accuracy, metric_line_error, metric_wer and metric_ser in metric.h). Of several references the nearest counts: the one with the fewest edits, and of
 * those the longest. White space (ASCII) around a line does not matter, and within it any run is
 * as good as one space. */
#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "metric/metric.h"
#include "metric/units.h"

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

enum { CORRECT, LINES, ACCURACY_SUMS };

/* A line in the form that is compared. */
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

static double score_line_error(const double *sums, const struct metric_settings *settings)
{
    return sums[LINES] > 0 ? 100 - score_accuracy(sums, settings) : 0;
}

const struct metric_ops metric_accuracy = {
    .name = "accuracy",
    .label = "accuracy",
    .unit = "%",
    .help = "lines that are entirely right",
    .sums = ACCURACY_SUMS,
    .collect = collect_accuracy,
    .score = score_accuracy,
    .sign = sign_case,
};

const struct metric_ops metric_line_error = {
    .name = "line-error",
    .label = "wrong lines (WER of pronunciation)",
    .unit = "%",
    .help = "lines that are wrong as a whole, 100 - accuracy: the word error rate of pronunciation",
    .lower_is_better = true,
    .sums = ACCURACY_SUMS,
    .collect = collect_accuracy,
    .score = score_line_error,
    .sign = sign_case,
};

/* ---- Edits ---- */

enum { EDITS, LENGTH, RATE_SUMS };

static bool by_characters(const struct metric_settings *settings)
{
    return settings->rules == words_find("char");
}

static enum attend_status collect_edits(const char *hypothesis, const char *const *reference,
                                        int references, bool lowercase, bool characters,
                                        double *sums, struct attend_error *err)
{
    struct words words = {0};
    struct units hyp = {0}, ref = {0};
    int edits = 0, length = 0;
    units_read(&words, &hyp, hypothesis, characters, lowercase);
    for (int r = 0; r < references && edits >= 0; r++) {
        units_read(&words, &ref, reference[r], characters, lowercase);
        const int needed = symbols_distance(&hyp.id, &ref.id);
        if (r == 0 || needed < edits || (needed == edits && ref.id.count > length)) {
            edits = needed;
            length = ref.id.count;
        }
    }
    const bool failed =
        edits < 0 || words_failed(&words) || units_failed(&hyp) || units_failed(&ref);
    if (!failed) {
        sums[EDITS] += edits;
        sums[LENGTH] += length;
    }
    words_release(&words);
    units_release(&hyp);
    units_release(&ref);
    return failed ? error_set(err, ATTEND_NO_MEMORY, "out of memory for the edits of a sentence")
                  : ATTEND_OK;
}

static enum attend_status collect_wer(const char *hypothesis, const char *const *reference,
                                      int references, const struct metric_settings *settings,
                                      double *sums, struct attend_error *err)
{
    return collect_edits(hypothesis, reference, references, settings->lowercase, false, sums, err);
}

static enum attend_status collect_ser(const char *hypothesis, const char *const *reference,
                                      int references, const struct metric_settings *settings,
                                      double *sums, struct attend_error *err)
{
    return collect_edits(hypothesis, reference, references, settings->lowercase,
                         by_characters(settings), sums, err);
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
    .label = "word edits (WER of speech)",
    .unit = "%",
    .help = "edits of words, per word of the reference: the word error rate of speech, not of "
            "pronunciation",
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
