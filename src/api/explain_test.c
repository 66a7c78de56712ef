#include "test.h"

#include "attend/explain.h"

#include <math.h>
#include <stdlib.h>

/* Ranks use absolute values, and so must pictures: the only positive value of a row may be its
 * smallest in size. */
TEST(explain_shares_are_sizes_by_their_row)
{
    float attention[] = {0.9f, 0.1f, 0, 0.5f, 0.25f, 0.25f},
          value[] = {-3, 1, (float)NAN, 0, 0, (float)NAN};
    const struct attend_explanation e = {
        .source_count = 3, .target_count = 2, .value = {attention, [ATTEND_GRADIENT] = value}};
    float *share = attend_explanation_shares(&e, ATTEND_GRADIENT);
    assert_near((double)share[0], 0.75, 1e-6);
    assert_near((double)share[1], 0.25, 1e-6);
    assert_true(isnan(share[2]));
    assert_near((double)share[3], 0, 0); /* a row of zeros gives 0, not 0 / 0 */
    free(share);
    share = attend_explanation_shares(&e, ATTEND_ATTENTION);
    assert_memory_equal(share, attention, sizeof attention);
    free(share);
    assert_null(attend_explanation_shares(&e, ATTEND_INTEGRATED));
}
