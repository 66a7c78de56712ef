#include "text/choose_case.h"

#include "lines_walk.h"
#include "test.h"
#include "text/tokenizer.h"

#include <string.h>

static struct case_facts facts_of(const char *text, bool separated, bool features)
{
    struct case_facts facts = {.separated = separated};
    struct lines lines;
    assert_true(lines_of(&lines, text));
    struct lines_walk walk = {.lines = &lines};
    case_facts_gather(&facts, &(struct tokenizer_walk){lines_walk_next, &walk}, features);
    lines_release(&lines);
    return facts;
}

static void assert_chooses(struct case_facts source, struct case_facts target, const char *want)
{
    struct case_choice choice;
    case_choose(&choice, &source, &target);
    assert_string_equal(choice.name, want);
    assert_int_equal(strncmp(choice.reason, "case: ", 6), 0);
    assert_non_null(strstr(choice.reason, want));
    assert_non_null(strstr(choice.reason, ", because "));
}

TEST(case_follows_the_letters_of_both_sides)
{
    const struct case_facts small = facts_of("the cat\n", false, false),
                            capitals = facts_of("ABACUS\n", false, false),
                            both = facts_of("The cat\n", false, false),
                            none = facts_of("\xE4\xBD\xA0\xE5\xA5\xBD 12\n", false, false),
                            symbols = facts_of("@ b E\n", true, false);
    assert_chooses(small, both, "lower");
    assert_chooses(capitals, both, "lower");
    assert_chooses(both, both, "marked");
    assert_chooses(both, small, "lower");
    assert_chooses(both, none, "lower");
    assert_chooses(both, symbols, "lower");
    assert_chooses(symbols, both, "keep");
    assert_chooses(none, both, "keep");
    assert_chooses(facts_of("", false, false), both, "keep");
}

TEST(case_ignores_features)
{
    const struct case_facts facts = facts_of("walk\tV;PST\n", false, true);
    assert_int_equal(facts.upper, 0);
    assert_int_equal(facts.lower, 4);
    assert_int_equal(facts_of("walk\tV;PST\n", false, false).upper, 4);
}
