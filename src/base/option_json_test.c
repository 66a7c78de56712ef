/* Settings as JSON: what is written is read again, and nothing else is. */
#include "base/option_json.h"

#include "base/strbuf.h"
#include "test.h"

#include <string.h>

struct thing {
    int size;
    double rate;
    bool fast;
    char *name, *path;
};
#define FIELD(name) offsetof(struct thing, name)
static const struct option_row rows[] = {
    {.name = "size", .kind = OPTION_INT, .offset = FIELD(size), .fallback = "3", .max = 100},
    {.name = "rate", .kind = OPTION_REAL, .offset = FIELD(rate), .fallback = "0.1", .max = 1},
    {.name = "fast", .kind = OPTION_FLAG, .offset = FIELD(fast)},
    {.name = "name", .kind = OPTION_TEXT, .offset = FIELD(name)},
    {.name = "path", .kind = OPTION_TEXT, .offset = FIELD(path), .local = true},
    {0},
};
#undef FIELD

static void init(struct option_set *set, struct thing *thing)
{
    *set = (struct option_set){0};
    *thing = (struct thing){0};
    assert_int_equal(option_add(set, "things", rows, thing, NULL), ATTEND_OK);
}

TEST(option_json_is_read_as_it_was_written)
{
    struct option_set set, again;
    struct thing thing, copy;
    struct strbuf text = {0};
    init(&set, &thing);
    init(&again, &copy);
    assert_int_equal(option_assign(&set, "rate", "0.30000000000000004", NULL), ATTEND_OK);
    assert_int_equal(option_assign(&set, "fast", "true", NULL), ATTEND_OK);
    assert_int_equal(option_assign(&set, "name", "a \"b\"", NULL), ATTEND_OK);
    strbuf_addc(&text, '{');
    option_json_add(&text, rows, &thing);
    strbuf_addc(&text, '}');
    assert_string_equal(
        text.text,
        "{\"size\":3,\"rate\":0.30000000000000004,\"fast\":true,\"name\":\"a \\\"b\\\"\"}");
    assert_int_equal(option_json_read(&again, text.text, "it", NULL), ATTEND_OK);
    assert_int_equal(copy.size, 3);
    assert_true(copy.rate == thing.rate);
    assert_true(copy.fast);
    assert_string_equal(copy.name, "a \"b\"");
    strbuf_release(&text);
    option_release(&set);
    option_release(&again);
}

/* Texts that were not given and paths say nothing about a result. */
TEST(option_json_leaves_out_what_is_local_or_not_given)
{
    struct option_set set;
    struct thing thing;
    struct strbuf text = {0};
    init(&set, &thing);
    assert_int_equal(option_assign(&set, "path", "/x", NULL), ATTEND_OK);
    strbuf_addc(&text, '{');
    option_json_add(&text, rows, &thing);
    assert_string_equal(text.text, "{\"size\":3,\"rate\":0.1,\"fast\":false");
    strbuf_release(&text);
    option_release(&set);
}

TEST(option_json_refuses_what_no_row_takes)
{
    static const char *const wrong[][2] = {
        {"{\"colour\":1}", "has the setting colour, which this program does not know"},
        {"{\"size\":101}", "is wrong: --size takes"},
        {"{\"size\":[1]}", "is wrong: size is neither text nor number"},
        {"[1]", "it"},
        {"{", "it"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct option_set set;
        struct thing thing;
        struct attend_error err;
        init(&set, &thing);
        assert_int_equal(option_json_read(&set, wrong[i][0], "it", &err), ATTEND_FORMAT);
        assert_non_null(strstr(err.message, wrong[i][1]));
        option_release(&set);
    }
}
