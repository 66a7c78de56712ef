/* Lists of words: their bytes, and bytes from elsewhere. */
#include "text/shortlist.h"

#include "base/strbuf.h"
#include "test.h"

#include <string.h>

enum { SOURCES = 3, TARGETS = 20000 };

static enum attend_status read(struct shortlist **out, const void *bytes, size_t length)
{
    return shortlist_read(out, bytes, length, SOURCES, TARGETS, "m", NULL);
}

TEST(shortlist_of_its_bytes_has_the_words_in_their_order)
{
    static const int first[] = {127, 128, 3, 16383, 16384, 19999}, last[] = {5, 4};
    struct strbuf s = {0};
    struct shortlist *l = NULL;
    int word[SHORTLIST_LONGEST];
    shortlist_write(&s, first, 6);
    shortlist_write(&s, NULL, 0);
    shortlist_write(&s, last, 1);
    shortlist_write(&s, last, 2); /* the frequent words */
    assert_int_equal(read(&l, s.text, s.length), ATTEND_OK);
    assert_int_equal(shortlist_words(l, 0, 100, word), 6);
    assert_memory_equal(word, first, sizeof first);
    assert_int_equal(shortlist_words(l, 0, 2, word), 2);
    assert_memory_equal(word, first, 2 * sizeof *word);
    assert_int_equal(shortlist_words(l, 1, 100, word), 0);
    assert_int_equal(shortlist_words(l, 2, 100, word), 1);
    assert_int_equal(word[0], 5);
    assert_int_equal(shortlist_words(l, SOURCES, 1, word), 2);
    assert_memory_equal(word, last, sizeof last);
    shortlist_free(l);
    strbuf_release(&s);
}

TEST(shortlist_refuses_bytes_that_are_not_lists)
{
    static const struct {
        const char *bytes;
        size_t length;
    } wrong[] = {
        {"", 0},
        {"\0\0\0", 3},                       /* a list is missing */
        {"\0\0\0\0\0", 5},                   /* one too many */
        {"\0\0\0\2\1", 5},                   /* a word is missing */
        {"\0\0\0\1\xa0", 5},                 /* a number is cut off */
        {"\0\0\0\1\xa0\x9c\x01", 7},         /* the id 20000 */
        {"\0\0\0\1\xff\xff\xff\xff\x7f", 9}, /* more bits than an id has */
        {"\xe9\x07", 2},                     /* a list of 1001 words */
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct shortlist *l = NULL;
        assert_int_equal(read(&l, wrong[i].bytes, wrong[i].length), ATTEND_FORMAT);
        assert_null(l);
    }
}

/* Whatever the bytes are, reading ends, and what is accepted names words that exist. */
TEST(shortlist_of_any_bytes_stays_in_bounds)
{
    unsigned char bytes[12];
    int word[SHORTLIST_LONGEST], good = 0;
    unsigned number = 1;
    for (int i = 0; i < 200000; i++) {
        const size_t length = 4 + (size_t)(i % 9);
        for (size_t k = 0; k < length; k++) {
            number = number * 1664525 + 1013904223;
            bytes[k] = (unsigned char)(number >> 24) & (i % 2 ? 0x83 : 0x03);
        }
        struct shortlist *l = NULL;
        if (read(&l, bytes, length))
            continue;
        good++;
        for (int s = 0; s <= SOURCES; s++)
            for (int k = shortlist_words(l, s, SHORTLIST_LONGEST, word); k > 0; k--)
                assert_in_range((unsigned)word[k - 1], 0, TARGETS - 1);
        shortlist_free(l);
    }
    assert_true(good > 100);
}
