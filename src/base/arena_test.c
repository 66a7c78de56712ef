#include "base/arena.h"

#include "test.h"

#include <stdint.h>
#include <string.h>

/* Takes blocks of odd sizes, as a layer's bind does. */
struct sample {
    char *bytes;
    double *numbers;
    int *none;
    float *last;
};

static void sample_bind(struct sample *s, struct arena *a)
{
    s->bytes = arena_take(a, 1, 3);
    s->numbers = arena_take(a, sizeof *s->numbers, 17);
    s->none = arena_take(a, sizeof *s->none, 0);
    s->last = arena_take(a, sizeof *s->last, 64);
}

static void assert_aligned(const void *p) { assert_int_equal((uintptr_t)p % ARENA_ALIGNMENT, 0); }

TEST(arena_without_a_block_counts_and_hands_out_null)
{
    struct arena count = {0};
    struct sample s;
    sample_bind(&s, &count);
    assert_null(s.bytes);
    assert_null(s.last);
    assert_int_equal(count.used, 64 + 192 + 0 + 256);
    assert_int_equal(count.size, 0);
}

TEST(arena_binds_exactly_what_it_measured)
{
    struct arena count = {0}, arena = {0};
    struct sample s;
    sample_bind(&s, &count);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    sample_bind(&s, &arena);
    assert_int_equal(arena.used, count.used);
    assert_true(arena.size >= arena.used);
    arena_release(&arena);
}

TEST(arena_blocks_are_aligned_and_do_not_overlap)
{
    struct arena arena = {0};
    struct sample s;
    assert_int_equal(arena_reserve(&arena, 512, NULL), ATTEND_OK);
    sample_bind(&s, &arena);
    assert_aligned(s.bytes);
    assert_aligned(s.numbers);
    assert_aligned(s.last);
    memset(s.bytes, 1, 3);
    memset(s.numbers, 2, 17 * sizeof *s.numbers);
    memset(s.last, 3, 64 * sizeof *s.last);
    assert_int_equal(s.bytes[2], 1);
    assert_int_equal(((const char *)s.numbers)[0], 2);
    assert_int_equal(((const char *)(s.numbers + 17))[-1], 2);
    arena_release(&arena);
}

TEST(arena_reserve_keeps_a_block_that_is_large_enough)
{
    struct arena arena = {0};
    assert_int_equal(arena_reserve(&arena, 1000, NULL), ATTEND_OK);
    const unsigned char *block = arena.block;
    const size_t size = arena.size;
    arena_take(&arena, 1, 900);
    assert_int_equal(arena_reserve(&arena, 1000, NULL), ATTEND_OK);
    assert_int_equal(arena.used, 0);
    assert_int_equal(arena_reserve(&arena, 10, NULL), ATTEND_OK);
    assert_ptr_equal(arena.block, block);
    assert_int_equal(arena.size, size);
    arena_release(&arena);
}

TEST(arena_reserve_grows_a_block_that_is_too_small)
{
    struct arena arena = {0};
    assert_int_equal(arena_reserve(&arena, 100, NULL), ATTEND_OK);
    assert_int_equal(arena_reserve(&arena, 100000, NULL), ATTEND_OK);
    assert_true(arena.size >= 100000);
    memset(arena_take(&arena, 1, 100000), 7, 100000);
    arena_release(&arena);
}

/* A huge page is 2 MB; only one that is at least half full may be added at the end. */
TEST(arena_of_huge_pages_starts_at_one_and_wastes_less_than_half_of_one)
{
    const size_t page = (size_t)1 << 21;
    for (size_t more = 100; more < page; more += page / 4) {
        const size_t bytes = 2 * page + more;
        struct arena arena = {0};
        assert_int_equal(arena_reserve(&arena, bytes, NULL), ATTEND_OK);
        assert_int_equal((uintptr_t)arena.block % page, 0);
        assert_true(arena.size >= bytes && arena.size < bytes + page / 2);
        memset(arena_take(&arena, 1, bytes), 7, bytes);
        arena_release(&arena);
    }
}

TEST(arena_of_nothing_still_has_a_block)
{
    struct arena arena = {0};
    assert_int_equal(arena_reserve(&arena, 0, NULL), ATTEND_OK);
    assert_non_null(arena.block);
    assert_non_null(arena_take(&arena, 8, 0));
    arena_release(&arena);
}

/* Sanitizers need allocator_may_return_null=1 here; the test presets set it. */
TEST(arena_out_of_memory_is_reported_and_leaves_it_empty)
{
    struct arena arena = {0};
    struct attend_error err = {.message = ""};
    assert_int_equal(arena_reserve(&arena, 64, NULL), ATTEND_OK);
    assert_int_equal(arena_reserve(&arena, SIZE_MAX / 8, &err), ATTEND_NO_MEMORY);
    assert_non_null(strstr(err.message, "out of memory"));
    assert_null(arena.block);
    assert_int_equal(arena.size, 0);
    arena_release(&arena);
}

TEST(arena_release_empties_and_may_be_repeated)
{
    struct arena arena = {0};
    assert_int_equal(arena_reserve(&arena, 64, NULL), ATTEND_OK);
    arena_release(&arena);
    assert_null(arena.block);
    assert_int_equal(arena.used + arena.size, 0);
    arena_release(&arena);
}
