#include "base/strbuf.h"
#include "metric/links.h"
#include "test.h"

#include <string.h>

static enum attend_status parse(struct links *links, const char *line, int base,
                                struct attend_error *err)
{
    return links_parse(links, line, strlen(line), base, "a.txt", 7, err);
}

static void assert_link(const struct links *links, int i, int source, int target, bool sure)
{
    assert_int_equal(links->item[i].source, source);
    assert_int_equal(links->item[i].target, target);
    assert_int_equal(links->item[i].sure, sure);
}

TEST(links_parse_reads_sure_and_possible_ones_in_any_order)
{
    struct links links = {0};
    assert_int_equal(parse(&links, "2-0 0p11\t0-3 ", 0, NULL), ATTEND_OK);
    assert_int_equal(links.count, 3);
    assert_link(&links, 0, 0, 3, true);
    assert_link(&links, 1, 0, 11, false);
    assert_link(&links, 2, 2, 0, true);
    links_release(&links);
}

TEST(links_parse_counts_from_its_base)
{
    struct links links = {0};
    assert_int_equal(parse(&links, "1-2 1000000p1", 1, NULL), ATTEND_OK);
    assert_link(&links, 0, 0, 1, true);
    assert_link(&links, 1, 999999, 0, false);
    links_release(&links);
}

TEST(links_parse_keeps_each_pair_once_and_sure_wins)
{
    struct links links = {0};
    assert_int_equal(parse(&links, "1p1 0-0 1-1 1p1 0-0", 0, NULL), ATTEND_OK);
    assert_int_equal(links.count, 2);
    assert_link(&links, 0, 0, 0, true);
    assert_link(&links, 1, 1, 1, true);
    links_release(&links);
}

TEST(links_parse_replaces_what_was_there)
{
    struct links links = {0};
    assert_int_equal(parse(&links, "0-0 1-1", 0, NULL), ATTEND_OK);
    assert_int_equal(parse(&links, "5-6", 0, NULL), ATTEND_OK);
    assert_int_equal(links.count, 1);
    assert_link(&links, 0, 5, 6, true);
    assert_int_equal(parse(&links, " ", 0, NULL), ATTEND_OK);
    assert_int_equal(links.count, 0);
    assert_int_equal(links_parse(&links, NULL, 0, 0, "a.txt", 1, NULL), ATTEND_OK);
    links_release(&links);
}

TEST(links_parse_refuses_what_is_no_link)
{
    const char *bad[] = {"1",    "-",       "1-",        "-1",        "1-2-3",
                         "1--2", "1:2",     "1-p",       "a-b",       "1P2",
                         "1-2,", "+1-2",    "1000001-2", "1-1000001", "1-99999999999999999999",
                         "1-2x", "\xC3\xA9"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct links links = {0};
        struct attend_error err;
        char line[64], want[160];
        snprintf(line, sizeof line, "0-0 %s 1-1", bad[i]);
        snprintf(want, sizeof want,
                 "a.txt:7: '%s' is not a link; write 3-4 for a sure link, 3p4 for a possible one",
                 bad[i]);
        assert_int_equal(parse(&links, line, 0, &err), ATTEND_DATA);
        assert_string_equal(err.message, want);
        assert_int_equal(links.count, 0);
        links_release(&links);
    }
}

TEST(links_parse_refuses_a_zero_where_links_count_from_one)
{
    struct links links = {0};
    struct attend_error err;
    assert_int_equal(parse(&links, "1-1 3-0", 1, &err), ATTEND_DATA);
    assert_string_equal(err.message,
                        "a.txt:7: '3-0' counts from 0, but links in this file count from 1");
    links_release(&links);
}

TEST(links_parse_quotes_little_of_what_it_refuses)
{
    struct links links = {0};
    struct attend_error err;
    /* A control byte; a character at the limit of 32 bytes. */
    assert_int_equal(parse(&links, "1-\x1B[31m", 0, &err), ATTEND_DATA);
    assert_non_null(strstr(err.message, "'1-' is not a link"));
    assert_int_equal(parse(&links, "aaaaaaaaaabbbbbbbbbbccccccccccd\xC3\xA9", 0, &err),
                     ATTEND_DATA);
    assert_non_null(strstr(err.message, "'aaaaaaaaaabbbbbbbbbbccccccccccd' is not a link"));
    links_release(&links);
}

