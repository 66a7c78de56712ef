#include "attend/explain.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct attend_mean none = {(double)NAN, (double)NAN, (double)NAN};

/* The result for a model without gradients, which lacks those measures. */
static struct attend_faithfulness without_gradients(void)
{
    struct attend_faithfulness f = {.pairs = 3, .words = 14, .agreement = {0.5, 0.25, 0.75}};
    for (int k = 0; k < ATTEND_MEASURES; k++)
        f.kendall[k] = f.spearman[k] = none;
    for (int c = 0; c < ATTEND_ORDERS; c++)
        f.area[c] = c == ATTEND_GRADIENT || c == ATTEND_INTEGRATED
                        ? none
                        : (struct attend_mean){-2 - c, -3 - c, -1 - c};
    f.kendall[ATTEND_LEAVE_ONE_OUT] = (struct attend_mean){0.125, -0.25, 0.375};
    return f;
}

TEST(faithfulness_text_has_a_row_for_each_measure_that_is_there)
{
    const struct attend_faithfulness f = without_gradients();
    char *text = attend_faithfulness_text(&f, 0);
    assert_non_null(strstr(text, "3 pairs, 14 target words"));
    assert_non_null(strstr(text, "  0.1250 [-0.2500,  0.3750]"));
    assert_non_null(strstr(text, attend_measure_name(ATTEND_RANDOM)));
    assert_null(strstr(text, attend_measure_name(ATTEND_GRADIENT)));
    assert_non_null(strstr(text, "50.0% of words [25.0, 75.0]"));
    assert_null(strstr(text, "nan"));
    free(text);
}

TEST(faithfulness_json_says_null_where_there_is_nothing)
{
    const struct attend_faithfulness f = without_gradients();
    char *json = attend_faithfulness_json(&f);
    assert_non_null(
        strstr(json, "\"leave_one_out\":{\"mean\":0.125,\"low\":-0.25,\"high\":0.375}"));
    assert_non_null(strstr(json, "{\"mean\":null,\"low\":null,\"high\":null}"));
    assert_non_null(strstr(json, "\"agreement\":{\"mean\":0.5,\"low\":0.25,\"high\":0.75}"));
    assert_null(strstr(json, "nan"));
    free(json);
}
