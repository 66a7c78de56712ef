#include "attend/settings.h"
#include "base/error.h"
#include "base/io.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct seen {
    char text[256];
};

static enum attend_status note(void *context, const char *name, const char *value, bool item,
                               struct attend_error *err)
{
    struct seen *seen = context;
    const size_t at = strlen(seen->text);
    snprintf(seen->text + at, sizeof seen->text - at, "%s%s=%s;", name, item ? "[]" : "", value);
    return strcmp(name, "bad") == 0 ? error_set(err, ATTEND_USAGE, "no such setting") : ATTEND_OK;
}

static size_t line;

static enum attend_status read_text(const char *text, struct seen *seen, struct attend_error *err)
{
    *seen = (struct seen){""};
    return attend_yaml_read(text, strlen(text), note, seen, &line, err);
}

TEST(yaml_settings_come_in_order_with_quotes_and_comments)
{
    struct seen seen;
    assert_int_equal(
        read_text("# a comment\nhidden: 64\ncell: 'lstm'  # why\n\"lr\": 0.001\nempty:\n", &seen,
                  NULL),
        ATTEND_OK);
    assert_string_equal(seen.text, "hidden=64;cell=lstm;lr=0.001;empty=;");
}

TEST(yaml_lists_give_each_of_their_values)
{
    struct seen seen;
    assert_int_equal(
        read_text("model:\n  - a b\n  - 'c'\nname: [x, \"\"]\nnone: []\nport: 1\n", &seen, NULL),
        ATTEND_OK);
    assert_string_equal(seen.text, "model[]=a b;model[]=c;name[]=x;name[]=;port=1;");
}

TEST(yaml_wrong_setting_is_named_by_line)
{
    struct seen seen;
    struct attend_error err;
    assert_int_equal(read_text("hidden: 64\nbad: 1\n", &seen, &err), ATTEND_USAGE);
    assert_string_equal(err.message, "no such setting");
    assert_int_equal(line, 2);
    assert_int_equal(read_text("a: 1\nbad:\n- x\n", &seen, &err), ATTEND_USAGE);
    assert_int_equal(line, 3);
}

TEST(yaml_that_is_no_flat_mapping_is_refused)
{
    static const char *const wrong[] = {"- a\n- b\n", "a: [1, [2]]\n", "a: {b: c}\n", "just text\n",
                                        "",           "a: [b: c]\n",   "a: b: c\n",   "a: 'open\n",
                                        "a: [1, 2\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct seen seen;
        struct attend_error err = {.message = ""};
        assert_int_equal(read_text(wrong[i], &seen, &err), ATTEND_USAGE);
        assert_true(line > 0 && strlen(err.message) > 0);
    }
}

static enum attend_status load(const char *path, struct attend_error *err)
{
    struct attend_settings *s = NULL;
    assert_int_equal(attend_settings_new(&s, err), ATTEND_OK);
    const enum attend_status status = attend_settings_load(s, path, attend_yaml_read, err);
    attend_settings_free(s);
    return status;
}

TEST(yaml_file_and_line_of_a_wrong_setting_are_named)
{
    char path[64], want[128];
    struct attend_error err;
    snprintf(path, sizeof path, "yaml_test.%ld.yaml", (long)getpid());
    snprintf(want, sizeof want, "%s:2: ", path);
    assert_int_equal(io_write(path, "\nhidden: 64\n", 12, NULL), ATTEND_OK);
    assert_int_equal(load(path, &err), ATTEND_USAGE);
    assert_memory_equal(err.message, want, strlen(want));
    unlink(path);
}

TEST(yaml_missing_file_is_named)
{
    struct attend_error err;
    assert_int_equal(load("no/such.yaml", &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "no/such.yaml"));
}