TEST(links_parse_stops_at_the_length_it_is_given)
{
    struct links links = {0};
    assert_int_equal(links_parse(&links, "1-23", 3, 0, "a.txt", 1, NULL), ATTEND_OK);
    assert_link(&links, 0, 1, 2, true);
    links_release(&links);
}

TEST(links_add_keeps_a_sorted_set)
{
    struct links links = {0};
    for (int i = 0; i < 1000; i++) {
        const struct link one = {.source = i * 7 % 100, .target = i * 3 % 10, .sure = i % 2};
        assert_int_equal(links_add(&links, one, NULL), ATTEND_OK);
    }
    assert_int_equal(links.count, 100);
    for (int i = 1; i < links.count; i++)
        assert_true(links.item[i - 1].source < links.item[i].source);
    assert_true(links_find(&links, 7, 3)->sure);
    assert_null(links_find(&links, 7, 4));
    assert_int_equal(links_add(&links, (struct link){7, 4, false}, NULL), ATTEND_OK);
    assert_int_equal(links_add(&links, (struct link){7, 4, true}, NULL), ATTEND_OK);
    assert_int_equal(links_add(&links, (struct link){7, 4, false}, NULL), ATTEND_OK);
    assert_int_equal(links.count, 101);
    assert_true(links_find(&links, 7, 4)->sure);
    links_clear(&links);
    assert_null(links_find(&links, 7, 3));
    links_release(&links);
}

TEST(links_turn_exchanges_the_sides_and_keeps_the_order)
{
    struct links links = {0};
    links_turn(&links);
    assert_int_equal(parse(&links, "0-2 0p3 1-0 2-2", 0, NULL), ATTEND_OK);
    links_turn(&links);
    assert_int_equal(links.count, 4);
    assert_link(&links, 0, 0, 1, true);
    assert_link(&links, 1, 2, 0, true);
    assert_link(&links, 2, 2, 2, true);
    assert_link(&links, 3, 3, 0, false);
    links_release(&links);
}

TEST(links_print_orders_by_target_then_source)
{
    struct links links = {0};
    struct strbuf text = {0};
    links_print(&links, &text);
    assert_int_equal(text.length, 0);
    assert_int_equal(parse(&links, "0-2 3-0 2p2 1-0 10-1", 0, NULL), ATTEND_OK);
    links_print(&links, &text);
    assert_string_equal(text.text, "1-0 3-0 10-1 0-2 2p2");
    assert_link(&links, 0, 0, 2, true);
    strbuf_release(&text);
    links_release(&links);
}

TEST(links_beyond_finds_words_that_are_not_there)
{
    struct links links = {0};
    assert_null(links_beyond(&links, 0, 0));
    assert_int_equal(parse(&links, "0-2 3-1", 0, NULL), ATTEND_OK);
    assert_null(links_beyond(&links, 4, 3));
    assert_ptr_equal(links_beyond(&links, 3, 3), &links.item[1]);
    assert_ptr_equal(links_beyond(&links, 4, 2), &links.item[0]);
    links_release(&links);
}

TEST(links_from_weights_joins_each_target_word_to_the_source_word_it_attends_to_most)
{
    static const float weight[] = {
        0.2F, 0.7F, 0.1F, /* the first target word */
        0.1F, 0.1F, 0.8F, /* attends to </s> */
        0.4F, 0.4F, 0.2F, /* the first of two equals */
    };
    struct links links = {0};
    assert_int_equal(links_from_weights(&links, weight, 3, 3, 0, true, NULL), ATTEND_OK);
    assert_int_equal(links.count, 2);
    assert_link(&links, 0, 0, 2, true);
    assert_link(&links, 1, 1, 0, true);
    assert_int_equal(links_from_weights(&links, weight, 3, 3, 1, true, NULL), ATTEND_OK);
    assert_int_equal(links.count, 2);
    assert_link(&links, 0, 0, 0, true); /* the first column does not count */
    assert_int_equal(links_from_weights(&links, weight, 3, 3, 0, false, NULL), ATTEND_OK);
    assert_int_equal(links.count, 3); /* without </s>, the last column is a word like others */
    assert_int_equal(links_from_weights(&links, NULL, 0, 3, 0, true, NULL), ATTEND_OK);
    assert_int_equal(links.count, 0);
    links_release(&links);
}
