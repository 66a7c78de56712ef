#include "test.h"

#include "attend/markup.h"
#include "base/strbuf.h"

#include <string.h>

/* The required phrases of a line, separated by bars, and then its text to translate. */
static void check(const struct attend_glossary *own, const struct attend_glossary *general,
                  unsigned masks, const char *line, const char *want)
{
    const struct attend_markup_options options = {
        .glossary = own, .general = general, .masks = masks};
    struct attend_markup *m = NULL;
    struct attend_error err;
    struct strbuf got = {0};
    int count;
    assert_int_equal(attend_markup_parse(&m, line, &options, &err), ATTEND_OK);
    const char *const *term = attend_markup_terms(m, &count);
    for (int i = 0; i < count; i++)
        strbuf_addf(&got, "%s|", term[i]);
    strbuf_addf(&got, "%s", attend_markup_text(m));
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    attend_markup_free(m);
}

static struct attend_glossary *make(const char *const (*term)[2], int count)
{
    struct attend_glossary *g = NULL;
    struct attend_error err;
    assert_int_equal(attend_glossary_new(&g, "test", &err), ATTEND_OK);
    for (int i = 0; i < count; i++)
        assert_int_equal(attend_glossary_add(g, term[i][0], term[i][1], i + 1, &err), ATTEND_OK);
    return g;
}

TEST(glossary_finds_whole_words_in_any_case_longest_first)
{
    static const char *const terms[][2] = {{"wheel", "roue"},
                                           {"New  York", "NY"},
                                           {"york", "Y"},
                                           {"York is big", ""},
                                           {"\xc3\x89T\xc3\x89", "summer"},
                                           {"\xe5\x8c\x97\xe4\xba\xac", "Beijing"},
                                           {"Wheel", "other"}};
    struct attend_glossary *g = make(terms, 7);
    check(g, NULL, 0, "the WHEEL turns", "roue|the WHEEL turns");
    check(g, NULL, 0, "wheels", "wheels");
    check(g, NULL, 0, "wheel-wheel.", "roue|roue|wheel-wheel.");
    check(g, NULL, 0, "new york", "NY|new york");
    /* Without a model, a term that stays is taken out. */
    check(g, NULL, 0, "new York is big now", "new now");
    check(g, NULL, 0, "l'\xc3\xa9t\xc3\xa9", "summer|l'\xc3\xa9t\xc3\xa9");
    check(g, NULL, 0, "\xe6\x88\x91\xe5\x8c\x97\xe4\xba\xac",
          "Beijing|\xe6\x88\x91\xe5\x8c\x97\xe4\xba\xac");
    check(g, NULL, 0, "", "");
    attend_glossary_free(g);
}

TEST(glossary_of_a_request_goes_before_the_general_one)
{
    static const char *const mine[][2] = {{"a", "x"}}, *const all[][2] = {{"a b", "y"}, {"c", "z"}};
    struct attend_glossary *own = make(mine, 1), *general = make(all, 2);
    check(own, general, 0, "a b c", "x|z|a b c");
    check(NULL, general, 0, "a b c", "y|z|a b c");
    attend_glossary_free(own);
    attend_glossary_free(general);
}

TEST(masks_find_addresses_and_numbers)
{
    check(NULL, NULL, ATTEND_MASK_URLS, "see https://a.org/b?c, (www.d.org) now http",
          "see, () now http");
    check(NULL, NULL, ATTEND_MASK_EMAILS, "write a.b@c.org. or d@e", "write. or d@e");
    check(NULL, NULL, ATTEND_MASK_NUMBERS, "at 12:30, 1,250.50 a1 2b 3.", "at, a1 2b.");
    check(NULL, NULL, 7, "3 https://a.org/3 x@y.z", "");
}

static void refused(const char *source, const char *target, const char *why)
{
    struct attend_glossary *g = make(NULL, 0);
    struct attend_error err;
    assert_int_equal(attend_glossary_add(g, source, target, 3, &err), ATTEND_DATA);
    if (!strstr(err.message, why))
        fail_msg("%s", err.message);
    attend_glossary_free(g);
}

TEST(glossary_refuses_terms_that_are_none)
{
    char term[300] = "";
    memset(term, 'x', sizeof term - 1);
    refused("", "a", "test:3: has no source term");
    refused(" \t", "a", "test:3: has no source term");
    refused("a\nb", "a", "the source term is not one line of UTF-8");
    refused("a", "\xff", "the target term is not one line of UTF-8");
    refused(term, "a", "the source term has 299 bytes, more than 256");
    refused("a", term, "the target term has 299 bytes, more than 256");
}
