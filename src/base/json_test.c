#include "base/json.h"

#include "base/strbuf.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct json *parse(const char *text)
{
    struct json *j = NULL;
    struct attend_error err = {.message = ""};
    if (json_parse(&j, text, strlen(text), "text", &err))
        fail_msg("%s", err.message);
    return j;
}

static void assert_refused(const char *bytes, size_t length, const char *message)
{
    struct json *j = NULL;
    struct attend_error err = {.message = ""};
    assert_int_equal(json_parse(&j, bytes, length, "a.json: its header", &err), ATTEND_FORMAT);
    assert_null(j);
    if (!strstr(err.message, message))
        fail_msg("'%s' is not in '%s'", message, err.message);
}

/* ---- Reading ---- */

TEST(json_parse_wrong_text_says_what_and_where)
{
    assert_refused("", 0, "a.json: its header is not JSON: ");
    assert_refused("{\"a\":1", 6, "at byte 6");
    assert_refused("{\"a\":1} x", 9, "at byte 9");
    assert_refused("{\"a\":1,\"a\":2}", 13, "duplicate");
    assert_refused("{\"a\":99999999999999999999}", 26, "too big integer");
    assert_refused("{\"a\":\"\xff\"}", 9, "decode byte 0xff");
    assert_refused("{\"a\":\"\\u0000\"}", 14, "\\u0000");
    assert_refused("[1]", 3, "a.json: its header is not a JSON object");
    assert_refused("7", 1, "a.json: its header is not");
}

TEST(json_parse_any_takes_every_kind)
{
    static const char *const texts[] = {"[1]", "7", "null", "\"a\"", "{}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct json *j = NULL;
        assert_int_equal(json_parse_any(&j, texts[i], strlen(texts[i]), "text", NULL), ATTEND_OK);
        assert_int_equal(json_absent(j), i == 2);
        json_free(j);
    }
    struct json *j = NULL;
    assert_int_equal(json_parse_any(&j, "[1", 2, "text", NULL), ATTEND_FORMAT);
    assert_int_equal(json_parse_any(&j, "7 8", 3, "text", NULL), ATTEND_FORMAT);
    assert_true(json_absent(NULL));
}

/* Bytes after `length` must not be read. */
TEST(json_parse_reads_no_further_than_the_length)
{
    struct json *j = NULL;
    const char text[] = {'{', '}', '}'};
    assert_int_equal(json_parse(&j, text, 2, "text", NULL), ATTEND_OK);
    assert_int_equal(json_count(j), 0);
    json_free(j);
    assert_refused(text, 3, "at byte 3");
}

TEST(json_parse_deep_nesting_is_refused)
{
    char deep[10000];
    const int start = snprintf(deep, sizeof deep, "{\"a\":");
    memset(deep + start, '[', sizeof deep - (size_t)start);
    assert_refused(deep, sizeof deep, "depth");
}

TEST(json_member_finds_values_of_each_kind)
{
    struct json *j =
        parse("{\"text\":\"\\u00e9\\n\",\"list\":[3,-4],\"in\":{\"x\":\"y\"},\"none\":null}");
    assert_string_equal(json_text(json_member(j, "text")), "\xc3\xa9\n");
    assert_string_equal(json_text(json_member(json_member(j, "in"), "x")), "y");
    int64_t list[2];
    assert_int_equal(json_wholes(json_member(j, "list"), list, 2), 2);
    assert_int_equal(list[0], 3);
    assert_int_equal(list[1], -4);
    json_free(j);
}

