/* A unit test is `TEST(gru_backward_matches_finite_differences) { ... }`: it registers itself,
 * test_main.c runs all tests of its program under cmocka. Assertions are cmocka's, plus
 * assert_near. ATTEND_SIMD=0 in the environment runs them without the code for AVX2. */
#ifndef ATTEND_TESTS_TEST_H
#define ATTEND_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void test_register(const char *name, CMUnitTestFunction function);

#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void register_##name(void) { test_register(#name, name); } \
    static void name(void **state __attribute__((unused)))

/* |got - want| <= tolerance * max(1, |want|). */
void test_near(double got, double want, double tolerance, const char *file, int line);
#define assert_near(got, want, tolerance) test_near(got, want, tolerance, __FILE__, __LINE__)

#endif
