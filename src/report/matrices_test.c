/* Matrix files: both formats give the same matrices, and inconsistent files are refused. */
#include "attend/matrix.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Reading a text ---- */

struct reading {
    struct attend_matrices list;
    enum attend_status status;
    struct attend_error err;
    char path[64];
};

static struct reading read_all(const char *text)
{
    struct reading r = {.path = "/tmp/attend-matrices-XXXXXX"};
    struct attend_matrix_file *file;
    const int handle = mkstemp(r.path);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, text, strlen(text)), (ssize_t)strlen(text));
    close(handle);
    assert_int_equal(attend_matrix_file_open(&file, r.path, &r.err), ATTEND_OK);
    for (int before = -1; !r.status && before < r.list.count;) {
        before = r.list.count;
        r.status = attend_matrix_file_next(file, &r.list, &r.err);
    }
    attend_matrix_file_close(file);
    unlink(r.path);
    return r;
}

/* Checks that the text is refused with file, line and reason. */
static void assert_refused(const char *text, long line, const char *reason)
{
    struct reading r = read_all(text);
    char wanted[400];
    snprintf(wanted, sizeof wanted, "%s%s", r.path, reason);
    if (line)
        snprintf(wanted, sizeof wanted, "%s:%ld: %s", r.path, line, reason);
    if (r.status != ATTEND_FORMAT && r.status != ATTEND_DATA)
        fail_msg("'%s' was read", text);
    if (!strstr(r.err.message, wanted))
        fail_msg("'%s' is not in '%s'", wanted, r.err.message);
    attend_matrices_release(&r.list);
}

/* ---- Files written by the library ---- */

static char *words[] = {"ein", "\"Hund\"", "</s>"};
static char *first[] = {"un", "chien", "</s>"}, *second[] = {"chien"};
static float weight[] = {0.5f, 0.25f, 0.25f, 0.125f, 0.75f, 0.125f, 0, 0, 1};
static float scores[] = {-1, -1, -1};
static struct attend_translation other = {.text = "chien",
                                          .target = second,
                                          .target_count = 1,
                                          .attention = weight + 3,
                                          .token_score = scores};
static const struct attend_translation sample = {.text = "un chien",
                                                 .complete = true,
                                                 .source = words,
                                                 .source_count = 3,
                                                 .target = first,
                                                 .target_count = 3,
                                                 .attention = weight,
                                                 .token_score = scores,
                                                 .other = &other,
                                                 .others = 1};

static void assert_same(const struct attend_matrix *m, int hypothesis)
{
    const struct attend_matrix want = attend_matrix_of(&sample, hypothesis, -1);
    assert_int_equal(m->source_count, want.source_count);
    assert_int_equal(m->target_count, want.target_count);
    for (int j = 0; j < m->source_count; j++)
        assert_string_equal(m->source[j], want.source[j]);
    for (int i = 0; i < m->target_count; i++)
        assert_string_equal(m->target[i], want.target[i]);
    assert_memory_equal(m->weight, want.weight,
                        (size_t)(m->source_count * m->target_count) * sizeof(float));
}

static void assert_round_trip(const char *text)
{
    struct reading r = read_all(text);
    assert_int_equal(r.status, ATTEND_OK);
    assert_int_equal(r.list.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_same(&r.list.item[i], i % 2);
        assert_int_equal(r.list.number[i], 1 + i / 2);
    }
    attend_matrices_release(&r.list);
}

TEST(matrices_come_back_from_json)
{
    char *line = attend_translation_json(&sample), text[2000];
    snprintf(text, sizeof text, "%s\n\n%s", line, line);
    assert_round_trip(text);
    attend_text_free(line);
}

TEST(matrices_come_back_from_their_own_json)
{
    struct attend_matrix m = attend_matrix_of(&sample, 0, -1);
    m.title = "\"x\"";
    char *line = attend_matrix_json(&m);
    struct reading r = read_all(line);
    assert_non_null(strstr(line, "{\"title\":\"\\\"x\\\"\",\"source\":["));
    assert_int_equal(r.list.count, 1);
    assert_same(&r.list.item[0], 0);
    attend_matrices_release(&r.list);
    attend_text_free(line);
}

TEST(matrices_of_frames_have_numbers_for_words)
{
    static const char *const word[] = {"a"};
    static const float share[] = {0.25f, 0.75f};
    const struct attend_frames_view view = {.rows = 2};
    const struct attend_matrix m = {
        .target = word, .source_count = 2, .target_count = 1, .weight = share, .frames = &view};
    char *line = attend_matrix_json(&m);
    assert_string_equal(
        line, "{\"source\":[\"0\",\"1\"],\"target\":[\"a\"],\"attention\":[[0.25,0.75]]}");
    attend_text_free(line);
}

TEST(matrices_come_back_from_the_form_of_nematus)
{
    char *a = attend_translation_matrix(&sample, 0), *b = attend_translation_matrix(&sample, 1);
    char text[2000];
    snprintf(text, sizeof text, "%s%s", a, b);
    assert_round_trip(text);
    attend_text_free(a);
    attend_text_free(b);
}

