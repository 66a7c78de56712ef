/* Settings: parsing, ranges, suggestions for misspelled names, printing. */
#include "base/option.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct thing {
    int size;
    double rate;
    bool fast;
    const char *name, *kind;
    const char *const *list;
    size_t room;
};

static struct attend_choice kind(int i)
{
    return (const struct attend_choice[]){
        {"red", NULL, "rouge,rot"}, {"green", NULL, NULL}, {0}}[i];
}

#define FIELD(field) offsetof(struct thing, field)
static const struct attend_setting rows[] = {
    {.name = "size",
     .kind = ATTEND_SETTING_INT,
     .offset = FIELD(size),
     .fallback = "7",
     .min = 1,
     .max = 100,
     .value = "N"},
    {.name = "rate",
     .kind = ATTEND_SETTING_REAL,
     .offset = FIELD(rate),
     .fallback = "0.5",
     .min = 0,
     .max = 1,
     .value = "X"},
    {.name = "fast", .kind = ATTEND_SETTING_FLAG, .offset = FIELD(fast)},
    {.name = "name", .kind = ATTEND_SETTING_TEXT, .offset = FIELD(name), .value = "TEXT"},
    {.name = "kind",
     .kind = ATTEND_SETTING_CHOICE,
     .offset = FIELD(kind),
     .fallback = "red",
     .value = "NAME",
     .choices = kind},
    {.name = "list", .kind = ATTEND_SETTING_LIST, .offset = FIELD(list), .value = "FILE"},
    {.name = "room", .kind = ATTEND_SETTING_BYTES, .offset = FIELD(room), .fallback = "3K"},
    {0},
};

struct fixture {
    struct thing thing;
    struct attend_settings set;
};

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){0};
    option_add(&f->set, "Things", rows, &f->thing);
}

TEST(option_defaults_are_taken)
{
    struct fixture f;
    fixture_init(&f);
    assert_int_equal(f.thing.size, 7);
    assert_near(f.thing.rate, 0.5, 0);
    assert_false(f.thing.fast);
    assert_null(f.thing.name);
    assert_string_equal(f.thing.kind, "red");
    option_release(&f.set);
}

TEST(option_values_are_assigned_and_printed_back)
{
    static const char *const values[][2] = {
        {"size", "100"}, {"rate", "0.1"}, {"fast", "true"}, {"name", "a b"}, {"kind", "green"}};
    struct fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[64];
        assert_int_equal(option_assign(&f.set, values[i][0], values[i][1], NULL), ATTEND_OK);
        const struct attend_setting *row = option_find(&f.set, values[i][0], NULL);
        option_print(row, &f.thing, text, sizeof text);
        assert_near(strtod(text, NULL), strtod(values[i][1], NULL), 1e-15);
        assert_true(row->kind == ATTEND_SETTING_REAL || strcmp(text, values[i][1]) == 0);
    }
    option_release(&f.set);
}

TEST(option_list_takes_every_assignment_in_order)
{
    struct fixture f;
    char text[64], narrow[4];
    fixture_init(&f);
    const struct attend_setting *row = option_find(&f.set, "list", NULL);
    assert_null(f.thing.list);
    assert_int_equal(option_print(row, &f.thing, text, sizeof text), 0);
    assert_string_equal(text, "");
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            option_assign(&f.set, "list", (const char *const[]){"ab", "", "c d"}[i], NULL),
            ATTEND_OK);
    assert_string_equal(f.thing.list[0], "ab");
    assert_string_equal(f.thing.list[1], "");
    assert_string_equal(f.thing.list[2], "c d");
    assert_null(f.thing.list[3]);
    assert_int_equal(option_print(row, &f.thing, text, sizeof text), 7);
    assert_string_equal(text, "ab,,c d");
    assert_int_equal(option_print(row, &f.thing, narrow, sizeof narrow), 7);
    assert_string_equal(narrow, "ab,");
    option_release(&f.set);
    assert_null(f.thing.list);
}

TEST(option_list_of_a_file_is_replaced_as_a_whole)
{
    struct fixture f;
    fixture_init(&f);
    option_assign(&f.set, "list", "file", NULL);
    option_close_lists(&f.set);
    assert_string_equal(f.thing.list[0], "file");
    option_assign(&f.set, "list", "a", NULL);
    option_assign(&f.set, "list", "b", NULL);
    assert_string_equal(f.thing.list[0], "a");
    assert_string_equal(f.thing.list[1], "b");
    assert_null(f.thing.list[2]);
    option_release(&f.set);
}

