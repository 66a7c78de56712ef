#include "base/checksum.h"

#include "base/rng.h"
#include "test.h"

#include <string.h>

enum { LONGEST = 200 };

static void fill(unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = (unsigned char)rng_bits(1, i);
}

static uint64_t sum_of(const void *bytes, size_t length)
{
    struct checksum c;
    checksum_init(&c);
    checksum_add(&c, bytes, length);
    return checksum_value(&c);
}

/* The definition in the header, computed one byte at a time. */
static uint64_t plain(const unsigned char *bytes, size_t length)
{
    uint64_t lane[4], sum = length;
    for (uint64_t i = 0; i < 4; i++)
        lane[i] = (i + 1) * 0x9e3779b97f4a7c15u;
    for (size_t word = 0; word < (length + 31) / 32 * 4; word++) {
        uint64_t w = 0;
        for (size_t i = 8; i-- > 0;)
            w = w * 256 + (word * 8 + i < length ? bytes[word * 8 + i] : 0);
        const uint64_t product = (lane[word % 4] ^ w) * 0x9fb21c651e98df25u;
        lane[word % 4] = product * ((uint64_t)1 << 29) + product / ((uint64_t)1 << 35);
    }
    for (int i = 0; i < 4; i++)
        sum = rng_mix(sum ^ lane[i]);
    return sum;
}

TEST(checksum_of_every_length_follows_the_definition)
{
    unsigned char bytes[LONGEST];
    fill(bytes, LONGEST);
    for (size_t length = 0; length <= LONGEST; length++)
        assert_true(sum_of(bytes, length) == plain(bytes, length));
}

/* Model files store these sums. */
TEST(checksum_of_known_bytes_never_changes)
{
    assert_true(sum_of("", 0) == 0xaaffdc6c8cf7420bu);
    assert_true(sum_of("where did it look?", 18) == 0x4ae904131d272b68u);
}

TEST(checksum_cut_anywhere_stays_the_same)
{
    unsigned char bytes[LONGEST];
    fill(bytes, LONGEST);
    const uint64_t whole = sum_of(bytes, LONGEST);
    for (size_t first = 0; first <= LONGEST; first++)
        for (size_t second = first; second <= LONGEST; second += 7) {
            struct checksum c;
            checksum_init(&c);
            checksum_add(&c, bytes, first);
            checksum_add(&c, bytes + first, second - first);
            checksum_add(&c, bytes + second, LONGEST - second);
            assert_true(checksum_value(&c) == whole);
        }
}

TEST(checksum_asked_for_in_between_goes_on_unchanged)
{
    struct checksum c;
    checksum_init(&c);
    checksum_add(&c, "where did ", 10);
    assert_true(checksum_value(&c) == sum_of("where did ", 10));
    checksum_add(&c, "it look?", 8);
    assert_true(checksum_value(&c) == sum_of("where did it look?", 18));
}

TEST(checksum_any_flipped_bit_changes_the_sum)
{
    unsigned char bytes[LONGEST];
    fill(bytes, LONGEST);
    const uint64_t whole = sum_of(bytes, LONGEST);
    for (size_t bit = 0; bit < 8 * LONGEST; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(sum_of(bytes, LONGEST) != whole);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

TEST(checksum_swapped_words_and_blocks_change_the_sum)
{
    unsigned char bytes[LONGEST], swapped[LONGEST];
    fill(bytes, LONGEST);
    for (size_t distance = 8; distance <= 64; distance += 8) {
        memcpy(swapped, bytes, LONGEST);
        memcpy(swapped, bytes + distance, 8);
        memcpy(swapped + distance, bytes, 8);
        assert_true(sum_of(swapped, LONGEST) != sum_of(bytes, LONGEST));
    }
}

TEST(checksum_zeros_of_different_lengths_differ)
{
    static const unsigned char zeros[LONGEST];
    for (size_t a = 0; a < LONGEST; a++)
        assert_true(sum_of(zeros, a) != sum_of(zeros, a + 1));
}