TEST(matrices_of_empty_lines_are_empty)
{
    const struct attend_translation none = {.text = "", .complete = true};
    char *json = attend_translation_json(&none), *soft = attend_translation_matrix(&none, 0);
    struct reading a = read_all(json), b = read_all(soft), c = read_all(""), d = read_all("\n \n");
    assert_int_equal(a.list.count, 1);
    assert_int_equal(a.list.item[0].source_count + a.list.item[0].target_count, 0);
    assert_int_equal(b.list.count, 1);
    assert_int_equal(b.list.item[0].source_count + b.list.item[0].target_count, 0);
    assert_int_equal(c.status + d.status + c.list.count + d.list.count, 0);
    attend_matrices_release(&a.list);
    attend_matrices_release(&b.list);
    attend_text_free(json);
    attend_text_free(soft);
}

/* ---- Files written by other programs ---- */

TEST(matrices_need_not_be_normalized)
{
    struct reading r = read_all("{\"target\":[\"x\"],\"attention\":[[7,-1e3]],\"more\":{},"
                                "\"source\":[\"a\",\"b\"]}\n");
    assert_int_equal(r.status, ATTEND_OK);
    assert_near((double)r.list.item[0].weight[0], 7, 0);
    assert_near((double)r.list.item[0].weight[1], -1000, 0);
    attend_matrices_release(&r.list);
    r = read_all("17 ||| x ||| 0 ||| a b ||| 2 1\n7\t3 \n"); /* no </s>, no empty line */
    assert_int_equal(r.status, ATTEND_OK);
    assert_int_equal(r.list.item[0].source_count, 2);
    assert_near((double)r.list.item[0].weight[1], 3, 0);
    attend_matrices_release(&r.list);
}

#define WORDS "{\"source\":[\"a\",\"b\"],\"target\":[\"x\"],\"attention\":"
TEST(matrices_json_that_does_not_fit_is_refused_with_its_line)
{
    assert_refused(WORDS "[[1,0]]}\n" WORDS "[[1]]}\n", 2,
                   "row 1 of \"attention\" has 1 weights for 2 source words");
    assert_refused(WORDS "[[1,0],[0,1]]}\n", 1, "\"attention\" has 2 rows for 1 target words");
    assert_refused(WORDS "[[1,\"0\"]]}\n", 1, "weight 2 in row 1 of \"attention\" is not a number");
    assert_refused(WORDS "[[1,1e39]]}\n", 1, "weight 2 in row 1 of \"attention\" is not a number");
    assert_refused(WORDS "[7]}\n", 1, "row 1 of \"attention\" is not an array");
    assert_refused(WORDS "null}\n", 1, "\"attention\" is not an array of rows");
    assert_refused("{\"source\":[\"a\",1],\"target\":[]}\n", 1,
                   "word 2 of \"source\" is not a text");
    assert_refused("{\"source\":[\"a\"]}\n", 1, "\"target\" is not an array of words");
    assert_refused("\n{\"a\":1}\n", 2, "\"source\" is not an array of words");
    assert_refused("{\"source\":[\n", 0, ":1 is not JSON");
    assert_refused(WORDS "[[1,0]],\"alternatives\":[{\"target\":[\"y\"],\"attention\":[[1]]}]}\n",
                   1, "row 1 of \"attention\" has 1 weights");
}

TEST(matrices_of_nematus_that_do_not_fit_are_refused_with_their_line)
{
    assert_refused("0 ||| x ||| 0 ||| a b ||| 2 1\n1 0\n\n1 ||| x ||| 0 ||| a b ||| 2 1\n1\n", 5,
                   "row 1 has fewer than 2 weights");
    assert_refused("0 ||| x ||| 0 ||| a b ||| 2 1\n1 0 0\n", 2, "row 1 has more than 2 weights");
    assert_refused("0 ||| x ||| 0 ||| a b ||| 2 1\n1 zero\n", 2,
                   "weight 2 of row 1 is not a number");
    assert_refused("0 ||| x ||| 0 ||| a b ||| 2 1\n1 nan\n", 2,
                   "weight 2 of row 1 is not a number");
    assert_refused("0 ||| x ||| 0 ||| a b ||| 2 2\n1 0\n", 0,
                   ": ends after row 1 of a matrix that has 2 rows");
    assert_refused("0 ||| x ||| 0 ||| a b ||| 2 1\n1 0\n0 1\n", 3, "expected a header");
    assert_refused("0 ||| x ||| 0 ||| a b ||| 5 1\n", 1,
                   "the header says more words than its text has");
    assert_refused("0 ||| x ||| 0 ||| a long ||| 4 1\n", 1,
                   "the header says 4 source words, but its text has 2");
    assert_refused("0 ||| x ||| 0 ||| a b ||| 2 one\n", 1,
                   "the header does not end in two lengths");
    assert_refused("0 ||| x ||| a b\n", 1, "a header needs five fields");
    assert_refused("mai ghar\n", 1, "neither JSON");
    assert_refused("0 ||| \xff ||| 0 ||| a b ||| 2 1\n", 0, ":1");
}

