#include "base/base64.h"

#include "base/strbuf.h"
#include "test.h"

#include <string.h>

static void check(const char *bytes, size_t length, const char *expected)
{
    struct strbuf out = {0};
    base64_add(&out, bytes, length);
    assert_string_equal(out.text ? out.text : "", expected);
    strbuf_release(&out);
}

TEST(base64_of_the_examples_of_rfc_4648)
{
    static const char *const expected[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                           "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        check("foobar", i, expected[i]);
}

TEST(base64_has_all_digits_and_any_bytes)
{
    check("\0\x10\x83\x10\x51\x87\x20\x92\x8b\x30\xd3\x8f\x41\x14\x93\x51\x55\x97\x61\x96\x9b"
          "\x71\xd7\x9f\x82\x18\xa3\x92\x59\xa7\xa2\x9a\xab\xb2\xdb\xaf\xc3\x1c\xb3\xd3\x5d\xb7"
          "\xe3\x9e\xbb\xf3\xdf\xbf",
          48, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
}
