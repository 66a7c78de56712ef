#include "attend/translate.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

/* Two source words, two target words, and a second hypothesis that reached the length limit. */
static char *source[] = {"ein", "Haus", "</s>"}, *target[] = {"a", "x y", "</s>"},
            *second[] = {"\"b\""};
static float weight[] = {0.75f, 0.25f, 0, 0.125f, 0.5f, 0.375f, 0, 0, 1};
static float score[] = {-0.5f, -1, -0.25f}, second_weight[] = {0.25f, 0.75f, 0};

static struct attend_translation sample(void)
{
    return (struct attend_translation){.text = "a x y",
                                       .score = -0.875,
                                       .log_probability = -1.75,
                                       .complete = true,
                                       .source_count = 3,
                                       .target_count = 3,
                                       .source = source,
                                       .target = target,
                                       .token_score = score,
                                       .attention = weight,
                                       .confidence = 0.75f,
                                       .share = 0.875f};
}

static struct attend_translation other(void)
{
    return (struct attend_translation){.text = "\"b\"",
                                       .score = -2,
                                       .log_probability = -4,
                                       .target_count = 1,
                                       .target = second,
                                       .attention = second_weight};
}

static void assert_text(char *got, const char *want)
{
    assert_non_null(got);
    assert_string_equal(got, want);
    attend_text_free(got);
}

TEST(translation_line_has_the_parts_asked_for)
{
    const struct attend_translation t = sample(), o = other();
    assert_text(attend_translation_line(&t, 0), "a x y");
    assert_text(attend_translation_line(&t, ATTEND_LINE_PIECES), "a x\xE2\x96\x81y");
    assert_text(attend_translation_line(&t, ATTEND_LINE_SCORES | ATTEND_LINE_LINKS),
                "a x y\t-0.875000\t-1.750000 ||| 0-0 1-1");
    assert_text(attend_translation_pieces(&t), "a x\xE2\x96\x81y");
    assert_text(attend_translation_pieces(&o), "\"b\"");
}

TEST(translation_json_holds_everything)
{
    struct attend_translation t = sample(), o = other();
    assert_text(attend_translation_json(&t),
                "{\"source\":[\"ein\",\"Haus\",\"</s>\"],\"target\":[\"a\",\"x y\",\"</s>\"],"
                "\"text\":\"a x y\",\"attention\":[[0.75,0.25,0],[0.125,0.5,0.375],[0,0,1]],"
                "\"score\":-0.875,\"log_probability\":-1.75,\"token_scores\":[-0.5,-1,-0.25],"
                "\"probability\":0.173773943,\"confidence\":0.75}");
    static float copied[] = {0.5f, 0, 1};
    t.copied = copied;
    t.other = &o;
    t.others = 1;
    char *text = attend_translation_json(&t);
    assert_non_null(strstr(text, "\"token_scores\":[-0.5,-1,-0.25],\"probability\":0.173773943,"
                                 "\"confidence\":0.75,\"copied\":[0.5,0,1],"));
    assert_non_null(strstr(text,
                           ",\"alternatives\":[{\"target\":[\"\\\"b\\\"\"],\"text\":\"\\\"b\\\"\","
                           "\"attention\":[[0.25,0.75,0]],\"score\":-2,\"log_probability\":-4,"
                           "\"token_scores\":null,\"probability\":0.0183156389,"
                           "\"confidence\":0}]}"));
    attend_text_free(text);
}

