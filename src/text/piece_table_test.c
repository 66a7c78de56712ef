#include "test.h"
#include "text/piece_table.h"

#include <stdio.h>
#include <string.h>

TEST(piece_table_empty_finds_nothing)
{
    struct piece_table t = {0};
    assert_int_equal(piece_table_find(&t, "a", 1), -1);
    piece_table_release(&t);
}

TEST(piece_table_numbers_pieces_in_order_of_arrival)
{
    struct piece_table t = {0};
    assert_int_equal(piece_table_add(&t, "b", 1), 0);
    assert_int_equal(piece_table_add(&t, "a", 1), 1);
    assert_int_equal(piece_table_add(&t, "b", 1), 0);
    assert_int_equal(t.count, 2);
    assert_string_equal(piece_table_at(&t, 1), "a");
    piece_table_release(&t);
}

TEST(piece_table_prefix_is_another_piece)
{
    struct piece_table t = {0};
    const char *text = "abc";
    assert_int_equal(piece_table_add(&t, text, 2), 0);
    assert_int_equal(piece_table_add(&t, text, 3), 1);
    assert_int_equal(piece_table_find(&t, text, 1), -1);
    assert_string_equal(piece_table_at(&t, 0), "ab");
    piece_table_release(&t);
}

TEST(piece_table_prefixes_that_share_slots_stay_apart)
{
    /* 60 pieces, each a prefix of the next, in 128 slots: many collisions. */
    enum { LONGEST = 120 };
    struct piece_table t = {0};
    char text[LONGEST];
    for (int i = 0; i < LONGEST; i++)
        text[i] = (char)('a' + i % 7);
    for (int length = 2; length <= LONGEST; length += 2)
        assert_int_equal(piece_table_add(&t, text, (size_t)length), length / 2 - 1);
    for (int length = 1; length < LONGEST; length += 2)
        assert_int_equal(piece_table_find(&t, text, (size_t)length), -1);
    for (int length = 2; length <= LONGEST; length += 2)
        assert_int_equal(piece_table_find(&t, text, (size_t)length), length / 2 - 1);
    piece_table_release(&t);
}

TEST(piece_table_many_pieces_are_all_found_again)
{
    enum { MANY = 20000 };
    struct piece_table t = {0};
    char piece[16];
    for (int i = 0; i < MANY; i++) {
        const int length = snprintf(piece, sizeof piece, "%x", i);
        assert_int_equal(piece_table_add(&t, piece, (size_t)length), i);
    }
    for (int i = 0; i < MANY; i++) {
        const int length = snprintf(piece, sizeof piece, "%x", i);
        assert_int_equal(piece_table_find(&t, piece, (size_t)length), i);
        assert_string_equal(piece_table_at(&t, i), piece);
    }
    assert_int_equal(piece_table_find(&t, "ffffff", 6), -1);
    piece_table_release(&t);
}

TEST(piece_table_reserve_keeps_what_is_there_and_makes_room_once)
{
    struct piece_table t = {0};
    char piece[16];
    assert_int_equal(piece_table_add(&t, "first", 5), 0);
    assert_true(piece_table_reserve(&t, 1000));
    const int *slots = t.slot;
    for (int i = 1; i < 1000; i++) {
        snprintf(piece, sizeof piece, "%d", i);
        assert_int_equal(piece_table_add(&t, piece, strlen(piece)), i);
    }
    assert_ptr_equal(t.slot, slots);
    assert_int_equal(piece_table_find(&t, "first", 5), 0);
    assert_int_equal(piece_table_find(&t, "999", 3), 999);
    piece_table_release(&t);
}
