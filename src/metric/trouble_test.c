#include "metric/trouble.h"

#include "test.h"

#include <math.h>

TEST(trouble_coverage_is_the_sum_of_columns_and_leaves_out_the_end)
{
    const double weight[] = {0.5, 0.25, 0.25, 0, 0.25, 0.75};
    const struct trouble_matrix m = {weight, 2, 2, 3, NULL};
    double coverage[2];
    trouble_coverage(&m, coverage);
    assert_near(coverage[0], 0.5, 1e-12);
    assert_near(coverage[1], 0.5, 1e-12);
    /* Half of each word is missing. */
    assert_near(trouble_shortage(coverage, 2), 0.5, 1e-12);
}

TEST(trouble_shortage_does_not_pay_a_word_with_what_another_has_too_much)
{
    assert_near(trouble_shortage((const double[]){3, 0, 1}, 3), 1.0 / 3, 1e-12);
    assert_near(trouble_shortage((const double[]){1, 1, 7}, 3), 0, 0);
    assert_near(trouble_shortage(NULL, 0), 0, 0);
}

TEST(trouble_entropy_of_even_rows_is_the_logarithm_of_their_width)
{
    const double weight[] = {0.25, 0.25, 0.25, 0.25, 0, 0, 1, 0};
    const struct trouble_matrix m = {weight, 4, 2, 4, NULL};
    assert_near(trouble_entropy(&m), log(4) / 2, 1e-12);
    /* The uniform row is 1 word from its center on average, the other 0. */
    assert_near(trouble_dispersion(&m), 0.5, 1e-12);
}

/* Words as numbers; row t attends to column look[t]. */
static void repetition(const int *word, const int *look, int T, struct trouble_word *out)
{
    double weight[16 * 16] = {0};
    for (int t = 0; t < T; t++)
        weight[t * 16 + look[t]] = 1;
    const struct trouble_matrix m = {weight, 16, T, 16, word};
    trouble_repetition(&m, out);
}

static double total(const struct trouble_word *said, int T)
{
    double sum = 0;
    for (int t = 0; t < T; t++)
        sum += said[t].weight;
    return sum;
}

TEST(trouble_repetition_counts_phrases_that_look_where_they_looked_before)
{
    const int word[] = {1, 2, 3, 4, 1, 2, 5};
    const int same[] = {0, 1, 2, 3, 0, 1, 4}, other[] = {0, 1, 2, 3, 5, 6, 4};
    const int half[] = {0, 1, 2, 3, 0, 6, 4};
    struct trouble_word said[7];
    struct attend_repeat repeat[7];
    repetition(word, same, 7, said);
    assert_near(total(said, 7), 2, 1e-12);
    assert_int_equal(trouble_repeats(said, 7, 0.5, repeat), 1);
    assert_int_equal(repeat[0].first, 0);
    assert_int_equal(repeat[0].again, 4);
    assert_int_equal(repeat[0].length, 2);
    repetition(word, half, 7, said);
    assert_near(total(said, 7), 1, 1e-12);
    repetition(word, other, 7, said);
    assert_near(total(said, 7), 0, 0);
    assert_int_equal(trouble_repeats(said, 7, 0.5, repeat), 0);
}

TEST(trouble_repetition_counts_what_follows_itself_at_once_wherever_it_looks)
{
    const int word[] = {1, 2, 1, 2, 3}, look[] = {0, 1, 2, 3, 4};
    struct trouble_word said[5];
    repetition(word, look, 5, said);
    assert_near(total(said, 5), 2, 1e-12);
    assert_int_equal(said[2].distance, 2);
    /* A word that occurs twice is a repetition only if both look at the same place; three times
     * always is. */
    repetition((const int[]){1, 1, 2}, (const int[]){0, 1, 2}, 3, said);
    assert_near(total(said, 3), 0, 0);
    repetition((const int[]){1, 1, 2}, (const int[]){0, 0, 2}, 3, said);
    assert_near(total(said, 3), 1, 1e-12);
    repetition((const int[]){1, 1, 1}, (const int[]){0, 1, 2}, 3, said);
    assert_near(total(said, 3), 2, 1e-12);
}

TEST(trouble_repetition_passes_over_single_words_and_empty_targets)
{
    const int word[] = {1, 2, 3, 1}, look[] = {0, 1, 2, 0};
    struct trouble_word said[4];
    repetition(word, look, 4, said);
    assert_near(total(said, 4), 0, 0);
    repetition(word, look, 0, said);
    const struct trouble_matrix none = {NULL, 0, 0, 0, NULL};
    assert_near(trouble_entropy(&none) + trouble_dispersion(&none), 0, 0);
}
