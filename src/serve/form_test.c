#include "test.h"

#include "serve/form.h"

#include <stdio.h>
#include <string.h>

static enum attend_status urlencoded(struct form *form, const char *text, struct attend_error *err)
{
    *form = (struct form){0};
    return form_add_urlencoded(form, text, strlen(text), err);
}

TEST(form_urlencoded_fields_are_decoded)
{
    struct form form;
    assert_int_equal(urlencoded(&form, "q=a+b%20%c3%A4%26&&target=de&empty=&alone", NULL),
                     ATTEND_OK);
    assert_string_equal(form_find(&form, "q"), "a b \xc3\xa4&");
    assert_string_equal(form_find(&form, "target"), "de");
    assert_string_equal(form_find(&form, "empty"), "");
    assert_string_equal(form_find(&form, "alone"), "");
    assert_null(form_find(&form, "source"));
    form_release(&form);
}

TEST(form_first_field_of_a_name_counts)
{
    struct form form;
    assert_int_equal(urlencoded(&form, "q=1&q=2", NULL), ATTEND_OK);
    assert_string_equal(form_find(&form, "q"), "1");
    form_release(&form);
}

TEST(form_broken_escapes_and_text_are_refused)
{
    static const char *const broken[] = {"q=%",   "q=%4",  "q=%4g", "q=%zz", "%=1",
                                         "q=%ff", "q=%00", "q=%c3", "%ff=1"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct form form;
        struct attend_error err = {.message = ""};
        assert_int_equal(urlencoded(&form, broken[i], &err), ATTEND_FORMAT);
        assert_true(strlen(err.message) > 10);
        form_release(&form);
    }
}

TEST(form_with_too_many_fields_is_refused)
{
    char text[8 * FORM_FIELDS] = "";
    struct form form;
    for (int i = 0; i <= FORM_FIELDS; i++)
        memcpy(text + 4 * (size_t)i, "a=1&", 5);
    assert_int_equal(urlencoded(&form, text, NULL), ATTEND_FORMAT);
    assert_int_equal(form.count, FORM_FIELDS);
    form_release(&form);
}

#define PART(name, value)                                                                          \
    "--B\r\nContent-Disposition: form-data; name=\"" name "\"\r\n\r\n" value "\r\n"

static enum attend_status parts(struct form *form, const char *text, const char *type)
{
    *form = (struct form){0};
    return form_add_parts(form, text, strlen(text), type, NULL);
}

TEST(form_parts_are_fields)
{
    static const char *const types[] = {"multipart/form-data; boundary=B",
                                        "multipart/form-data; charset=utf-8; boundary=\"B\""};
    for (int i = 0; i < 2; i++) {
        struct form form;
        assert_int_equal(
            parts(&form, PART("q", "a\r\nb & c") PART("source", "hi") PART("none", "") "--B--\r\n",
                  types[i]),
            ATTEND_OK);
        assert_string_equal(form_find(&form, "q"), "a\r\nb & c");
        assert_string_equal(form_find(&form, "source"), "hi");
        assert_string_equal(form_find(&form, "none"), "");
        form_release(&form);
    }
}

TEST(form_name_of_a_file_is_not_its_fields_name)
{
    struct form form;
    assert_int_equal(
        parts(&form,
              "--B\r\nContent-Disposition: form-data; filename=\"x\"; name=\"q\"\r\n\r\n"
              "1\r\n--B--",
              "multipart/form-data; boundary=B"),
        ATTEND_OK);
    assert_string_equal(form_find(&form, "q"), "1");
    form_release(&form);
}

TEST(form_broken_parts_are_refused)
{
    static const char *const broken[] = {"",
                                         "--",
                                         "--B",
                                         "--B\r\n",
                                         "--B\r\n\r\n",
                                         "nothing",
                                         "--B\r\nname=\"q\"\r\n--B--",
                                         PART("q", "1"),
                                         "--B\r\nContent-Disposition: form-data\r\n\r\n1\r\n--B--",
                                         "--B--B--B--B",
                                         "--B\r\n--B\r\n--B--"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct form form;
        parts(&form, broken[i], "multipart/form-data; boundary=B");
        assert_null(form_find(&form, "x"));
        form_release(&form);
    }
    struct form form;
    assert_int_equal(parts(&form, PART("q", "1"), "multipart/form-data; boundary=B"),
                     ATTEND_FORMAT);
    form_release(&form);
    assert_int_equal(parts(&form, PART("q", "1") "--B--", "multipart/form-data"), ATTEND_FORMAT);
    form_release(&form);
}

TEST(form_line_ends_become_one_kind)
{
    static const char *const pairs[][2] = {
        {"a\r\nb\rc\nd", "a\nb\nc\nd"}, {"a\r\n", "a"}, {"\r\r\n\n", "\n\n"}, {"", ""}};
    for (int i = 0; i < 4; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s", pairs[i][0]);
        form_unify_line_ends(text);
        assert_string_equal(text, pairs[i][1]);
    }
}
