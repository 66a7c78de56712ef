#include "attend/align.h"
#include "attend/settings.h"

#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char name[3][64]; /* links, reverse links, gold */

/* Write files with `count` equal lines each. */
static void write_files(const char *const line[3], int count)
{
    for (int f = 0; f < 3; f++) {
        snprintf(name[f], sizeof name[f], "align_test.%d.%d", (int)getpid(), f);
        FILE *file = fopen(name[f], "w");
        assert_non_null(file);
        for (int i = 0; i < count; i++)
            fprintf(file, "%s\n", line[f]);
        assert_int_equal(fclose(file), 0);
    }
}

static void remove_files(void)
{
    for (int f = 0; f < 3; f++)
        assert_int_equal(unlink(name[f]), 0);
}

static enum attend_status open_aligner(struct attend_aligner **out, const char *const (*pairs)[2],
                                       struct attend_error *err)
{
    static const enum attend_table tables[] = {ATTEND_TABLE_ALIGN, ATTEND_TABLE_ALIGN_BOTH,
                                               ATTEND_TABLE_ALIGN_GOLD, ATTEND_TABLE_ALIGN_SPEED};
    struct attend_align_options options = attend_align_defaults();
    struct attend_settings *settings;
    assert_int_equal(attend_settings_new(&settings, err), ATTEND_OK);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        assert_int_equal(attend_settings_add(settings, "", tables[i], &options, err), ATTEND_OK);
    for (; (*pairs)[0]; pairs++)
        assert_int_equal(attend_settings_set(settings, (*pairs)[0], (*pairs)[1], err), ATTEND_OK);
    const enum attend_status status = attend_aligner_open(out, &options, err);
    attend_settings_free(settings);
    return status;
}

static const char *const lines[3] = {"0-0 1-1", "1-1 2-2", "1-1 2p2 3-3"};

TEST(aligner_gives_every_pair_and_then_nothing_more)
{
    enum { PAIRS = 1030 }; /* several blocks */
    struct attend_aligner *aligner;
    struct attend_error err = {.message = ""};
    const char *links;
    write_files(lines, PAIRS);
    assert_int_equal(
        open_aligner(&aligner,
                     (const char *const[][2]){{"links", name[0]}, {"reverse-links", name[1]}, {0}},
                     &err),
        ATTEND_OK);
    for (int i = 0; i < PAIRS; i++) {
        assert_int_equal(attend_aligner_next(aligner, &links, &err), ATTEND_OK);
        assert_string_equal(links, "0-0 1-1 2-2");
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(attend_aligner_next(aligner, &links, &err), ATTEND_OK);
        assert_null(links);
    }
    struct attend_aer aer;
    assert_int_equal(attend_aligner_judge(aligner, &aer, &err), ATTEND_USAGE);
    attend_aligner_close(aligner);
    remove_files();
}

TEST(aligner_judges_what_is_left)
{
    struct attend_aligner *aligner;
    struct attend_error err = {.message = ""};
    struct attend_aer aer;
    const char *links;
    write_files(lines, 600);
    assert_int_equal(
        open_aligner(&aligner,
                     (const char *const[][2]){
                         {"reverse-links", name[1]}, {"gold", name[2]}, {"gold-base", "1"}, {0}},
                     &err),
        ATTEND_OK);
    assert_int_equal(attend_aligner_next(aligner, &links, &err), ATTEND_OK);
    assert_string_equal(links, "1-1 2-2");
    assert_int_equal(attend_aligner_judge(aligner, &aer, &err), ATTEND_OK);
    /* A pair has two links: one is sure in the gold, both are possible. The gold has two sure
     * links. */
    assert_int_equal(aer.links, 2 * 599);
    assert_near(aer.rate, 1 - 3.0 / 4, 1e-12);
    assert_near(aer.precision, 1, 1e-12);
    assert_near(aer.recall, 0.5, 1e-12);
    attend_aligner_close(aligner);
    remove_files();
}

TEST(aligner_names_the_line_of_the_file)
{
    struct attend_aligner *aligner;
    struct attend_error err = {.message = ""};
    const char *links;
    enum attend_status status;
    write_files(lines, 600);
    FILE *file = fopen(name[0], "a");
    assert_non_null(file);
    fprintf(file, "0-0\n1-\n");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(
        open_aligner(&aligner, (const char *const[][2]){{"links", name[0]}, {0}}, &err), ATTEND_OK);
    do
        status = attend_aligner_next(aligner, &links, &err);
    while (!status && links);
    assert_int_equal(status, ATTEND_DATA);
    assert_null(links);
    assert_non_null(strstr(err.message, ":602: '1-' is not a link"));
    attend_aligner_close(aligner);
    remove_files();
}

TEST(aligner_refuses_settings_that_do_not_go_together)
{
    struct attend_aligner *aligner = NULL;
    struct attend_error err;
    assert_int_equal(open_aligner(&aligner, (const char *const[][2]){{0}}, &err), ATTEND_USAGE);
    assert_int_equal(
        open_aligner(&aligner, (const char *const[][2]){{"links", "a"}, {"model", "b"}, {0}}, &err),
        ATTEND_USAGE);
    assert_int_equal(
        open_aligner(&aligner, (const char *const[][2]){{"links", "no such file"}, {0}}, &err),
        ATTEND_IO);
    assert_null(aligner);
    attend_aligner_close(NULL);
}
