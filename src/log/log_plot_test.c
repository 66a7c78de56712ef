#include "attend/plot.h"

#include "attend/translate.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Files and pictures ---- */

enum { FILES = 3 };
static char folder[] = "log_plot_test.XXXXXX";
static char path[FILES][64];
static const char *const paths[FILES] = {path[0], path[1], path[2]};

/* The files are folder/first.jsonl, folder/second.log.jsonl and folder/sub/first.jsonl. */
static void make_folder(void)
{
    char sub[64];
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    assert_non_null(mkdtemp(folder));
    snprintf(sub, sizeof sub, "%s/sub", folder);
    assert_int_equal(mkdir(sub, 0700), 0);
    snprintf(path[0], sizeof path[0], "%s/first.jsonl", folder);
    snprintf(path[1], sizeof path[1], "%s/second.log.jsonl", folder);
    snprintf(path[2], sizeof path[2], "%s/sub/first.jsonl", folder);
}

static void remove_folder(void)
{
    char sub[64];
    for (int i = 0; i < FILES; i++)
        unlink(path[i]);
    snprintf(sub, sizeof sub, "%s/sub", folder);
    assert_int_equal(rmdir(sub), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* A log whose loss falls from about 9 to `floor`, with a progress line for every tenth update and,
 * if there is a metric, ten validations. */
struct training {
    int updates;
    double floor;
    const char *metric;
    double first;   /* loss of the first progress line, if not 0 */
    double last;    /* loss of the second half, if not 0 */
    double warm_up; /* updates over which lr rises; 0: it is constant */
};

static void write_validation(FILE *f, const struct training *t, int u, double loss)
{
    const int best = u <= t->updates / 2;
    fprintf(f, "{\"event\":\"validation\",\"update\":%d,\"loss\":%.6f,\"metric\":\"%s\"", u,
            loss + 0.25, t->metric);
    fprintf(f, ",\"value\":%.3f,\"best\":%s}\n", best ? 30.0 * u / t->updates : 12.5,
            best ? "true" : "false");
}

static void write_log(int file, struct training t)
{
    FILE *f = fopen(path[file], "w");
    assert_non_null(f);
    for (int u = 1; u <= t.updates; u++) {
        double loss = t.floor + (9 - t.floor) * exp(-20.0 * u / t.updates) + 0.1 * sin(u * 0.7);
        if (t.first > 0 && u == 10)
            loss = t.first;
        if (t.last > 0 && u > t.updates / 2)
            loss = t.last;
        const double lr = t.warm_up > 0 ? 0.001 * fmin(1, u / t.warm_up) : 0.001;
        if (u % 10 == 0)
            fprintf(f, "{\"event\":\"progress\",\"update\":%d,\"loss\":%.6f,\"lr\":%.9f}\n", u,
                    loss, lr);
        if (t.metric && u % (t.updates / 10) == 0)
            write_validation(f, &t, u, loss);
    }
    assert_int_equal(fclose(f), 0);
}

static char *draw_svg(int count)
{
    struct attend_picture *picture = NULL;
    struct attend_error err;
    if (attend_picture_logs(paths, count, &(struct attend_style){0}, &picture, &err))
        fail_msg("%s", err.message);
    char *text = attend_picture_svg(picture);
    attend_picture_free(picture);
    return text;
}

static char *draw_term(int count)
{
    char *text = NULL;
    struct attend_error err;
    if (attend_terminal_logs(paths, count, &(struct attend_style){0}, &text, &err))
        fail_msg("%s", err.message);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found++;
    return found;
}

/* The highest tick of the first panel, which is below its label. */
static double top_of_axis(const char *term)
{
    double top;
    assert_int_equal(sscanf(term, "%*[^\n]%lf", &top), 1);
    return top;
}

/* ---- Tests ---- */

TEST(log_plot_one_run_has_both_losses_and_the_best_metric)
{
    make_folder();
    write_log(0, (struct training){.updates = 2000, .floor = 2, .metric = "bleu"});
    char *svg = draw_svg(1);
    static const char *const texts[] = {
        ">loss (nats per token)</text>",         ">bleu</text>",       ">updates</text>",
        ">training, mean of 20 updates</text>",  ">validation</text>", ">first</text>",
        ">first, best bleu 15.00 at 1000</text>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(count_of(svg, texts[i]), 1);
    assert_int_equal(count_of(svg, ">learning rate</text>"), 0);
    assert_int_equal(count_of(svg, "<polyline"), 3 + 4); /* curves, and samples in the legend */
    attend_text_free(svg);
    remove_folder();
}

TEST(log_plot_thins_long_curves_and_says_how_it_smooths)
{
    make_folder();
    write_log(0, (struct training){.updates = 200000, .floor = 2, .metric = "bleu"});
    char *svg = draw_svg(1);
    assert_int_equal(count_of(svg, ">training, mean of 2000 updates</text>"), 1);
    assert_true(strlen(svg) < 20000);
    const char *line = strstr(svg, "<polyline points=\"");
    const size_t length = strcspn(line + 18, "\"");
    int points = 1;
    for (size_t i = 0; i < length; i++)
        points += line[18 + i] == ' ';
    assert_in_range(points, 500, 600);
    attend_text_free(svg);
    remove_folder();
}

TEST(log_plot_few_lines_are_not_smoothed)
{
    make_folder();
    write_log(0, (struct training){.updates = 30, .floor = 2});
    char *svg = draw_svg(1);
    assert_int_equal(count_of(svg, ">training</text>"), 1);
    assert_int_equal(count_of(svg, "mean of"), 0);
    assert_int_equal(count_of(svg, "validation"), 0);
    attend_text_free(svg);
    remove_folder();
}

TEST(log_plot_runs_are_called_by_their_files)
{
    make_folder();
    for (int i = 0; i < FILES; i++)
        write_log(i, (struct training){.updates = 100, .floor = 2, .metric = "bleu"});
    char *two = draw_svg(2), *three = draw_svg(3), name[300];
    assert_int_equal(count_of(two, ">first</text>"), 1);
    assert_int_equal(count_of(two, ">second.log</text>"), 1);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, ">%s</text>", path[i]);
        assert_int_equal(count_of(three, name), 1);
    }
    attend_text_free(two);
    attend_text_free(three);
    remove_folder();
}

TEST(log_plot_each_metric_has_its_panel)
{
    make_folder();
    write_log(0, (struct training){.updates = 100, .floor = 2, .metric = "bleu"});
    write_log(1, (struct training){.updates = 100, .floor = 2, .metric = "ter"});
    write_log(2, (struct training){.updates = 100, .floor = 2, .metric = "bleu"});
    char *svg = draw_svg(3), *term = draw_term(3);
    assert_int_equal(count_of(svg, ">bleu</text>"), 1);
    assert_int_equal(count_of(svg, ">ter</text>"), 1);
    assert_int_equal(count_of(term, "\nbleu\n"), 1);
    assert_int_equal(count_of(term, "\nter\n"), 1);
    attend_text_free(svg);
    attend_text_free(term);
    remove_folder();
}

/* The panel of losses already has the validation loss. */
TEST(log_plot_metric_loss_has_no_panel_of_its_own)
{
    make_folder();
    write_log(0, (struct training){.updates = 100, .floor = 2, .metric = "loss"});
    char *term = draw_term(1);
    assert_int_equal(count_of(term, "\u2514"), 1);
    assert_int_equal(count_of(term, "first, best loss 15.00 at 50\n"), 1);
    attend_text_free(term);
    remove_folder();
}

TEST(log_plot_learning_rate_is_drawn_if_it_changes)
{
    make_folder();
    write_log(0, (struct training){.updates = 100, .floor = 2, .warm_up = 40});
    char *term = draw_term(1);
    assert_int_equal(count_of(term, "\nlearning rate\n"), 1);
    assert_int_equal(count_of(term, "\n0.0010 "), 1);
    attend_text_free(term);
    remove_folder();
}

TEST(log_plot_blow_ups_do_not_squeeze_the_axis)
{
    const struct training runs[] = {
        {.updates = 1000, .floor = 2, .first = 1e6},
        {.updates = 1000, .floor = 2, .last = 5000},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        make_folder();
        write_log(0, runs[i]);
        char *term = draw_term(1);
        assert_in_range((long)top_of_axis(term), 3, 10);
        attend_text_free(term);
        remove_folder();
    }
}

/* All but the first twentieth is below 4.6. */
TEST(log_plot_steep_start_does_not_squeeze_the_axis)
{
    make_folder();
    write_log(0, (struct training){.updates = 1000, .floor = 2});
    char *term = draw_term(1);
    assert_in_range((long)top_of_axis(term), 4, 5);
    attend_text_free(term);
    remove_folder();
}

TEST(log_plot_high_losses_are_shown_if_there_are_no_others)
{
    make_folder();
    write_log(0, (struct training){.updates = 300, .floor = 100});
    char *term = draw_term(1);
    assert_in_range((long)top_of_axis(term), 100, 120);
    attend_text_free(term);
    remove_folder();
}

TEST(log_plot_wrong_file_leaves_no_picture)
{
    make_folder();
    char *text = NULL;
    struct attend_error err;
    write_log(0, (struct training){.updates = 100, .floor = 2});
    assert_int_equal(attend_terminal_logs(paths, 2, &(struct attend_style){0}, &text, &err),
                     ATTEND_IO);
    assert_null(text);
    assert_non_null(strstr(err.message, path[1]));
    remove_folder();
}
