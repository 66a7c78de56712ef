#include "test.h"

#include "tensor/simd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ATTEND_SIMD names the highest level of every test. The library reads no environment: this is the
 * tests' own switch. */
static int cap_level(void **state)
{
    (void)state;
    const char *level = getenv("ATTEND_SIMD");
    simd_cap(level ? simd_find(level) : SIMD_LEVELS);
    return 0;
}

enum { MAX_TESTS = 128 };
static struct CMUnitTest tests[MAX_TESTS];
static size_t count;

void test_register(const char *name, CMUnitTestFunction function)
{
    if (count == MAX_TESTS)
        abort();
    /* Before each test, because tests that compare levels leave the highest behind. */
    tests[count++] =
        (struct CMUnitTest){.name = name, .test_func = function, .setup_func = cap_level};
}

void test_levels(void (*test)(int high))
{
    if (simd_level_available() == SIMD_PLAIN)
        skip();
    for (int high = SIMD_PLAIN + 1; high <= (int)simd_level_available(); high++)
        test(high);
}

void test_near(double got, double want, double tolerance, const char *file, int line)
{
    if (fabs(got - want) <= tolerance * fmax(1, fabs(want)))
        return;
    print_error("%.9g is not within %g of %.9g\n", got, tolerance, want);
    _fail(file, line);
}

int main(void) { return _cmocka_run_group_tests("unit", tests, count, NULL, NULL) != 0; }
