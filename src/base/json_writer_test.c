#include "base/json_writer.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "test.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

TEST(json_writer_puts_commas_between_values)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_whole(&w, "whole", INT64_MIN);
    json_begin_array(&w, "none");
    json_end(&w);
    json_begin_array(&w, "list");
    json_put_flag(&w, NULL, true);
    w.new_line = true;
    json_begin_object(&w, NULL);
    json_put_text(&w, "text", NULL);
    json_end(&w);
    json_begin_object(&w, NULL);
    json_end(&w);
    json_end(&w);
    json_put_raw(&w, "raw", "{}");
    json_put_raw(&w, NULL, "\"a\":1,\"b\":2");
    json_put_fixed(&w, "fixed", 0.25, 1);
    json_end(&w);
    assert_string_equal(
        out.text, "{\"whole\":-9223372036854775808,\"none\":[],\"list\":[true,\n{\"text\":null},"
                  "{}],\"raw\":{},\"a\":1,\"b\":2,\"fixed\":0.2}");
    assert_int_equal(w.depth, 0);
    strbuf_release(&out);
}

TEST(json_writer_puts_arrays_and_null_for_none)
{
    static const char *const words[] = {"a", "\"b\""};
    static const double numbers[] = {0.1, -2, (double)NAN, (double)INFINITY};
    static const float weights[] = {0.5F, 0.25F, 1, 0};
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_texts(&w, "words", words, 2);
    json_put_numbers(&w, "numbers", numbers, 4, 7);
    json_put_floats(&w, "floats", weights, 3);
    json_put_matrix(&w, "rows", weights, 2, 2);
    json_put_matrix(&w, "none", NULL, 2, 2);
    json_put_floats(&w, "no_floats", NULL, 3);
    json_put_fixed(&w, "fixed", (double)NAN, 3);
    json_end(&w);
    assert_string_equal(out.text, "{\"words\":[\"a\",\"\\\"b\\\"\"],\"numbers\":[0.1,-2,null,null],"
                                  "\"floats\":[0.5,0.25,1],\"rows\":[[0.5,0.25],[1,0]],"
                                  "\"none\":null,\"no_floats\":null,\"fixed\":null}");
    strbuf_release(&out);
}

static void assert_text(bool in_script, const char *text, const char *want)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out, .in_script = in_script};
    json_put_text(&w, NULL, text);
    assert_string_equal(out.text, want);
    strbuf_release(&out);
}

TEST(json_writer_escapes_what_must_be)
{
    assert_text(false, "", "\"\"");
    assert_text(false, "a\"b\\c/\n\t\r\b\f\x01\x1f\x7f \xe2\x82\xac",
                "\"a\\\"b\\\\c/\\n\\t\\r\\b\\f\\u0001\\u001f\x7f \xe2\x82\xac\"");
    assert_text(false, "</script>", "\"</script>\"");
    assert_text(true, "</script>", "\"\\u003c/script>\"");
}

TEST(json_writer_writes_valid_text_whatever_the_bytes_are)
{
    assert_text(false, "a\xe2\x82z\xff\"\u20ac\xc3", "\"a\ufffd\ufffdz\ufffd\\\"\u20ac\ufffd\"");
}

TEST(json_writer_text_is_read_back_as_it_was)
{
    char text[256] = "";
    for (int i = 1; i < 128; i++)
        text[i - 1] = (char)i;
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    struct json *j = NULL;
    json_begin_object(&w, NULL);
    json_put_text(&w, text, text);
    json_end(&w);
    assert_int_equal(json_parse(&j, out.text, out.length, "text", NULL), ATTEND_OK);
    assert_string_equal(json_text(json_member(j, text)), text);
    json_free(j);
    strbuf_release(&out);
}

TEST(json_writer_fails_with_what_it_was_given)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_put_raw(&w, NULL, NULL);
    assert_true(out.failed);
    strbuf_release(&out);
}
