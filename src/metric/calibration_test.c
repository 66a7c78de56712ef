#include "test.h"

#include "metric/calibration.h"

#include <math.h>

static const struct attend_scaling none = {1, 0, 0};

TEST(calibration_without_scaling_is_the_probability)
{
    assert_near(calibration_confidence(&none, log(0.25), 7), 0.25, 1e-12);
    assert_near(calibration_confidence(&none, log(1e-30), 7), 1e-30, 1e-30);
    assert_near(calibration_confidence(&none, 0, 7), 1, 1e-8);
    assert_near(calibration_confidence(&none, -HUGE_VAL, 7), 0, 0);
}

/* Odds of 3 to 1: log 3 / 2 + 0.5 * 2 - 1 = log sqrt 3. */
TEST(calibration_scales_log_odds)
{
    const struct attend_scaling s = {2, 0.5, -1};
    assert_near(calibration_confidence(&s, log(0.75), 2), sqrt(3) / (1 + sqrt(3)), 1e-12);
}

enum { MANY = 20000 };

/* Answers that are right as often as a known scaling says. */
static void make(struct attend_answer *answer, const struct attend_scaling *s)
{
    double debt = 0; /* of right answers; spreads them without random numbers */
    for (int i = 0; i < MANY; i++) {
        const double p = (i * 7919 % MANY + 0.5) / MANY;
        answer[i] = (struct attend_answer){.log_probability = log(p), .tokens = 3 + i % 11};
        debt += calibration_confidence(s, log(p), answer[i].tokens);
        answer[i].right = debt >= 0.5;
        debt -= answer[i].right;
        answer[i].confidence = p;
    }
}

TEST(calibration_finds_the_scaling_that_made_the_answers)
{
    static struct attend_answer answer[MANY];
    const struct attend_scaling s = {0.5, 0.2, -1};
    make(answer, &s);
    /* The spread answers are not independent draws, so the fit is near, not exact. */
    const struct attend_scaling found = calibration_fit(answer, MANY, 10, -1);
    assert_near(found.temperature, s.temperature, 0.05);
    assert_near(found.length, s.length, 0.05);
    assert_near(found.bias, s.bias, 0.2);
    struct attend_calibration c;
    assert_int_equal(attend_calibrate(&c, answer, MANY, NULL), ATTEND_OK);
    assert_true(c.before.ece > 0.05 && c.after.ece < 0.01);
    assert_true(c.after.nll < c.before.nll);
    assert_int_equal(c.lines, MANY);
}

TEST(calibration_of_answers_that_are_all_right_or_all_wrong_stays_finite)
{
    for (int right = 0; right < 2; right++) {
        struct attend_answer answer[40];
        for (int i = 0; i < 40; i++)
            answer[i] = (struct attend_answer){-0.1 * (i + 1), 5, exp(-0.1 * (i + 1)), right};
        const struct attend_scaling s = calibration_fit(answer, 40, 10, -1);
        assert_true(isfinite(s.temperature) && s.temperature > 0 && isfinite(s.bias));
        const double first = calibration_confidence(&s, -0.1, 5);
        assert_true(right ? first > 0.9 && first < 1 : first < 0.2 && first > 0);
        /* A likelier answer is surer even so. */
        assert_true(first > calibration_confidence(&s, -4, 5));
    }
}

/* Answers so improbable that their confidence rounds to 0: the fit gets away from there. */
TEST(calibration_of_long_answers_is_found_too)
{
    struct attend_answer answer[400];
    for (int i = 0; i < 400; i++)
        answer[i] = (struct attend_answer){-40 - 0.1 * i, 12, 0, i * 37 % 100 > i / 4};
    struct attend_calibration c;
    assert_int_equal(attend_calibrate(&c, answer, 400, NULL), ATTEND_OK);
    assert_true(c.before.ece > 0.4);
    assert_true(c.after.ece < 0.1);
    assert_true(calibration_confidence(&c.scaling, -40, 12) > 0.9);
    assert_true(calibration_confidence(&c.scaling, -80, 12) < 0.1);
}

/* A model that is surest when wrong: the temperature stays positive. */
TEST(calibration_temperature_is_positive)
{
    struct attend_answer answer[400];
    for (int i = 0; i < 400; i++)
        answer[i] = (struct attend_answer){-0.01 * (i + 1), 5, exp(-0.01 * (i + 1)), i > 200};
    const struct attend_scaling s = calibration_fit(answer, 400, 10, -1);
    assert_true(s.temperature > 0 && isfinite(s.temperature));
}

/* Bins: 0.05 wrong; 0.95 right, 1 right, 0.95 wrong. ECE = (0.05 + |2.9 - 2|) / 4. */
TEST(calibration_reliability_as_by_hand)
{
    struct attend_reliability r = {.ece = 0};
    reliability_add(&r, 0.05, false);
    reliability_add(&r, 0.95, true);
    reliability_add(&r, 1, true);
    reliability_add(&r, 0.95, false);
    reliability_finish(&r);
    assert_int_equal(r.bin[0].lines, 1);
    assert_int_equal(r.bin[9].lines, 3);
    assert_near(r.bin[9].said, 2.9 / 3, 1e-12);
    assert_near(r.bin[9].right, 2.0 / 3, 1e-12);
    assert_near(r.ece, 0.95 / 4, 1e-12);
    assert_near(r.nll, -(2 * log(0.95) + log(1) + log(1 - 0.95)) / 4, 1e-9);
}

TEST(calibration_needs_enough_answers)
{
    struct attend_answer answer[19] = {{0}};
    struct attend_calibration c;
    struct attend_error err;
    assert_int_equal(attend_calibrate(&c, answer, 19, &err), ATTEND_DATA);
    assert_string_equal(err.message, "calibration needs 20 lines or more, and there are only 19");
}