/* ---- Lists ---- */

TEST(matrices_add_copies_everything)
{
    char source[] = "a", target[] = "x", title[] = "head 1";
    const char *const s[] = {source}, *const t[] = {target};
    float a[] = {1};
    struct attend_matrices list = {0};
    for (int i = 0; i < 100; i++)
        assert_int_equal(attend_matrices_add(
                             &list, &(struct attend_matrix){title, s, t, 1, 1, a, NULL}, i, NULL),
                         ATTEND_OK);
    source[0] = target[0] = title[0] = '?';
    a[0] = 0;
    assert_int_equal(list.count, 100);
    assert_string_equal(list.item[99].title, "head 1");
    assert_string_equal(list.item[99].source[0], "a");
    assert_string_equal(list.item[99].target[0], "x");
    assert_near((double)list.item[99].weight[0], 1, 0);
    assert_int_equal(list.number[99], 99);
    attend_matrices_release(&list);
    assert_int_equal(list.count, 0);
}

TEST(matrices_scale_brings_large_weights_to_one_and_leaves_others)
{
    const char *const s[] = {"a", "b"}, *const t[] = {"x"};
    const float large[] = {4, 1}, small[] = {0.5f, 0.25f};
    struct attend_matrices list = {0};
    attend_matrices_add(&list, &(struct attend_matrix){NULL, s, t, 2, 1, large, NULL}, 1, NULL);
    attend_matrices_add(&list, &(struct attend_matrix){NULL, s, t, 2, 1, small, NULL}, 2, NULL);
    attend_matrices_scale(&list);
    assert_near((double)list.item[0].weight[0], 1, 0);
    assert_near((double)list.item[0].weight[1], 0.25, 0);
    assert_memory_equal(list.item[1].weight, small, sizeof small);
    attend_matrices_release(&list);
}

TEST(matrix_of_a_head_is_its_part_of_the_block)
{
    float heads[] = {1, 2, 3, 4};
    char *source[] = {"a", "b"}, *target[] = {"x"};
    struct attend_translation t = {.source = source,
                                   .source_count = 2,
                                   .target = target,
                                   .target_count = 1,
                                   .head_attention = heads,
                                   .heads = 2};
    assert_ptr_equal(attend_matrix_of(&t, 0, 1).weight, heads + 2);
    assert_int_equal(attend_matrix_of(&t, 0, -1).target_count, 0);
}

TEST(matrices_add_copies_frames)
{
    const char *const t[] = {"x"};
    float half[] = {0.5f, 0.5f}, value[] = {1, 2, 3, 4, 5, 6};
    struct attend_frames_view view = {
        .kind = ATTEND_FRAMES_INK, .rows = 2, .width = 3, .value = value, .stride = 1};
    struct attend_matrices list = {0};
    const struct attend_matrix matrix = {
        .target = t, .source_count = 2, .target_count = 1, .weight = half, .frames = &view};
    assert_int_equal(attend_matrices_add(&list, &matrix, 1, NULL), ATTEND_OK);
    value[5] = 0;
    view.rows = 0;
    assert_null(list.item[0].source);
    assert_int_equal(list.item[0].frames->rows, 2);
    assert_near((double)list.item[0].frames->value[5], 6, 0);
    attend_matrices_release(&list);
}

/* ---- Traces ---- */

TEST(matrix_of_a_trace_has_its_tokens_as_rows_and_its_strokes_as_columns)
{
    static const char *const tokens[] = {"4", "</s>"};
    static const float stroke[] = {0, 0, 0, 0.1f, -0.2f, 0, 0.3f, 0, 1};
    static const float weights[] = {0.9f, 0.1f, 0.6f, 0.4f, 0.2f, 0.8f};
    struct attend_trace trace = {
        .source = tokens, .source_count = 2, .count = 3, .stroke = stroke, .weight = weights};
    struct attend_matrices list = {0};
    struct attend_error err;
    assert_int_equal(attend_matrices_add_trace(&list, &trace, 7, &err), ATTEND_OK);
    trace.weight = NULL;
    assert_int_equal(attend_matrices_add_trace(&list, &trace, 8, &err), ATTEND_OK);
    const struct attend_matrix *m = &list.item[0];
    assert_int_equal(m->target_count, 2);
    assert_int_equal(m->source_count, 3);
    for (int t = 0; t < 2; t++)
        for (int s = 0; s < 3; s++)
            assert_true(m->weight[t * 3 + s] == weights[s * 2 + t]);
    assert_string_equal(m->target[0], "4");
    assert_int_equal(m->frames->kind, ATTEND_FRAMES_INK);
    assert_memory_equal(m->frames->value, stroke, sizeof stroke);
    assert_int_equal(list.number[0], 7);
    assert_int_equal(list.item[1].target_count, 0);
    attend_matrices_release(&list);
}
