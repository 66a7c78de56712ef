#include "test.h"

#include "attend/eval.h"
#include "attend/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static char folder[] = "eval_test.XXXXXX";
static char src[64], ref[64], one[64], two[64];

static void make_files(const char *source)
{
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    assert_non_null(mkdtemp(folder));
    snprintf(src, sizeof src, "%s/src", folder);
    snprintf(ref, sizeof ref, "%s/ref", folder);
    snprintf(one, sizeof one, "%s/one", folder);
    snprintf(two, sizeof two, "%s/two", folder);
    write_file(src, source);
    write_file(ref, "a\nb\nc\nd\ne\nf\n");
    write_file(one, "a\nb\nc\nx\nx\nx\n");
    write_file(two, "a\nx\nc\nd\nx\nf\n");
}

static void remove_files(void)
{
    const char *const files[] = {src, ref, one, two};
    for (int i = 0; i < 4; i++)
        assert_int_equal(unlink(files[i]), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void assert_row(const struct attend_length_row *row, const int range[2],
                       const long counts[3])
{
    assert_int_equal(row->from, range[0]);
    assert_int_equal(row->to, range[1]);
    assert_int_equal(row->total, counts[0]);
    assert_int_equal(row->correct[0], counts[1]);
    assert_int_equal(row->correct[1], counts[2]);
}

TEST(eval_by_length_groups_lines_by_their_source_words)
{
    struct attend_length_row *rows;
    struct attend_error err;
    int count;
    make_files("v\n v  w\t\nv w x\n\nv w x y\n1 2 3 4 5 6 7\n");
    const char *const files[] = {one, two};
    assert_int_equal(attend_eval_by_length(src, ref, files, 2, 2, &rows, &count, &err), ATTEND_OK);
    assert_int_equal(count, 4); /* 5-6 has no line */
    assert_row(&rows[0], (const int[]){0, 0}, (const long[]){1, 0, 1});
    assert_row(&rows[1], (const int[]){1, 2}, (const long[]){2, 2, 1});
    assert_row(&rows[2], (const int[]){3, 4}, (const long[]){2, 1, 1});
    assert_row(&rows[3], (const int[]){7, 8}, (const long[]){1, 0, 1});
    char *svg = attend_plot_by_length(rows, count, 2, files, ATTEND_PLOT_SVG, NULL);
    assert_non_null(strstr(svg, "one: 1.5, 100.00</title>"));
    assert_non_null(strstr(svg, "two: 3.5, 50.00</title>"));
    free(svg);
    attend_length_rows_free(rows);
    remove_files();
}

TEST(eval_by_length_refuses_what_does_not_pair)
{
    struct attend_length_row *rows = NULL;
    struct attend_error err;
    int count;
    make_files("only\nthree\nlines\n");
    const char *const files[] = {one};
    assert_int_equal(attend_eval_by_length(src, ref, files, 1, 2, &rows, &count, &err),
                     ATTEND_DATA);
    assert_non_null(strstr(err.message, "they must pair line for line"));
    assert_int_equal(attend_eval_by_length(ref, ref, files, 1, 0, &rows, &count, &err),
                     ATTEND_USAGE);
    assert_int_equal(attend_eval_by_length(ref, ref, files, 0, 2, &rows, &count, &err),
                     ATTEND_USAGE);
    assert_int_equal(attend_eval_by_length(ref, ref, files, 5, 2, &rows, &count, &err),
                     ATTEND_USAGE);
    assert_null(rows);
    attend_length_rows_free(rows);
    remove_files();
}
