/* attend eval: judge output against references. */
#include "commands.h"

#include <attend/eval.h>
#include <attend/plot.h>
#include <attend/translate.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* At most the output and the one it is compared with. */
enum { FILES = 2 };

struct table {
    const char *path[FILES], *label[FILES];
    int files;
    struct attend_length_row *rows;
    int count;
};

static double percent(long correct, long total)
{
    return total ? 100.0 * (double)correct / (double)total : 0.0;
}

/* ---- All lines together ---- */

static int judge_all(const struct command *command, const char *hypothesis, const char *reference)
{
    struct attend_accuracy result;
    struct attend_error err;
    const enum attend_status status = attend_eval_accuracy(hypothesis, reference, &result, &err);
    if (status)
        return args_fail(command, status, &err);
    printf("accuracy %.2f%% (%ld of %ld lines)\n", percent(result.correct, result.total),
           result.correct, result.total);
    return EXIT_DONE;
}

/* ---- By length ---- */

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
    for (int f = 0; f < t->files; f++)
        t->label[f] = base_name(t->path[f]);
    if (t->files == 2 && strcmp(t->label[0], t->label[1]) == 0)
        for (int f = 0; f < t->files; f++)
            t->label[f] = t->path[f];
}

static int characters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* Of a file's column: its heading, or "100.00%" if that is wider. */
static int width(const struct table *t, int file)
{
    const int heading = characters(t->label[file]);
    return heading > 7 ? heading : 7;
}

static void print_heading(const struct table *t)
{
    printf("source words    lines");
    for (int f = 0; f < t->files; f++)
        printf("  %*s%s", width(t, f) - characters(t->label[f]), "", t->label[f]);
    printf("\n");
}

static void print_row(const struct table *t, const char *words, const struct attend_length_row *row)
{
    printf("%-12s  %7ld", words, row->total);
    for (int f = 0; f < t->files; f++)
        printf("  %*.2f%%", width(t, f) - 1, percent(row->correct[f], row->total));
    printf("\n");
}

static void print_table(const struct table *t)
{
    struct attend_length_row all = {0};
    print_heading(t);
    for (int i = 0; i < t->count; i++) {
        const struct attend_length_row *row = &t->rows[i];
        char words[32];
        if (row->from < row->to)
            snprintf(words, sizeof words, "%d-%d", row->from, row->to);
        else
            snprintf(words, sizeof words, "%d", row->from);
        print_row(t, words, row);
        all.total += row->total;
        for (int f = 0; f < t->files; f++)
            all.correct[f] += row->correct[f];
    }
    print_row(t, "all", &all);
}

static enum attend_status draw(const struct table *t, const char *output, struct attend_error *err)
{
    char *text = attend_plot_by_length(t->rows, t->count, t->files, t->label, ATTEND_PLOT_SVG,
                                       "Accuracy by source length");
    if (!text) {
        snprintf(err->message, sizeof err->message, "out of memory for the picture");
        return ATTEND_NO_MEMORY;
    }
    const enum attend_status status = attend_plot_save(output, text, err);
    attend_text_free(text);
    return status;
}

static int judge_by_length(const struct command *command, const struct attend_options *options,
                           const char *hypothesis, const char *reference)
{
    const char *compare = attend_options_text(options, "compare");
    const char *output = attend_options_text(options, "output");
    struct table t = {.path = {hypothesis, compare}, .files = compare ? 2 : 1};
    struct attend_error err;
    set_labels(&t);
    enum attend_status status = attend_eval_by_length(
        attend_options_text(options, "src"), reference, t.path, t.files,
        (int)attend_options_number(options, "by-length"), &t.rows, &t.count, &err);
    if (!status) {
        print_table(&t);
        if (output)
            status = draw(&t, output, &err);
        attend_length_rows_free(t.rows);
    }
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

/* ---- The command ---- */

/* False, after saying so, if a setting was given that changes nothing without --by-length. */
static bool check_lone(const struct command *command, const struct attend_options *options)
{
    static const char *const names[] = {"src", "compare", "output"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char message[64];
        snprintf(message, sizeof message, "--%s needs --by-length", names[i]);
        if (attend_options_text(options, names[i])) {
            args_usage(command, message);
            return false;
        }
    }
    return true;
}

static bool ends_in_svg(const char *path)
{
    const size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".svg") == 0;
}

int cmd_eval(const struct command *command, const struct attend_options *options,
             const char *const *operand, int count)
{
    (void)operand, (void)count;
    const char *reference, *hypothesis = attend_options_text(options, "hyp");
    const char *output = attend_options_text(options, "output");
    if (!hypothesis)
        hypothesis = "-";
    if (!args_need(command, options, "ref", &reference))
        return EXIT_USAGE;
    if (attend_options_number(options, "by-length") < 1)
        return check_lone(command, options) ? judge_all(command, hypothesis, reference)
                                            : EXIT_USAGE;
    if (!attend_options_text(options, "src"))
        return args_usage(command, "--by-length needs --src, the source sentences");
    if (output && !ends_in_svg(output))
        return args_usage(command, "--output takes a file that ends in .svg");
    return judge_by_length(command, options, hypothesis, reference);
}
