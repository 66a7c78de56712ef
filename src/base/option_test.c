/* Settings: parsing, ranges, near names, printing. */
#include "base/option.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

struct thing {
    int size;
    double rate;
    bool fast;
    char *name, *kind;
    char **list;
};

static const char *kind(int i) { return (const char *const[]){"red", "green", NULL}[i]; }

#define FIELD(field) offsetof(struct thing, field)
static const struct option_row rows[] = {
    {.name = "size",
     .kind = OPTION_INT,
     .offset = FIELD(size),
     .fallback = "7",
     .min = 1,
     .max = 100,
     .value = "N"},
    {.name = "rate",
     .kind = OPTION_REAL,
     .offset = FIELD(rate),
     .fallback = "0.5",
     .min = 0,
     .max = 1,
     .value = "X"},
    {.name = "fast", .kind = OPTION_FLAG, .offset = FIELD(fast)},
    {.name = "name", .kind = OPTION_TEXT, .offset = FIELD(name), .value = "TEXT"},
    {.name = "kind",
     .kind = OPTION_CHOICE,
     .offset = FIELD(kind),
     .fallback = "red",
     .value = "NAME",
     .choices = kind},
    {.name = "list", .kind = OPTION_LIST, .offset = FIELD(list), .value = "FILE"},
    {0},
};

struct fixture {
    struct thing thing;
    struct option_set set;
};

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){0};
    assert_int_equal(option_add(&f->set, "Things", rows, &f->thing, NULL), ATTEND_OK);
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
    assert_null(f.thing.kind);
}

TEST(option_values_are_assigned_and_printed_back)
{
    static const char *const values[][2] = {
        {"size", "100"}, {"rate", "0.1"}, {"fast", "true"}, {"name", "a b"}, {"kind", "green"}};
    struct fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[64];
        void *base;
        assert_int_equal(option_assign(&f.set, values[i][0], values[i][1], NULL), ATTEND_OK);
        const struct option_row *row = option_find(&f.set, values[i][0], &base);
        option_print(row, base, text, sizeof text);
        assert_near(strtod(text, NULL), strtod(values[i][1], NULL), 1e-15);
        assert_true(row->kind == OPTION_REAL || strcmp(text, values[i][1]) == 0);
    }
    option_release(&f.set);
}

TEST(option_list_takes_every_assignment_in_order)
{
    struct fixture f;
    char text[64], narrow[4];
    fixture_init(&f);
    const struct option_row *row = option_find(&f.set, "list", NULL);
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

TEST(option_wrong_values_are_refused_and_change_nothing)
{
    static const char *const wrong[][3] = {
        {"size", "0", "--size takes a whole number from 1 to 100, not '0'"},
        {"size", "101", "not '101'"},
        {"size", "2.5", "not '2.5'"},
        {"size", "", "not ''"},
        {"size", "3x", "not '3x'"},
        {"size", "nan", "not 'nan'"},
        {"size", "1e999", "not '1e999'"},
        {"rate", "1.01", "--rate takes a number from 0 to 1"},
        {"rate", "inf", "not 'inf'"},
        {"fast", "yes", "--fast takes true or false"},
        {"kind", "blue", "--kind takes one of red, green, not 'blue'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fixture f;
        struct attend_error err;
        fixture_init(&f);
        assert_int_equal(option_assign(&f.set, wrong[i][0], wrong[i][1], &err), ATTEND_USAGE);
        if (!strstr(err.message, wrong[i][2]))
            fail_msg("'%s' is not in '%s'", wrong[i][2], err.message);
        assert_int_equal(f.thing.size, 7);
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
    assert_non_null(strstr(err.message, "unknown option --sice; did you mean --size?"));
    assert_int_equal(option_assign(&f.set, "xyzzy", "1", &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "--help lists the known ones"));
    assert_null(option_find(&f.set, "siz", NULL));
    option_release(&f.set);
}
