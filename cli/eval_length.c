/* Scores by the length of the source: a table, and its picture. */
#include "eval.h"
#include "picture.h"
#include "screen.h"

#include <attend/plot.h>

#include <stdio.h>
#include <string.h>

struct table {
    struct attend_length_table *scores;
    const char *path[ATTEND_OUTPUTS], *label[ATTEND_OUTPUTS];
    int most; /* columns of a heading that fit the terminal; 0: any */
};

enum { LENGTHS = 21, LEAST_OUTPUT = 7 }; /* columns of the lengths and lines; of an output */

static int wider(int width, int other) { return width > other ? width : other; }

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (strcmp(path, "-") == 0)
        return "standard input";
    return slash && slash[1] ? slash + 1 : path;
}

/* A label is the file name, or the whole path if both files have the same name. */
static void set_labels(struct table *t)
{
    for (int o = 0; o < t->scores->outputs; o++)
        t->label[o] = base_name(t->path[o]);
    if (t->scores->outputs == 2 && strcmp(t->label[0], t->label[1]) == 0)
        for (int o = 0; o < 2; o++)
            t->label[o] = t->path[o];
}

/* The width of an output's column: that of its heading, or of "100.00%" if that is wider. */
static int width(const struct table *t, int output)
{
    const int heading = wider(attend_terminal_columns(t->label[output]), LEAST_OUTPUT);
    return t->most && heading > t->most ? t->most : heading;
}

static void print_heading(const struct table *t)
{
    printf("source words    lines");
    for (int o = 0; o < t->scores->outputs; o++) {
        char *label = attend_terminal_fit(t->label[o], width(t, o));
        const char *shown = label ? label : "";
        printf("  %*s%s", width(t, o) - attend_terminal_columns(shown), "", shown);
        attend_text_free(label);
    }
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
    const struct attend_style style = {.title = title};
    return picture_save(command, attend_picture_by_length(t->scores, t->label, &style), output);
}

int eval_by_length(const struct command *command, const struct flags *flags,
                   const struct attend_eval_set *set)
{
    const char *hypothesis = flags->models ? *flags->models : flags->eval.hyp;
    const char *output = eval_picture(flags);
    struct table t = {.path = {hypothesis ? hypothesis : "-", flags->eval.compare}};
    struct attend_error err;
    const enum attend_status status = attend_eval_set_by_length(&t.scores, set, &err);
    if (status)
        return args_fail(command, status, &err);
    set_labels(&t);
    const int screen = screen_width(stdout);
    t.most = screen ? wider((screen - LENGTHS) / t.scores->outputs - 2, LEAST_OUTPUT) : 0;
    print_table(&t);
    const int code = output ? draw(command, &t, output) : EXIT_DONE;
    attend_length_table_free(t.scores);
    return code;
}
