#include "attend/eval.h"

#include "base/error.h"
#include "metric/aer.h"
#include "metric/error_rate.h"
#include "text/lines.h"

static enum attend_status same_count(const char *a, int n, const char *b, int m,
                                     struct attend_error *err)
{
    return n == m ? ATTEND_OK
                  : error_set(err, ATTEND_DATA,
                              "%s has %d lines and %s has %d: they must pair line for line", a, n,
                              b, m);
}

enum attend_status attend_eval_accuracy(const char *hypothesis, const char *reference,
                                        struct attend_accuracy *out, struct attend_error *err)
{
    struct lines hyp = {0}, ref = {0};
    enum attend_status status = lines_read(&hyp, hypothesis, err);
    if (!status)
        status = lines_read(&ref, reference, err);
    if (!status)
        status = same_count(hypothesis, hyp.count, reference, ref.count, err);
    if (!status) {
        *out = (struct attend_accuracy){.total = ref.count};
        for (int i = 0; i < ref.count; i++) {
            size_t length;
            const char *pair[] = {lines_at(&hyp, i, &length), lines_at(&ref, i, &length)};
            out->correct += error_rate_correct(&pair[0], &pair[1], 1);
        }
    }
    lines_release(&hyp);
    lines_release(&ref);
    return status;
}

enum attend_status attend_eval_aer(const char *const *links, int count, const char *gold,
                                   int gold_base, struct attend_aer *out, struct attend_error *err)
{
    struct lines lines = {0};
    struct links hypothesis = {0}, reference = {0};
    struct aer_counts counts = {0};
    enum attend_status status = lines_read(&lines, gold, err);
    if (!status)
        status = same_count("the alignment", count, gold, lines.count, err);
    for (int i = 0; i < count && !status; i++) {
        size_t length;
        const char *line = lines_at(&lines, i, &length);
        status = links_parse(&reference, line, length, gold_base, gold, i + 1, err);
        if (!status)
            status =
                links_parse(&hypothesis, links[i], strlen(links[i]), 0, "alignment", i + 1, err);
        if (!status)
            aer_add(&counts, &hypothesis, &reference);
    }
    if (!status)
        *out = (struct attend_aer){.rate = aer_rate(&counts),
                                   .precision = aer_precision(&counts),
                                   .recall = aer_recall(&counts),
                                   .links = counts.hypothesis};
    links_release(&hypothesis);
    links_release(&reference);
    lines_release(&lines);
    return status;
}
