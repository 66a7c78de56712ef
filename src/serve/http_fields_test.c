#include "test.h"

#include "serve/http_fields.h"

/* The fault of a header of up to four fields. */
static const char *fault_of(const char *const (*field)[2], const char *version)
{
    struct http_fields f = {0};
    for (; (*field)[0]; field++)
        http_fields_add(&f, (*field)[0], (*field)[1]);
    return http_fields_fault(&f, version);
}

#define CL "Content-Length"
#define TE "Transfer-Encoding"

TEST(http_fields_that_readers_understand_differently_are_refused)
{
    static const char *const wrong[][4][2] = {
        {{CL, "9"}, {CL, "5"}},
        {{CL, "9"}, {"content-length", "9"}},
        {{CL " ", "9"}},
        {{CL "\t", "9"}},
        {{" X", "y"}},
        {{"", "y"}},
        {{"X\x80", "y"}},
        {{"X", "y\rContent-Length: 5"}, {CL, "9"}},
        {{"X", "y\x01"}},
        {{CL, "9"}, {TE, "chunked"}},
        {{TE, "chunked"}, {CL, "9"}},
        {{TE, "chunked"}, {TE, "chunked"}},
        {{TE, "gzip, chunked"}},
        {{TE, "identity"}},
        {{TE, " chunked"}},
        {{"Host", "a"}, {"Host", "b"}},
        {{"Authorization", "Bearer a"}, {"Authorization", "Bearer b"}},
    };
    static const char *const right[][4][2] = {
        {{NULL, NULL}},
        {{CL, "9"}, {"Host", "a"}, {"X-Y", "z"}},
        {{TE, "Chunked"}, {"Host", "a"}},
        {{"X-Forwarded-For", "a"}, {"X-Forwarded-For", "b"}},
        {{"Cookie", "a"}, {"Cookie", "b\tc \u20ac"}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!fault_of(wrong[i], "HTTP/1.1"))
            fail_msg("header %zu is accepted", i);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_null(fault_of(right[i], "HTTP/1.1"));
    assert_non_null(fault_of(right[2], "HTTP/1.0"));
}

TEST(http_fields_of_several_the_last_proxy_counts)
{
    struct http_fields f = {0};
    http_fields_add(&f, "X-Forwarded-For", "made.up");
    http_fields_add(&f, "x-forwarded-for", "10.0.0.7");
    http_fields_add(&f, "If-None-Match", "a");
    http_fields_add(&f, "If-None-Match", "b");
    assert_string_equal(f.forwarded, "10.0.0.7");
    assert_string_equal(f.if_none_match, "a");
    assert_null(f.host);
}
