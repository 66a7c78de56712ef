#include "test.h"

#include "attend/eval_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char file[3][32];

/* Write a temporary file; `at` is its place in `file`. */
static const char *make(int at, const char *text)
{
    snprintf(file[at], sizeof file[at], "eval_set_test.XXXXXX");
    const int fd = mkstemp(file[at]);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(close(fd), 0);
    return file[at];
}

static void remove_files(int count)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(unlink(file[i]), 0);
}

static struct attend_eval_set *load(const char *output, const char *reference,
                                    struct attend_eval_options o)
{
    struct attend_eval_set *set = NULL;
    struct attend_error err = {.message = ""};
    const char *const refs[] = {make(1, reference), NULL};
    o.hyp = make(0, output);
    o.ref = refs;
    attend_eval_set_load(&set, &o, &err);
    assert_string_equal(err.message, "");
    remove_files(2);
    return set;
}

/* ---- A table ---- */

TEST(eval_set_rows_of_one_source_are_answers)
{
    struct attend_eval_set *set;
    struct attend_error err = {.message = ""};
    struct attend_eval_options o = attend_eval_defaults();
    o.test = make(0, "form\tnote\tword\nx y\t-\tone\n\nz\t-\tone\nq\t-\ttwo\nx y\t-\tone\n");
    o.header = true;
    o.columns = "word,form";
    assert_int_equal(attend_eval_set_ask(&set, &o, &err), ATTEND_OK);
    remove_files(1);
    assert_int_equal(attend_eval_set_count(set), 3);
    assert_string_equal(attend_eval_set_source(set, 0), "one");
    assert_string_equal(attend_eval_set_source(set, 1), "two");
    assert_int_equal(attend_eval_set_number(set, 0), 2);
    assert_int_equal(attend_eval_set_number(set, 1), 5);
    assert_int_equal(attend_eval_set_answer(set, 0, "z", &err), ATTEND_OK);
    assert_int_equal(attend_eval_set_answer(set, 1, "x", &err), ATTEND_OK);
    assert_int_equal(attend_eval_set_answer(set, 2, "z", &err), ATTEND_OK);
    assert_int_equal(attend_eval_set_right(set, 0), 1);
    assert_int_equal(attend_eval_set_right(set, 1), 0);
    assert_int_equal(attend_eval_set_right(set, 2), 0);
    struct attend_evaluation *scores;
    assert_int_equal(attend_eval_set_scores(&scores, set, &err), ATTEND_OK);
    assert_near(scores->item[0].score, 100.0 / 3, 1e-12);
    attend_evaluation_free(scores);
    attend_eval_set_free(set);
}

TEST(eval_set_features_become_part_of_the_source)
{
    struct attend_eval_set *set;
    struct attend_error err = {.message = ""};
    struct attend_eval_options o = attend_eval_defaults();
    o.test = make(0, "go\twent\tV;PST\ngo\tgoes\tV;3\ngo\tgoeth\tV;3\n");
    o.columns = "src,tgt,tags";
    o.features = "tags";
    assert_int_equal(attend_eval_set_ask(&set, &o, &err), ATTEND_OK);
    remove_files(1);
    assert_int_equal(attend_eval_set_count(set), 2);
    assert_string_equal(attend_eval_set_source(set, 0), "go\tV;PST");
    assert_string_equal(attend_eval_set_source(set, 1), "go\tV;3");
    attend_eval_set_free(set);
}

