/* Counting links, and the lists that come of it. */
#include "text/link_counts.h"

#include "base/strbuf.h"
#include "test.h"
#include "text/shortlist.h"

enum { SOURCES = 5, TARGETS = 6 };

static struct shortlist *lists_of(struct link_counts *c, const uint64_t *frequency, int words,
                                  int frequent)
{
    struct strbuf s = {0};
    struct shortlist *l = NULL;
    assert_int_equal(link_counts_write(c, SOURCES, words, frequency, TARGETS, frequent, &s, NULL),
                     ATTEND_OK);
    assert_int_equal(shortlist_read(&l, s.text, s.length, SOURCES, TARGETS, "m", NULL), ATTEND_OK);
    strbuf_release(&s);
    return l;
}

static void assert_list(const struct shortlist *l, int source, int count, const int *want)
{
    int word[SHORTLIST_LONGEST];
    assert_int_equal(shortlist_words(l, source, SHORTLIST_LONGEST, word), count);
    for (int k = 0; k < count; k++)
        assert_int_equal(word[k], want[k]);
}

TEST(link_counts_give_the_likeliest_words_first_and_the_smaller_id_of_equal_ones)
{
    static const int links[][3] = {{3, 5, 2}, {1, 4, 1}, {3, 2, 3}, {3, 5, 2},
                                   {1, 3, 1}, {3, 1, 1}, {1, 0, 1}};
    static const uint64_t frequency[TARGETS] = {7, 0, 9, 7, 0, 1};
    struct link_counts c = {0};
    for (int i = 0; i < 7; i++)
        assert_int_equal(link_counts_add(&c, links[i][0], links[i][1], (uint64_t)links[i][2], NULL),
                         ATTEND_OK);
    struct shortlist *l = lists_of(&c, frequency, 2, 10);
    assert_list(l, 0, 0, NULL);
    assert_list(l, 1, 2, (const int[]){0, 3});
    assert_list(l, 3, 2, (const int[]){5, 2});
    assert_list(l, SOURCES, 4, (const int[]){2, 0, 3, 5});
    shortlist_free(l);
    link_counts_release(&c);
}

/* Many more links than there are different ones: memory holds the different ones, and the order in
 * which they come does not matter. */
TEST(link_counts_of_many_links_are_their_sums_in_any_order)
{
    enum { MANY = 300000 };
    static const uint64_t frequency[TARGETS] = {0};
    for (int turn = 0; turn < 2; turn++) {
        struct link_counts c = {0};
        for (int i = 0; i < MANY; i++) {
            const int k = turn ? MANY - 1 - i : i;
            assert_int_equal(link_counts_add(&c, k % SOURCES, k % 7 % TARGETS, 1, NULL), ATTEND_OK);
        }
        assert_true(c.size <= 1 << 16);
        struct shortlist *l = lists_of(&c, frequency, SHORTLIST_LONGEST, 10);
        for (int s = 0; s < SOURCES; s++) {
            int word[SHORTLIST_LONGEST];
            assert_int_equal(shortlist_words(l, s, SHORTLIST_LONGEST, word), TARGETS);
            assert_int_equal(word[0], 0); /* of the remainders 0 and 6 */
        }
        assert_list(l, SOURCES, 0, NULL);
        shortlist_free(l);
        link_counts_release(&c);
    }
}
