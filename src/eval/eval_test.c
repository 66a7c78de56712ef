#include "test.h"

#include "attend/eval.h"
#include "attend/settings.h"
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

/* Options, and the settings that own their texts. */
struct wanted {
    struct attend_eval_options options;
    struct attend_settings *settings;
};

static struct wanted *settings(const char *const (*pairs)[2])
{
    static struct wanted w;
    struct attend_error err = {.message = ""};
    w.options = attend_eval_defaults();
    assert_int_equal(attend_settings_new(&w.settings, &err), ATTEND_OK);
    attend_settings_add(w.settings, "", ATTEND_TABLE_EVAL, &w.options, &err);
    attend_settings_add(w.settings, "", ATTEND_TABLE_METRICS, &w.options, &err);
    for (; (*pairs)[0]; pairs++)
        if (attend_settings_set(w.settings, (*pairs)[0], (*pairs)[1], &err))
            fail_msg("%s", err.message);
    return &w;
}

/* ---- Scores ---- */

TEST(eval_scores_come_in_the_order_asked_for)
{
    struct attend_evaluation *scores;
    struct attend_error err = {.message = ""};
    make_files("");
    struct wanted *o = settings(
        (const char *const[][2]){{"hyp", one}, {"ref", ref}, {"metric", "wer,accuracy,wer"}, {0}});
    assert_int_equal(attend_evaluate(&scores, &o->options, &err), ATTEND_OK);
    assert_int_equal(scores->count, 2);
    assert_int_equal(scores->lines, 6);
    assert_string_equal(scores->item[0].metric, "wer");
    assert_true(scores->item[0].lower_is_better);
    assert_string_equal(scores->item[1].label, "accuracy");
    assert_near(scores->item[0].score, 50, 1e-12);
    assert_near(scores->item[1].score, 50, 1e-12);
    assert_false(scores->compared || scores->confidence);
    char *json = attend_evaluation_json(scores);
    assert_memory_equal(json, "{\"metrics\":{\"wer\":{\"score\":50,\"signature\":\"nrefs:1|", 49);
    free(json);
    attend_evaluation_free(scores);
    attend_settings_free(o->settings);
    remove_files();
}

TEST(eval_scores_compare_and_say_how_sure)
{
    struct attend_evaluation *scores;
    struct attend_error err = {.message = ""};
    make_files("");
    struct wanted *o = settings((const char *const[][2]){{"hyp", two},
                                                         {"compare", one},
                                                         {"ref", ref},
                                                         {"confidence", "true"},
                                                         {"resamples", "200"},
                                                         {0}});
    assert_int_equal(attend_evaluate(&scores, &o->options, &err), ATTEND_OK);
    const struct attend_metric_result *s = &scores->item[0];
    assert_near(s->score, 400.0 / 6, 1e-12);
    assert_near(s->other, 50, 1e-12);
    assert_true(s->low < s->score && s->score < s->high && s->p > 0.05 && s->p < 0.6);
    assert_non_null(strstr(s->signature, "|bs:200|seed:12345|"));
    char *json = attend_evaluation_json(scores);
    assert_non_null(strstr(json, "\"confidence\":{\"mean\":"));
    assert_non_null(strstr(json, "\"compare\":{\"score\":50,\"p\":0."));
    free(json);
    attend_evaluation_free(scores);
    attend_settings_free(o->settings);
    remove_files();
}

static double accuracy(const char *const (*pairs)[2], const char *signature)
{
    struct attend_evaluation *scores;
    struct attend_error err = {.message = ""};
    struct wanted *o = settings(pairs);
    attend_evaluate(&scores, &o->options, &err);
    assert_string_equal(err.message, "");
    const double score = scores->item[0].score;
    if (strncmp(scores->item[0].signature, signature, strlen(signature)) != 0)
        fail_msg("%s", scores->item[0].signature);
    attend_evaluation_free(scores);
    attend_settings_free(o->settings);
    return score;
}

TEST(eval_several_references_and_answers_are_all_accepted)
{
    make_files("x\nx\nx\nd\n\nx\n"); /* a second reference, which matches two lines of `one` */
    assert_near(accuracy((const char *const[][2]){{"hyp", one}, {"ref", ref}, {"ref", one}, {0}},
                         "nrefs:2|"),
                100, 1e-12);
    assert_near(accuracy((const char *const[][2]){{"hyp", one}, {"ref", ref}, {"ref", src}, {0}},
                         "nrefs:var|"),
                400.0 / 6, 1e-12);
    write_file(src, "1\ta\n2\tq\tb\n3\tq\n3\tc\n4\td\n5\te\n6\t\tx\t\n");
    assert_near(
        accuracy((const char *const[][2]){{"hyp", one}, {"answers", src}, {0}}, "nrefs:var|"),
        400.0 / 6, 1e-12);
    remove_files();
}

