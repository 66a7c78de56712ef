#include "base/usage.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

/* volatile, so that the bytes are written although nobody reads them. */
TEST(usage_peak_grows_with_memory_that_is_touched_and_stays)
{
    enum { MB = 40 };
    const double before = usage_peak_mb();
    assert_true(before > 0.5);
    volatile char *block = malloc((size_t)MB << 20);
    assert_non_null(block);
    for (size_t i = 0; i < (size_t)MB << 20; i += 4096)
        block[i] = 1;
    const double with = usage_peak_mb();
    free((void *)block);
    assert_true(with > before + 0.9 * MB - 10);
    assert_true(usage_peak_mb() >= with);
}