TEST(eval_set_refuses_what_it_cannot_ask)
{
    static const struct {
        const char *table, *columns, *says;
    } cases[] = {
        {"a\tb\nc\n", NULL, ":2: has 1 column and needs 2; put a TAB between columns"},
        {"a\tb\n \tc\n", NULL, ":2: the source is empty"},
        {"a\tb\nc\t\n", NULL, ":2: the target is empty"},
        {"", NULL, "is empty: there is nothing to translate"},
        {"\n\n", NULL, "is empty: there is nothing to translate"},
        {"a\tb\n", "src", "tgt"},
        {"a\t\xff\n", NULL, ":1: invalid UTF-8 at byte 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct attend_eval_set *set = NULL;
        struct attend_error err = {.message = ""};
        struct attend_eval_options o = attend_eval_defaults();
        o.test = make(0, cases[i].table);
        o.columns = cases[i].columns;
        assert_int_not_equal(attend_eval_set_ask(&set, &o, &err), ATTEND_OK);
        if (!strstr(err.message, cases[i].says))
            fail_msg("'%s' is not in '%s'", cases[i].says, err.message);
        assert_null(set);
        remove_files(1);
    }
}

TEST(eval_set_takes_one_form_of_test)
{
    struct attend_eval_set *set = NULL;
    struct attend_error err = {.message = ""};
    const char *const refs[] = {"r", NULL};
    struct attend_eval_options o = attend_eval_defaults();
    assert_int_equal(attend_eval_set_ask(&set, &o, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "give either `test`, or `src` with"));
    o.test = "t";
    o.ref = refs;
    assert_int_equal(attend_eval_set_ask(&set, &o, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "`test` has the references"));
    o.test = NULL;
    o.src = "s";
    o.header = true;
    assert_int_equal(attend_eval_set_ask(&set, &o, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "go with `test`"));
}

/* ---- Wrong lines ---- */

TEST(eval_set_errors_come_worst_first_with_their_edits)
{
    struct attend_wrong_lines *w;
    struct attend_error err = {.message = ""};
    struct attend_eval_set *set =
        load("a b c d\nx\na b\na c\n", "a b c e\ny\na b\na b c\n", attend_eval_defaults());
    assert_int_equal(attend_eval_set_errors(&w, set, 0, &err), ATTEND_OK);
    assert_int_equal(w->lines, 4);
    assert_int_equal(w->wrong, 3);
    assert_int_equal(w->count, 3);
    assert_false(w->characters);
    assert_int_equal(w->item[0].line, 2); /* 1 of 1, 1 of 3, 1 of 4 */
    assert_int_equal(w->item[1].line, 4);
    assert_int_equal(w->item[2].line, 1);
    assert_int_equal(w->item[1].edit[1].kind, ATTEND_EDIT_DELETED);
    assert_string_equal(w->item[1].edit[1].reference, "b");
    assert_null(w->item[1].edit[1].output);
    char *text = attend_wrong_lines_text(w, false);
    assert_non_null(strstr(text, "3 of 4 lines are wrong; all 3, worst first:\n"));
    assert_non_null(strstr(text, "\nline 1, 1 edit of 4 tokens\n  output  a b c [d]\n"
                                 "  right   a b c [e]\n"));
    free(text);
    text = attend_wrong_lines_text(w, true);
    assert_non_null(strstr(text, "a b c \033[1;31md\033[0m\n"));
    free(text);
    attend_wrong_lines_free(w);
    assert_int_equal(attend_eval_set_errors(&w, set, 1, &err), ATTEND_OK);
    assert_int_equal(w->count, 1);
    assert_int_equal(w->wrong, 3);
    attend_wrong_lines_free(w);
    attend_eval_set_free(set);
}

TEST(eval_set_errors_of_single_words_are_characters)
{
    struct attend_wrong_lines *w;
    struct attend_error err = {.message = ""};
    struct attend_eval_options o = attend_eval_defaults();
    struct attend_eval_set *set = load("huis\nGelopn\n", "huis\ngelopen\n", o);
    assert_int_equal(attend_eval_set_errors(&w, set, 0, &err), ATTEND_OK);
    assert_true(w->characters);
    char *text = attend_wrong_lines_text(w, false);
    assert_non_null(strstr(text, "  output  [G]elopn\n  right   [g]elop[e]n\n"));
    free(text);
    attend_wrong_lines_free(w);
    attend_eval_set_free(set);
    o.symbols = "tokens";
    o.lowercase = true;
    set = load("huis\nGelopn\n", "Huis\ngelopen\n", o);
    assert_int_equal(attend_eval_set_errors(&w, set, 0, &err), ATTEND_OK);
    assert_int_equal(w->wrong, 1);
    assert_int_equal(w->item[0].symbols, 1);
    attend_wrong_lines_free(w);
    attend_eval_set_free(set);
}

TEST(eval_set_texts_are_safe_in_a_terminal)
{
    struct attend_wrong_lines *w;
    struct attend_error err = {.message = ""};
    struct attend_eval_set *set = load("\033[2J a\n", "b a\n", attend_eval_defaults());
    assert_int_equal(attend_eval_set_errors(&w, set, 0, &err), ATTEND_OK);
    char *text = attend_wrong_lines_text(w, false);
    assert_null(strchr(text, '\033'));
    free(text);
    attend_wrong_lines_free(w);
    attend_eval_set_free(set);
}

/* ---- Confusions ---- */

TEST(eval_set_confusions_count_every_edit)
{
    struct attend_confusions *c;
    struct attend_error err = {.message = ""};
    struct attend_eval_set *set = load("k a t\nk o t\na t\nk e t s\n",
                                       "k e t\nk e t\nk e t\nk e t\n", attend_eval_defaults());
    assert_int_equal(attend_eval_set_confusions(&c, set, &err), ATTEND_OK);
    assert_int_equal(c->references, 12);
    assert_int_equal(c->substitutions, 3);
    assert_int_equal(c->deletions, 1);
    assert_int_equal(c->insertions, 1);
    assert_int_equal(c->count, 4);
    assert_string_equal(c->item[0].reference, "e");
    assert_string_equal(c->item[0].output, "a");
    assert_int_equal(c->item[0].count, 2);
    assert_string_equal(c->symbol[0].text, "e");
    assert_int_equal(c->symbol[0].references, 4);
    assert_int_equal(c->symbol[0].same, 1);
    assert_int_equal(c->symbol[0].substituted, 3);
    char *text = attend_confusions_text(c, 1);
    assert_non_null(strstr(text, "3 substitutions, 1 deletions and 1 insertions in 12 tokens\n"));
    assert_non_null(strstr(text, "\ne          a                2   50.00% of 4\n"));
    assert_non_null(strstr(text, "and 3 rarer ones\n"));
    free(text);
    struct attend_picture *picture = attend_picture_confusions(c, &(struct attend_style){0});
    char *svg = attend_picture_svg(picture);
    assert_non_null(strstr(svg, "<title>e became a: 2</title>"));
    assert_non_null(strstr(svg, "<title>e: right 1 of 4 times</title>"));
    assert_non_null(strstr(svg, "<title>k became nothing: 1</title>"));
    assert_non_null(strstr(svg, "<title>nothing became s: 1</title>"));
    free(svg);
    attend_picture_free(picture);
    attend_confusions_free(c);
    attend_eval_set_free(set);
}

TEST(eval_set_without_errors_has_empty_reports)
{
    struct attend_confusions *c;
    struct attend_error err = {.message = ""};
    struct attend_eval_set *set = load("a b\n", "a b\n", attend_eval_defaults());
    assert_int_equal(attend_eval_set_confusions(&c, set, &err), ATTEND_OK);
    assert_int_equal(c->count, 0);
    struct attend_picture *picture = attend_picture_confusions(c, &(struct attend_style){0});
    assert_non_null(picture);
    attend_picture_free(picture);
    attend_confusions_free(c);
    attend_eval_set_free(set);
}

/* ---- Lines ---- */

/* sacreBLEU's sentence_bleu: "a b" against "a b" has only orders 1 and 2, both 1, so 100. "a b c x"
 * against "a b c d": p = 3/4, 2/3, 1/2 and, smoothed, 1/2 of 1; (1/8)^(1/4) = 0.594604. "a x" against "a b": p = 1/2 and,
 * smoothed, 1/2 of 1; (1/4)^(1/2) = 0.5. */
TEST(eval_set_lines_are_scored_as_sacrebleu_does)
{
    struct attend_line_scores *s;
    struct attend_error err = {.message = ""};
    struct attend_eval_options o = attend_eval_defaults();
    o.metric = "bleu,line-error,wer";
    struct attend_eval_set *set = load("a b\na b c x\na x\n", "a b\na b c d\na b\n", o);
    assert_int_equal(attend_eval_set_lines(&s, set, &err), ATTEND_OK);
    assert_int_equal(s->metrics, 3);
    static const double want[3][3] = {{100, 0, 0}, {59.4603557501, 100, 25}, {50, 100, 50}};
    for (int i = 0; i < 3; i++)
        for (int m = 0; m < 3; m++)
            assert_near(s->score[i * 3 + m], want[i][m], 1e-9);
    assert_non_null(strstr(s->signature[0], "|eff:yes|tok:13a|smooth:exp|"));
    char *text = attend_line_scores_text(s);
    assert_string_equal(text, "line\tbleu\tline-error\twer\n1\t100.00\t0.00\t0.00\n"
                              "2\t59.46\t100.00\t25.00\n3\t50.00\t100.00\t50.00\n");
    free(text);
    attend_line_scores_free(s);
    attend_eval_set_free(set);
}

TEST(eval_set_report_is_one_object)
{
    struct attend_wrong_lines *w;
    struct attend_confusions *c;
    struct attend_line_scores *s;
    struct attend_error err = {.message = ""};
    struct attend_eval_set *set = load("a\nc\n", "a\nb\n", attend_eval_defaults());
    assert_int_equal(attend_eval_set_errors(&w, set, 0, &err), ATTEND_OK);
    assert_int_equal(attend_eval_set_confusions(&c, set, &err), ATTEND_OK);
    assert_int_equal(attend_eval_set_lines(&s, set, &err), ATTEND_OK);
    char *json = attend_eval_report_json(
        &(struct attend_eval_report){.errors = w, .confusions = c, .lines = s});
    const char want[] =
        "{\"errors\":{\"lines\":2,\"wrong\":1,\"symbols\":\"characters\",\"worst\":[{\"line\":2,"
        "\"output\":\"c\",\"reference\":\"b\",\"edits\":1,\"symbols\":1,\"alignment\":[{\"kind\":"
        "\"substituted\",\"output\":\"c\",\"reference\":\"b\"}]}]},\"confusions\":{\"symbols\":"
        "\"characters\",\"references\":2,\"substitutions\":1,\"deletions\":0,\"insertions\":0,"
        "\"pairs\":[{\"reference\":\"b\",\"output\":\"c\",\"count\":1}],\"each\":[";
    assert_memory_equal(json, want, sizeof want - 1);
    assert_non_null(strstr(json, "\"lines\":[{\"line\":1,\"accuracy\":100},{\"line\":2,"
                                 "\"accuracy\":0}]}"));
    free(json);
    attend_wrong_lines_free(w);
    attend_confusions_free(c);
    attend_line_scores_free(s);
    attend_eval_set_free(set);
}
