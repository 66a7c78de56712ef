/* Settings as JSON: what is written reads back, and anything else is refused. */
#include "base/option_json.h"

#include "base/json_writer.h"

#include "base/strbuf.h"
#include "test.h"

#include <string.h>

struct thing {
    int size;
    double rate;
    bool fast;
    const char *name, *path;
};
#define FIELD(name) offsetof(struct thing, name)
static const struct attend_setting rows[] = {
    {.name = "size",
     .kind = ATTEND_SETTING_INT,
     .offset = FIELD(size),
     .fallback = "3",
     .max = 100},
    {.name = "rate",
     .kind = ATTEND_SETTING_REAL,
     .offset = FIELD(rate),
     .fallback = "0.1",
     .max = 1},
    {.name = "fast", .kind = ATTEND_SETTING_FLAG, .offset = FIELD(fast)},
    {.name = "name", .kind = ATTEND_SETTING_TEXT, .offset = FIELD(name)},
    {.name = "path", .kind = ATTEND_SETTING_TEXT, .offset = FIELD(path), .local = true},
    {0},
};
#undef FIELD

static void init(struct attend_settings *set, struct thing *thing)
{
    *set = (struct attend_settings){0};
    *thing = (struct thing){0};
    option_add(set, "things", rows, thing);
}

TEST(option_json_is_read_as_it_was_written)
{
    struct attend_settings set, again;
    struct thing thing, copy;
    struct strbuf text = {0};
    init(&set, &thing);
    init(&again, &copy);
    assert_int_equal(option_assign(&set, "rate", "0.30000000000000004", NULL), ATTEND_OK);
    assert_int_equal(option_assign(&set, "fast", "true", NULL), ATTEND_OK);
    assert_int_equal(option_assign(&set, "name", "a \"b\"", NULL), ATTEND_OK);
    struct json_writer w = {.out = &text};
    json_begin_object(&w, NULL);
    option_json_put(&w, rows, &thing);
    json_end(&w);
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

/* Texts that were not given and local rows (paths) do not describe a result. */
TEST(option_json_leaves_out_what_is_local_or_not_given)
{
    struct attend_settings set;
    struct thing thing;
    struct strbuf text = {0};
    init(&set, &thing);
    assert_int_equal(option_assign(&set, "path", "/x", NULL), ATTEND_OK);
    struct json_writer w = {.out = &text};
    json_begin_object(&w, NULL);
    option_json_put(&w, rows, &thing);
    json_end(&w);
    assert_string_equal(text.text, "{\"size\":3,\"rate\":0.1,\"fast\":false}");
    strbuf_release(&text);
    option_release(&set);
}

TEST(option_json_refuses_what_no_row_takes)
{
    static const char *const wrong[][2] = {
        {"{\"color\":1}", "has the setting color, which this program does not know"},
        {"{\"size\":101}", "is wrong: `size` takes"},
        {"{\"size\":[1]}", "is wrong: size is neither text nor number"},
        {"[1]", "it"},
        {"{", "it"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct attend_settings set;
        struct thing thing;
        struct attend_error err;
        init(&set, &thing);
        assert_int_equal(option_json_read(&set, wrong[i][0], "it", &err), ATTEND_FORMAT);
        assert_non_null(strstr(err.message, wrong[i][1]));
        option_release(&set);
    }
}
