/* The scores of an evaluation, one line for each metric. */
#include "eval.h"
#include "screen.h"

#include <stdio.h>
#include <string.h>

/* Widths of columns, so that the lines of several metrics are aligned. */
struct widths {
    int label, number, unit;
};

static int wider(int width, int other) { return width > other ? width : other; }

static struct widths widths_of(const struct attend_evaluation *scores)
{
    struct widths w = {0};
    for (int i = 0; i < scores->count; i++) {
        const struct attend_metric_result *s = &scores->item[i];
        const double shown[] = {s->score, s->low, s->high, s->other};
        w.label = wider(w.label, (int)strlen(s->label));
        w.unit = wider(w.unit, (int)strlen(s->unit));
        for (size_t n = 0; n < sizeof shown / sizeof *shown; n++)
            w.number = wider(w.number, snprintf(NULL, 0, "%.2f", shown[n]));
    }
    return w;
}

/* Adds the comparison to the text of a line. */
static void add_comparison(char *line, size_t room, const struct attend_evaluation *scores,
                           const struct attend_metric_result *s, const struct widths *w)
{
    const int length = snprintf(line, room, "  other %*.2f%-*s  difference %+*.2f", w->number,
                                s->other, w->unit, s->unit, w->number + 1, s->score - s->other);
    snprintf(line + length, room - (size_t)length, s->p > 0 ? "  p = %.4f" : "  p < %.4f",
             s->p > 0 ? s->p : 1.0 / scores->resamples);
}

static void print_score(const struct attend_evaluation *scores,
                        const struct attend_metric_result *s, const struct widths *w)
{
    char middle[512] = "";
    int length = 0;
    if (scores->confidence)
        length = snprintf(middle, sizeof middle, "  95%% of resamples %*.2f to %*.2f", w->number,
                          s->low, w->number, s->high);
    if (scores->compared)
        add_comparison(middle + length, sizeof middle - (size_t)length, scores, s, w);
    screen_print("%-*s %*.2f%-*s%s  %s\n", w->label, s->label, w->number, s->score, w->unit,
                 s->unit, middle, s->signature);
}

void eval_print_scores(const struct attend_evaluation *scores)
{
    const struct widths widths = widths_of(scores);
    for (int i = 0; i < scores->count; i++)
        print_score(scores, &scores->item[i], &widths);
}