TEST(translation_probabilities_are_those_of_all_and_of_each_word)
{
    struct attend_translation t = sample(), o = other();
    assert_text(attend_translation_line(&t, ATTEND_LINE_PROBABILITIES),
                "a x y\t0.1738\t0.75\ta=0.6065 x\xE2\x96\x81y=0.3679 </s>=0.7788");
    t.other = &o;
    t.others = 1;
    assert_text(attend_translation_nbest(&t, 7, ATTEND_LINE_PROBABILITIES),
                "7 ||| a x y ||| logprob= -1.750000 length= 3 probability= 0.1738 confidence= 0.75 "
                "share= 0.875 ||| -0.875000 ||| a=0.6065 x\xE2\x96\x81y=0.3679 </s>=0.7788\n"
                "7 ||| \"b\" ||| logprob= -4.000000 length= 1 probability= 0.01832 confidence= 0 "
                "share= 0 ||| -2.000000 ||| \n");
    char *json = attend_translation_json_parts(&t, ATTEND_LINE_PROBABILITIES);
    assert_non_null(strstr(json, "\"confidence\":0.75,\"share\":0.875,\"token_probabilities\":"
                                 "[0.6065307,0.3678794,0.7788008]"));
    attend_text_free(json);
}

TEST(translation_nbest_is_a_line_for_each)
{
    struct attend_translation t = sample(), o = other();
    t.other = &o;
    t.others = 1;
    assert_text(attend_translation_nbest(&t, 7, 0),
                "7 ||| a x y ||| logprob= -1.750000 length= 3 ||| -0.875000\n"
                "7 ||| \"b\" ||| logprob= -4.000000 length= 1 ||| -2.000000\n");
    assert_text(
        attend_translation_nbest(&t, 0, ATTEND_LINE_PIECES | ATTEND_LINE_LINKS),
        "0 ||| a x\xE2\x96\x81y ||| logprob= -1.750000 length= 3 ||| -0.875000 ||| 0-0 1-1\n"
        "0 ||| \"b\" ||| logprob= -4.000000 length= 1 ||| -2.000000 ||| 1-0\n");
}

/* Rows are target words, columns are source words. The header counts </s> but does not show it. */
TEST(translation_matrix_is_what_nematus_writes)
{
    const struct attend_translation t = sample();
    assert_text(attend_translation_matrix(&t, 3),
                "3 ||| a x\xE2\x96\x81y ||| -0.875000 ||| ein Haus ||| 3 3\n"
                "0.75 0.25 0\n0.125 0.5 0.375\n0 0 1\n\n");
}

TEST(translation_of_nothing_has_every_form)
{
    const struct attend_translation t = {.text = "", .complete = true};
    assert_text(attend_translation_line(&t, ATTEND_LINE_LINKS | ATTEND_LINE_PIECES), " ||| ");
    assert_text(attend_translation_json(&t),
                "{\"source\":[],\"target\":[],\"text\":\"\",\"attention\":null,\"score\":0,"
                "\"log_probability\":0,\"token_scores\":null,\"probability\":1,\"confidence\":0}");
    assert_text(attend_translation_matrix(&t, 0), "0 |||  ||| 0.000000 |||  ||| 0 0\n\n");
    assert_text(attend_translation_nbest(&t, 0, 0),
                "0 |||  ||| logprob= 0.000000 length= 0 ||| 0.000000\n");
}

TEST(request_takes_source_and_prefix)
{
    struct attend_request r;
    assert_int_equal(attend_request_parse(&r, "{\"id\":1,\"source\":\"a \\u00e9\"}", "in:1", NULL),
                     ATTEND_OK);
    assert_string_equal(r.source, "a \xC3\xA9");
    assert_null(r.prefix);
    attend_request_release(&r);
    assert_int_equal(
        attend_request_parse(&r, "{\"source\":\"a\",\"prefix\":\"b c\"}", "in:1", NULL), ATTEND_OK);
    assert_string_equal(r.prefix, "b c");
    attend_request_release(&r);
}

TEST(request_says_what_is_wrong)
{
    static const char *const row[][2] = {
        {"{\"text\":\"a\"}", "in:4: has no \"source\""},
        {"{\"source\":1}", "in:4: \"source\" is not a text"},
        {"{\"source\":\"a\\nb\"}", "in:4: \"source\" holds a line end; ask for one line at a time"},
        {"[]", "in:4 is not a JSON object"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct attend_request r;
        struct attend_error err = {.message = ""};
        assert_int_not_equal(attend_request_parse(&r, row[i][0], "in:4", &err), ATTEND_OK);
        assert_string_equal(err.message, row[i][1]);
    }
}
