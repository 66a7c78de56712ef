#include "base/io.h"
#include "base/strbuf.h"
#include "metric/aer.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct aer_counts *counts, const char *hypothesis, const char *gold)
{
    struct links a = {0}, g = {0};
    assert_int_equal(links_parse(&a, hypothesis, strlen(hypothesis), 0, "a", 1, NULL), ATTEND_OK);
    assert_int_equal(links_parse(&g, gold, strlen(gold), 0, "g", 1, NULL), ATTEND_OK);
    aer_add(counts, &a, &g);
    links_release(&a);
    links_release(&g);
}

TEST(aer_matches_a_case_worked_by_hand)
{
    struct aer_counts counts = {0};
    /* A = {00 11 12 33}, S = {00 11 22}, P = S and {12}: 2 of A in S, 3 of A in P. */
    add(&counts, "0-0 1-1 1-2 3-3", "0-0 1-1 2-2 1p2");
    assert_int_equal(counts.hypothesis, 4);
    assert_int_equal(counts.sure, 3);
    assert_near(aer_rate(&counts), 1 - 5.0 / 7, 1e-12);
    assert_near(aer_precision(&counts), 3.0 / 4, 1e-12);
    assert_near(aer_recall(&counts), 2.0 / 3, 1e-12);
}

TEST(aer_sums_over_sentences_before_it_divides)
{
    struct aer_counts counts = {0};
    add(&counts, "0-0", "0-0");
    add(&counts, "0-1 1-0 1-1", "0-0 1-1");
    assert_near(aer_rate(&counts), 1 - 4.0 / 7, 1e-12);
    assert_near(aer_precision(&counts), 2.0 / 4, 1e-12);
    assert_near(aer_recall(&counts), 2.0 / 3, 1e-12);
}

TEST(aer_counts_duplicates_once)
{
    struct aer_counts counts = {0};
    add(&counts, "0-0 0-0 0p0", "0-0 0p0 0-0");
    assert_int_equal(counts.hypothesis, 1);
    assert_int_equal(counts.sure, 1);
    assert_near(aer_rate(&counts), 0, 0);
}

TEST(aer_of_nothing_is_no_error)
{
    struct aer_counts none = {0}, silent = {0}, possible = {0};
    add(&none, "", "");
    assert_near(aer_rate(&none), 0, 0);
    add(&silent, "", "0-0");
    assert_near(aer_rate(&silent), 1, 0);
    assert_near(aer_recall(&silent), 0, 0);
    add(&possible, "0-0", "0p0");
    assert_near(aer_rate(&possible), 0, 0);
    assert_near(aer_recall(&possible), 1, 0);
}

/* ---- Published figures ---- */

static char *read_data(const char *folder, const char *name)
{
    struct strbuf path = {0}, file = {0};
    struct attend_error err = {.message = ""};
    strbuf_addf(&path, "%s/align-enfr/%s/%s", getenv("ATTEND_DATA"), folder, name);
    io_read(path.text, &file, &err);
    assert_string_equal(err.message, "");
    strbuf_release(&path);
    return strbuf_detach(&file);
}

static void parse_line(struct links *out, const char **at, int base)
{
    const size_t length = strcspn(*at, "\n");
    struct attend_error err = {.message = ""};
    links_parse(out, *at, length, base, "data", 1, &err);
    assert_string_equal(err.message, "");
    *at += length + ((*at)[length] == '\n');
}

/* These aligners ran from French to English: swap source and target. */
static void reverse(struct links *links)
{
    struct links turned = {0};
    for (int i = 0; i < links->count; i++) {
        const struct link one = links->item[i];
        links_add(&turned, (struct link){one.target, one.source, one.sure}, NULL);
    }
    links_release(links);
    *links = turned;
}

static struct aer_counts measure(const char *hypothesis, const char *gold, bool turned)
{
    struct aer_counts counts = {0};
    struct links a = {0}, g = {0};
    int sentences = 0;
    for (; *gold; sentences++) {
        parse_line(&a, &hypothesis, 0);
        parse_line(&g, &gold, 1);
        if (turned)
            reverse(&a);
        aer_add(&counts, &a, &g);
    }
    assert_int_equal(sentences, 447);
    links_release(&a);
    links_release(&g);
    return counts;
}

/* Rows that were checked, and rows that were checked in full. */
struct checked {
    int rows, full;
};

/* The figures are percentages rounded to one digit. */
static void assert_rounds_to(double share, double published)
{
    const double percent = 100 * share;
    if (percent < published - 0.0501 || percent > published + 0.0501)
        fail_msg("%.4f does not round to the published %.1f", percent, published);
}

/* One row of a results file: "name: AER% (precision%/recall%/links)". In some rows our files differ
 * by a few links from those that were measured, so precision and recall are checked only where the
 * number of links is the same. */
static void check_row(struct checked *checked, const char *folder, const char *gold,
                      const char *row)
{
    char name[64];
    double rate, precision, recall;
    long count;
    assert_int_equal(
        sscanf(row, "%63[^:]: %lf%% (%lf%%/%lf%%/%ld)", name, &rate, &precision, &recall, &count),
        5);
    if (strstr(name, ".bpe."))
        return;
    char *hypothesis = read_data(folder, name);
    const struct aer_counts counts = measure(hypothesis, gold, strstr(name, ".reverse."));
    free(hypothesis);
    assert_rounds_to(aer_rate(&counts), rate);
    checked->rows++;
    if (counts.hypothesis != count)
        return;
    assert_rounds_to(aer_precision(&counts), precision);
    assert_rounds_to(aer_recall(&counts), recall);
    checked->full++;
}

TEST(aer_matches_the_published_figures_of_two_aligners)
{
    const char *systems[] = {"system-outputs/giza", "system-outputs/fastalign"};
    struct checked checked = {0};
    if (!getenv("ATTEND_DATA"))
        skip();
    char *gold = read_data(".", "enfr.gold");
    for (int i = 0; i < 2; i++) {
        char *results = read_data(systems[i], "enfr-results.txt");
        for (char *row = results; *row; row += strspn(row, "\n")) {
            check_row(&checked, systems[i], gold, row);
            row += strcspn(row, "\n");
        }
        free(results);
    }
    free(gold);
    assert_int_equal(checked.rows, 12);
    assert_int_equal(checked.full, 7);
}
