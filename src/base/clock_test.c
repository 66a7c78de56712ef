#include "base/clock.h"

#include "test.h"

#include <unistd.h>

TEST(clock_goes_forward_in_seconds)
{
    const double before = clock_seconds();
    usleep(20000);
    const double passed = clock_seconds() - before;
    assert_true(passed >= 0.019 && passed < 60);
}
