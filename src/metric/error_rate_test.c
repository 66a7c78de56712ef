#include "metric/error_rate.h"
#include "test.h"

TEST(error_rate_counts_lines_that_are_right_as_a_whole)
{
    const char *hypothesis[] = {"a b c", "a b", "", "x"},
               *reference[] = {"a b c", "a b c", "", "y"};
    assert_int_equal(error_rate_correct(hypothesis, reference, 4), 2);
    assert_near(error_rate_accuracy(hypothesis, reference, 4), 0.5, 1e-12);
    assert_near(error_rate_accuracy(hypothesis, reference, 0), 0, 0);
}

TEST(error_rate_white_space_counts_only_as_a_gap)
{
    static const struct {
        const char *one, *other;
        int same;
    } cases[] = {
        {" a  b\t", "a b", 1},   {"a\r\n", "a", 1},  {" \t", "", 1}, {"a\tb", "a \n b", 1},
        {"ab", "a b", 0},        {"a b", "a bc", 0}, {"a", "", 0},   {"a ", "a b", 0},
        {"a  b c", "a b  d", 0}, {"A", "a", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(error_rate_correct(&cases[i].one, &cases[i].other, 1), cases[i].same);
        assert_int_equal(error_rate_correct(&cases[i].other, &cases[i].one, 1), cases[i].same);
    }
}