TEST(json_value_of_another_kind_or_missing_is_refused)
{
    struct json *j = parse("{\"text\":\"1\",\"list\":[1,2.5],\"in\":{},\"none\":null}");
    int64_t list[2];
    assert_null(json_member(j, "absent"));
    assert_null(json_member(json_member(j, "text"), "x"));
    assert_null(json_member(NULL, "x"));
    assert_null(json_text(NULL));
    assert_null(json_text(json_member(j, "list")));
    assert_int_equal(json_wholes(NULL, list, 2), -1);
    assert_int_equal(json_wholes(json_member(j, "text"), list, 2), -1);
    assert_int_equal(json_wholes(json_member(j, "list"), list, 2), -1);
    assert_false(json_print(json_member(j, "in"), NULL));
    assert_false(json_print(json_member(j, "none"), NULL));
    assert_false(json_print(NULL, NULL));
    json_free(j);
    json_free(NULL);
}

TEST(json_wholes_longer_than_the_room_are_refused)
{
    struct json *j = parse("{\"none\":[],\"two\":[1,2],\"three\":[1,2,3]}");
    int64_t list[2] = {9, 9};
    assert_int_equal(json_wholes(json_member(j, "none"), list, 2), 0);
    assert_int_equal(json_wholes(json_member(j, "two"), list, 2), 2);
    assert_int_equal(json_wholes(json_member(j, "three"), list, 2), -1);
    json_free(j);
}

TEST(json_next_walks_the_members_in_their_order)
{
    struct json *j = parse("{\"z\":\"0\",\"a\":\"1\",\"m\":\"2\"}");
    struct json_walk w = {0};
    struct strbuf seen = {0};
    while (json_next(j, &w))
        strbuf_addf(&seen, "%s%s ", w.name, json_text(w.value));
    assert_string_equal(seen.text, "z0 a1 m2 ");
    assert_int_equal(json_count(j), 3);
    struct json_walk none = {0};
    assert_false(json_next(json_member(j, "z"), &none));
    assert_false(json_next(NULL, &none));
    assert_int_equal(json_count(NULL), 0);
    strbuf_release(&seen);
    json_free(j);
}

TEST(json_number_and_flag_take_their_kinds_only)
{
    struct json *j =
        parse("{\"i\":-12,\"r\":0.5,\"big\":1e300,\"text\":\"1\",\"t\":true,\"f\":false,"
              "\"none\":null}");
    static const char *const others[] = {"text", "t", "none", "absent"};
    assert_near(json_number(json_member(j, "i")), -12, 0);
    assert_near(json_number(json_member(j, "r")), 0.5, 0);
    assert_near(json_number(json_member(j, "big")), 1e300, 1e-15);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(isnan(json_number(json_member(j, others[i]))));
    assert_true(json_flag(json_member(j, "t")));
    assert_false(json_flag(json_member(j, "f")));
    assert_false(json_flag(json_member(j, "i")));
    assert_false(json_flag(NULL));
    json_free(j);
}

TEST(json_print_gives_scalars_as_text)
{
    struct json *j = parse("{\"a\":\"b\\\"c\",\"i\":-12,\"r\":0.1,\"t\":true,\"f\":false}");
    struct json_walk w = {0};
    struct strbuf seen = {0};
    while (json_next(j, &w)) {
        assert_true(json_print(w.value, &seen));
        strbuf_addc(&seen, ' ');
    }
    assert_string_equal(seen.text, "b\"c -12 0.10000000000000001 true false ");
    strbuf_release(&seen);
    json_free(j);
}

TEST(json_at_walks_arrays_of_arrays_and_nothing_else)
{
    struct json *j = parse("{\"a\":[[1,2],[],\"x\"],\"b\":{}}");
    const struct json *a = json_member(j, "a");
    assert_int_equal(json_length(a), 3);
    assert_int_equal(json_length(json_at(a, 0)), 2);
    assert_near(json_number(json_at(json_at(a, 0), 1)), 2, 0);
    assert_int_equal(json_length(json_at(a, 1)), 0);
    assert_null(json_at(a, 3));
    assert_null(json_at(a, -1));
    assert_int_equal(json_length(json_at(a, 2)), -1);
    assert_int_equal(json_length(json_member(j, "b")), -1);
    assert_int_equal(json_length(NULL), -1);
    assert_null(json_at(NULL, 0));
    json_free(j);
}