TEST(eval_refuses_what_it_cannot_judge)
{
    static const struct {
        const char *metric, *answers, *says;
    } cases[] = {
        {"bleu,blue", NULL,
         "there is no metric 'blue'; known are bleu, chrf, chrf++, ter, accuracy"},
        {"bleu,", NULL, "there is no metric ''"},
        {"bleu", "1\ta\n2\tb\n", "has 6 lines and "},
        {"bleu", "1\ta\n2\tb\n", "answers 2 items: they must pair in order"},
        {"bleu", "1\ta\n2 b\n", ":2: no tab; write item<TAB>answer"},
        {"bleu", "1\ta\n2\tb\xff\n", ":2: invalid UTF-8 at byte 4"},
    };
    make_files("");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct attend_evaluation *scores = NULL;
        struct attend_error err = {.message = ""};
        write_file(src, cases[i].answers ? cases[i].answers : "");
        struct wanted *o = settings((const char *const[][2]){
            {"hyp", one},
            {"metric", cases[i].metric},
            {cases[i].answers ? "answers" : "ref", cases[i].answers ? src : ref},
            {0}});
        assert_int_not_equal(attend_evaluate(&scores, &o->options, &err), ATTEND_OK);
        if (!strstr(err.message, cases[i].says))
            fail_msg("'%s' is not in '%s'", cases[i].says, err.message);
        assert_null(scores);
        attend_settings_free(o->settings);
    }
    remove_files();
}

/* ---- By length ---- */

static void assert_row(const struct attend_length_row *row, const int range[2], long lines,
                       const double score[2])
{
    assert_int_equal(row->from, range[0]);
    assert_int_equal(row->to, range[1]);
    assert_int_equal(row->lines, lines);
    assert_near(row->score[0], score[0], 1e-12);
    assert_near(row->score[1], score[1], 1e-12);
}

TEST(eval_by_length_groups_lines_by_their_source_words)
{
    struct attend_length_table *table;
    struct attend_error err;
    make_files("v\n v  w\t\nv w x\n\nv w x y\n1 2 3 4 5 6 7\n");
    struct wanted *o = settings((const char *const[][2]){
        {"hyp", one}, {"compare", two}, {"ref", ref}, {"src", src}, {"by-length", "2"}, {0}});
    assert_int_equal(attend_eval_by_length(&table, &o->options, &err), ATTEND_OK);
    assert_int_equal(table->count, 4); /* 5-6 has no line */
    assert_row(&table->row[0], (const int[]){0, 0}, 1, (const double[]){0, 100});
    assert_row(&table->row[1], (const int[]){1, 2}, 2, (const double[]){100, 50});
    assert_row(&table->row[2], (const int[]){3, 4}, 2, (const double[]){50, 50});
    assert_row(&table->row[3], (const int[]){7, 8}, 1, (const double[]){0, 100});
    assert_row(&table->all, (const int[]){0, 0}, 6, (const double[]){50, 400.0 / 6});
    const char *const labels[] = {"one", "two"};
    struct attend_picture *picture =
        attend_picture_by_length(table, labels, &(struct attend_style){0});
    assert_non_null(picture);
    char *svg = attend_picture_svg(picture);
    attend_picture_free(picture);
    assert_non_null(strstr(svg, "one: 1.5, 100.00</title>"));
    assert_non_null(strstr(svg, "two: 3.5, 50.00</title>"));
    assert_non_null(strstr(svg, ">accuracy (%)</text>"));
    free(svg);
    attend_length_table_free(table);
    attend_settings_free(o->settings);
    remove_files();
}

TEST(eval_by_length_refuses_what_does_not_pair)
{
    static const struct {
        const char *metric, *width;
        enum attend_status status;
        const char *says;
    } cases[] = {
        {"bleu", "2", ATTEND_DATA, "they must pair line for line"},
        {"bleu,ter", "2", ATTEND_USAGE, "takes one metric"},
        {"bleu", "0", ATTEND_USAGE, "needs `src` and `by_length`"},
    };
    make_files("only\nthree\nlines\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct attend_length_table *table = NULL;
        struct attend_error err;
        struct wanted *o = settings((const char *const[][2]){{"hyp", one},
                                                             {"ref", ref},
                                                             {"src", src},
                                                             {"metric", cases[i].metric},
                                                             {"by-length", cases[i].width},
                                                             {0}});
        assert_int_equal(attend_eval_by_length(&table, &o->options, &err), cases[i].status);
        assert_non_null(strstr(err.message, cases[i].says));
        assert_null(table);
        attend_settings_free(o->settings);
    }
    remove_files();
}
