#include "serve/origins.h"

#include "test.h"

#include <string.h>

static const char *const allowed[] = {"https://example.org", "moz-extension://1-2", NULL},
                         *const all[] = {"https://a.org", "*", NULL},
                         *const hosts[] = {"translate.lan", "fe80::1", NULL};

static bool allows(const struct origins *o, const char *origin, const char *host, const char *site)
{
    return origins_allow(o, &(struct http_head){.origin = origin, .host = host, .site = site});
}

TEST(origins_allow_the_servers_own_page_and_those_named)
{
    const struct origins o = {.allowed = allowed}, none = {0}, any = {.allowed = all};
    assert_true(allows(&none, NULL, "127.0.0.1:5000", NULL));
    assert_true(allows(&none, "http://127.0.0.1:5000", "127.0.0.1:5000", NULL));
    assert_true(allows(&none, "https://Translate.lan", "translate.lan", NULL));
    assert_true(allows(&none, "https://translate.lan", "127.0.0.1:5000", "same-origin"));
    static const char *const foreign[] = {"http://127.0.0.1:5001",
                                          "http://127.0.0.1",
                                          "null",
                                          "https://example.org.evil.org",
                                          "",
                                          "x",
                                          "http://evil.org/http://127.0.0.1:5000"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        assert_false(allows(&none, foreign[i], "127.0.0.1:5000", NULL));
        assert_false(allows(&o, foreign[i], "127.0.0.1:5000", "cross-site"));
        assert_false(allows(&o, foreign[i], NULL, "same-site"));
        assert_true(allows(&any, foreign[i], "127.0.0.1:5000", "cross-site"));
    }
    assert_false(allows(&none, "https://example.org", "127.0.0.1:5000", NULL));
    assert_true(allows(&o, "https://example.org", "127.0.0.1:5000", "cross-site"));
    assert_false(allows(&o, "http://example.org", "127.0.0.1:5000", NULL));
    assert_true(allows(&o, "moz-extension://1-2", "127.0.0.1:5000", NULL));
}

TEST(origins_know_the_names_of_this_computer_and_those_given)
{
    static const char *const good[] = {"localhost", "LOCALHOST:5000", "127.0.0.1", "127.0.0.1:80",
                                       "[::1]",     "[::1]:5000",     "",          NULL};
    static const char *const bad[] = {"evil.org",
                                      "evil.org:5000",
                                      "localhost.evil.org",
                                      "x",
                                      "127.0.0.11",
                                      "[::11]:5000",
                                      "::1",
                                      "[",
                                      ":5000",
                                      "localhos",
                                      "[::1"};
    const struct origins loopback = {.loopback = true, .listens = "127.0.0.1"},
                         named = {.loopback = true, .hosts = hosts, .listens = "127.0.0.2"},
                         open = {.listens = "0.0.0.0"}, strict = {.hosts = hosts};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(origins_know_host(&loopback, good[i]) && origins_know_host(&named, good[i]) &&
                    origins_know_host(&open, good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (origins_know_host(&loopback, bad[i]) || origins_know_host(&strict, bad[i]))
            fail_msg("'%s' is known", bad[i]);
        assert_true(origins_know_host(&open, bad[i]));
    }
    assert_false(origins_know_host(&loopback, "translate.lan"));
    assert_true(origins_know_host(&named, "Translate.lan:5000"));
    assert_true(origins_know_host(&named, "[fe80::1]:5000"));
    assert_true(origins_know_host(&named, "127.0.0.2:5000"));
    assert_true(origins_know_host(&strict, "translate.lan"));
}

TEST(origins_that_are_none_are_refused)
{
    static const char *const wrong[] = {"example.org", "https://example.org/",        "https://",
                                        "://x",        "https://a.org,https://b.org", ""};
    struct attend_error err;
    struct origins o;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *const right[] = {"http://a.org:81", NULL};
        const char *const both[] = {"http://a.org:81", wrong[i], NULL};
        struct attend_serve_options options = attend_serve_defaults();
        options.allow_origins = right;
        assert_int_equal(origins_take(&o, &options, &err), ATTEND_OK);
        options.allow_origins = both;
        assert_int_equal(origins_take(&o, &options, &err), ATTEND_USAGE);
        assert_non_null(strstr(err.message, "is not an origin such as https://example.org"));
    }
}
