/* attend eval: judge output against references. */
#include "commands.h"
#include "picture.h"

#include <attend/eval.h>
#include <attend/plot.h>
#include <attend/translate.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- All lines together ---- */

/* Columns as wide as what stands in them, so that the lines of several metrics agree. */
struct widths {
    int label, number, unit;
};

static int wider(int width, int other) { return width > other ? width : other; }

static struct widths widths_of(const struct attend_scores *scores)
{
    struct widths w = {0};
    for (int i = 0; i < scores->count; i++) {
        const struct attend_score *s = &scores->item[i];
        const double shown[] = {s->score, s->low, s->high, s->other};
        w.label = wider(w.label, (int)strlen(s->label));
        w.unit = wider(w.unit, (int)strlen(s->unit));
        for (size_t n = 0; n < sizeof shown / sizeof *shown; n++)
            w.number = wider(w.number, snprintf(NULL, 0, "%.2f", shown[n]));
    }
    return w;
}

static void print_comparison(const struct attend_scores *scores, const struct attend_score *s,
                             const struct widths *w)
{
    printf("  other %*.2f%-*s  difference %+*.2f", w->number, s->other, w->unit, s->unit,
           w->number + 1, s->score - s->other);
    if (s->p > 0)
        printf("  p = %.4f", s->p);
    else
        printf("  p < %.4f", 1.0 / scores->resamples);
}

static void print_score(const struct attend_scores *scores, const struct attend_score *s,
                        const struct widths *w)
{
    printf("%-*s %*.2f%-*s", w->label, s->label, w->number, s->score, w->unit, s->unit);
    if (scores->confidence)
        printf("  95%% of resamples %*.2f to %*.2f", w->number, s->low, w->number, s->high);
    if (scores->compared)
        print_comparison(scores, s, w);
    printf("  %s\n", s->signature);
}

static bool print_json(const struct attend_scores *scores)
{
    char *text = attend_scores_json(scores);
    if (!text)
        return false;
    puts(text);
    attend_text_free(text);
    return true;
}

static int judge_all(const struct command *command, const struct attend_options *options)
{
    struct attend_scores *scores;
    struct attend_error err = {"out of memory"};
    enum attend_status status = attend_eval_scores(&scores, options, &err);
    if (status)
        return args_fail(command, status, &err);
    const struct widths widths = widths_of(scores);
    if (attend_options_number(options, "json"))
        status = print_json(scores) ? ATTEND_OK : ATTEND_NO_MEMORY;
    else
        for (int i = 0; i < scores->count; i++)
            print_score(scores, &scores->item[i], &widths);
    attend_scores_free(scores);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

/* ---- By length ---- */

struct table {
    struct attend_length_table *scores;
    const char *path[ATTEND_OUTPUTS], *label[ATTEND_OUTPUTS];
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (strcmp(path, "-") == 0)
        return "standard input";
    return slash && slash[1] ? slash + 1 : path;
}

/* Files of one name in different folders keep their paths. */
static void set_labels(struct table *t)
{
    for (int o = 0; o < t->scores->outputs; o++)
        t->label[o] = base_name(t->path[o]);
    if (t->scores->outputs == 2 && strcmp(t->label[0], t->label[1]) == 0)
        for (int o = 0; o < 2; o++)
            t->label[o] = t->path[o];
}

static int characters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* Of an output's column: its heading, or "100.00%" if that is wider. */
static int width(const struct table *t, int output)
{
    return wider(characters(t->label[output]), 7);
}

static void print_heading(const struct table *t)
{
    printf("source words    lines");
    for (int o = 0; o < t->scores->outputs; o++)
        printf("  %*s%s", width(t, o) - characters(t->label[o]), "", t->label[o]);
    printf("\n");
}

static void print_row(const struct table *t, const char *words, const struct attend_length_row *row)
{
    const int unit = (int)strlen(t->scores->unit);
    printf("%-12s  %7ld", words, row->lines);
    for (int o = 0; o < t->scores->outputs; o++)
        printf("  %*.2f%s", width(t, o) - unit, row->score[o], t->scores->unit);
    printf("\n");
}

static void print_table(const struct table *t)
{
    print_heading(t);
    for (int i = 0; i < t->scores->count; i++) {
        const struct attend_length_row *row = &t->scores->row[i];
        char words[32];
        if (row->from < row->to)
            snprintf(words, sizeof words, "%d-%d", row->from, row->to);
        else
            snprintf(words, sizeof words, "%d", row->from);
        print_row(t, words, row);
    }
    print_row(t, "all", &t->scores->all);
}

static int draw(const struct command *command, const struct table *t, const char *output)
{
    char title[64];
    snprintf(title, sizeof title, "%s by source length", t->scores->label);
    const struct attend_look look = {.title = title};
    return picture_save(command, attend_picture_by_length(t->scores, t->label, &look), output);
}

static int judge_by_length(const struct command *command, const struct attend_options *options)
{
    const char *hypothesis = attend_options_text(options, "hyp");
    const char *output = attend_options_text(options, "output");
    struct table t = {
        .path = {hypothesis ? hypothesis : "-", attend_options_text(options, "compare")}};
    struct attend_error err;
    const enum attend_status status = attend_eval_by_length(&t.scores, options, &err);
    if (status)
        return args_fail(command, status, &err);
    set_labels(&t);
    print_table(&t);
    const int code = output ? draw(command, &t, output) : EXIT_DONE;
    attend_length_table_free(t.scores);
    return code;
}

/* ---- The command ---- */

int cmd_eval(const struct command *command, const struct attend_options *options,
             const char *const *operand, int count)
{
    (void)operand, (void)count;
    static const char *const by_length_only[] = {"src", "output", NULL};
    static const char *const all_only[] = {"json", "confidence", NULL};
    const char *reference, *output = attend_options_text(options, "output");
    if (!attend_options_text(options, "answers") && !args_need(command, options, "ref", &reference))
        return EXIT_USAGE;
    if (attend_options_number(options, "by-length") < 1)
        return args_none(command, options, by_length_only, "needs --by-length")
                   ? judge_all(command, options)
                   : EXIT_USAGE;
    if (!attend_options_text(options, "src"))
        return args_usage(command, "--by-length needs --src, the source sentences");
    if (output && !picture_takes(output))
        return args_usage(command, "--output takes a file that ends in .svg, .png or .pdf");
    return args_none(command, options, all_only, "does not go with --by-length")
               ? judge_by_length(command, options)
               : EXIT_USAGE;
}
