#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_TESTS = 128 };
static struct CMUnitTest tests[MAX_TESTS];
static size_t count;

void test_register(const char *name, CMUnitTestFunction function)
{
    if (count == MAX_TESTS)
        abort();
    tests[count++] = (struct CMUnitTest){.name = name, .test_func = function};
}

void test_near(double got, double want, double tolerance, const char *file, int line)
{
    if (fabs(got - want) <= tolerance * fmax(1, fabs(want)))
        return;
    print_error("%.9g is not within %g of %.9g\n", got, tolerance, want);
    _fail(file, line);
}

int main(void) { return _cmocka_run_group_tests("unit", tests, count, NULL, NULL) != 0; }
