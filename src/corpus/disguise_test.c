#include "corpus/disguise.h"

#include "corpus/pairs.h"
#include "test.h"

#include <string.h>

static struct text_pair pair_of(const char *source, const char *target, size_t line)
{
    return (struct text_pair){.source = source,
                              .target = target,
                              .source_length = strlen(source),
                              .target_length = strlen(target),
                              .line = line};
}

TEST(disguises_show_some_pairs_in_another_case)
{
    struct disguise d = {0};
    int capitals = 0, title = 0, small = 0, same = 0;
    for (size_t line = 1; line <= 1600; line++) {
        struct text_pair seen = pair_of("The cat", "Le chat", line);
        const bool changed = disguise_pair(&d, 1, &seen);
        assert_int_equal(seen.source_length, strlen(seen.source));
        capitals += strcmp(seen.source, "THE CAT") == 0 && strcmp(seen.target, "LE CHAT") == 0;
        title += strcmp(seen.source, "The Cat") == 0 && strcmp(seen.target, "Le chat") == 0;
        small += strcmp(seen.source, "the cat") == 0 && strcmp(seen.target, "Le chat") == 0;
        same += strcmp(seen.source, "The cat") == 0 && strcmp(seen.target, "Le chat") == 0;
        assert_true(changed || strcmp(seen.source, "The cat") == 0);
    }
    assert_int_equal(capitals + title + small + same, 1600);
    assert_in_range(capitals, 70, 130);
    assert_in_range(title, 70, 130);
    assert_in_range(small, 70, 130);
    disguise_release(&d);
}

TEST(disguises_depend_on_the_key_and_the_line_alone)
{
    struct disguise a = {0}, b = {0};
    int differ = 0;
    for (size_t line = 1; line <= 200; line++) {
        const struct text_pair given = pair_of("The cat", "Le chat", line);
        struct text_pair one = given, same = given, other = given;
        disguise_pair(&a, 1, &one);
        disguise_pair(&b, 1, &same);
        assert_string_equal(one.source, same.source);
        disguise_pair(&b, 2, &other);
        differ += strcmp(one.source, other.source) != 0;
    }
    assert_true(differ > 0);
    struct text_pair empty = pair_of("", "", 1);
    for (uint64_t key = 0; key < 64; key++) {
        disguise_pair(&a, key, &empty);
        assert_int_equal(empty.source_length, 0);
    }
    disguise_release(&a);
    disguise_release(&b);
}