TEST(option_bytes_may_have_a_suffix)
{
    static const struct {
        const char *text;
        size_t bytes;
    } cases[] = {{"0", 0},
                 {"1000000", 1000000},
                 {"512K", 512 << 10},
                 {"300M", 300 << 20},
                 {"2G", (size_t)2 << 30}};
    struct fixture f;
    char text[32];
    fixture_init(&f);
    assert_true(f.thing.room == 3072);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(option_assign(&f.set, "room", cases[i].text, NULL), ATTEND_OK);
        assert_true(f.thing.room == cases[i].bytes);
    }
    option_print(option_find(&f.set, "room", NULL), &f.thing, text, sizeof text);
    assert_string_equal(text, "2147483648");
    option_release(&f.set);
}

TEST(option_wrong_values_are_refused_and_change_nothing)
{
    static const char *const wrong[][3] = {
        {"size", "0", "`size` takes a whole number from 1 to 100, not '0'"},
        {"size", "101", "not '101'"},
        {"size", "2.5", "not '2.5'"},
        {"size", "", "not ''"},
        {"size", "3x", "not '3x'"},
        {"size", "nan", "not 'nan'"},
        {"size", "1e999", "not '1e999'"},
        {"rate", "1.01", "`rate` takes a number from 0 to 1"},
        {"rate", "inf", "not 'inf'"},
        {"fast", "yes", "`fast` takes true or false"},
        {"room", "1T", "`room` takes a number of bytes, such as 1000000, 512K, 300M or 2G, not"},
        {"room", "-1", "not '-1'"},
        {"room", "", "not ''"},
        {"room", "M", "not 'M'"},
        {"room", "1MB", "not '1MB'"},
        {"room", "1.5G", "not '1.5G'"},
        {"room", "99999999999999999999", "not '99999999999999999999'"},
        {"room", "18446744073709551615K", "not '18446744073709551615K'"},
        {"kind", "blue", "`kind` takes one of red, green, not 'blue'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fixture f;
        struct attend_error err;
        fixture_init(&f);
        assert_int_equal(option_assign(&f.set, wrong[i][0], wrong[i][1], &err), ATTEND_USAGE);
        if (!strstr(err.message, wrong[i][2]))
            fail_msg("'%s' is not in '%s'", wrong[i][2], err.message);
        assert_int_equal(f.thing.size, 7);
        assert_true(f.thing.room == 3072);
        assert_string_equal(f.thing.kind, "red");
        option_release(&f.set);
    }
}

TEST(option_unknown_name_is_answered_with_the_nearest)
{
    struct fixture f;
    struct attend_error err;
    fixture_init(&f);
    assert_int_equal(option_assign(&f.set, "sice", "1", &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "unknown option `sice`; did you mean `size`?"));
    assert_int_equal(option_assign(&f.set, "xyzzy", "1", &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "unknown option `xyzzy`"));
    assert_null(option_find(&f.set, "siz", NULL));
    option_release(&f.set);
}

TEST(option_choice_takes_its_other_names)
{
    struct fixture f;
    fixture_init(&f);
    assert_int_equal(option_assign(&f.set, "kind", "green", NULL), ATTEND_OK);
    assert_int_equal(option_assign(&f.set, "kind", "rot", NULL), ATTEND_OK);
    assert_string_equal(f.thing.kind, "red");
    assert_int_equal(option_assign(&f.set, "kind", "ro", NULL), ATTEND_USAGE);
    assert_int_equal(option_assign(&f.set, "kind", "", NULL), ATTEND_USAGE);
    option_release(&f.set);
}

TEST(option_check_refuses_what_assigning_would)
{
    struct thing thing = {0};
    struct attend_error err;
    option_defaults(rows, &thing);
    assert_int_equal(option_check(rows, &thing, &err), ATTEND_OK);
    thing.size = 101;
    assert_int_equal(option_check(rows, &thing, &err), ATTEND_USAGE);
    assert_string_equal(err.message, "`size` takes a whole number from 1 to 100, not '101'");
    assert_int_equal(err.status, ATTEND_USAGE);
    thing.size = 1;
    thing.rate = (double)NAN;
    assert_int_equal(option_check(rows, &thing, &err), ATTEND_USAGE);
    thing.rate = 1;
    thing.kind = "rouge";
    assert_int_equal(option_check(rows, &thing, &err), ATTEND_OK);
    assert_string_equal(thing.kind, "red");
    thing.kind = "blue";
    assert_int_equal(option_check(rows, &thing, &err), ATTEND_USAGE);
}
