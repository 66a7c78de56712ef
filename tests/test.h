/* A unit test is `TEST(gru_backward_matches_finite_differences) { ... }`: it registers itself,
 * test_main.c runs all tests of its program under cmocka. Assertions are cmocka's, plus
 * assert_near. ATTEND_SIMD=plain or avx2 in the environment runs them below the processor's highest
 * SIMD level. */
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

/* A test that compares SIMD level `high` with plain C; it runs for every level of the processor. */
#define TEST_LEVELS(name)                                                                          \
    static void name##_at(int high);                                                               \
    TEST(name) { test_levels(name##_at); }                                                         \
    static void name##_at(int high)
void test_levels(void (*test)(int high));

/* Not fmax, whose maximum over a loop stops gcc 12 for ARM with an internal error. */
static inline double larger(double a, double b) { return a > b ? a : b; }

/* |got - want| <= tolerance * max(1, |want|). */
void test_near(double got, double want, double tolerance, const char *file, int line);
#define assert_near(got, want, tolerance) test_near(got, want, tolerance, __FILE__, __LINE__)

#endif
