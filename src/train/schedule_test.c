#include "train/schedule.h"

#include "test.h"
#include "train/trainer.h"

static struct schedule make(const struct schedule_ops *ops)
{
    return (struct schedule){.ops = ops, .base = 0.02, .decay = 0.5, .decay_from = 3};
}

TEST(schedule_find_knows_the_table_and_nothing_else)
{
    assert_ptr_equal(schedule_find("warmup-invsqrt"), &schedule_warmup_invsqrt);
    for (int i = 0; schedules[i]; i++) {
        assert_ptr_equal(schedule_find(schedules[i]->name), schedules[i]);
        assert_true(schedules[i]->help[0] != '\0');
    }
    assert_null(schedule_find("warmup_invsqrt"));
    assert_null(schedule_find(""));
}

TEST(schedule_only_plateau_needs_validation)
{
    for (int i = 0; schedules[i]; i++)
        assert_int_equal(schedules[i]->validation, schedules[i] == &schedule_plateau);
}

/* Exactly the base at the last update of the warm-up, linear before it. */
TEST(schedule_warmup_rises_in_a_line_to_the_base)
{
    for (int i = 0; schedules[i]; i++) {
        struct schedule s = make(schedules[i]);
        s.warmup = 300;
        assert_near(schedule_rate(&s, 1, 1) / 0.02, 1.0 / 300, 1e-14);
        assert_near(schedule_rate(&s, 150, 1) / 0.02, 0.5, 1e-14);
        assert_true(schedule_rate(&s, 299, 1) < 0.02);
        assert_true(schedule_rate(&s, 300, 1) == 0.02);
        assert_true(schedule_rate(&s, 301, 1) <= 0.02);
    }
}

TEST(schedule_without_warmup_starts_at_the_base)
{
    for (int i = 0; schedules[i]; i++) {
        const struct schedule s = make(schedules[i]);
        if (schedules[i]->warmup == 0)
            assert_true(schedule_rate(&s, 1, 1) == 0.02);
    }
    assert_int_equal(schedule_constant.warmup, 0);
    assert_int_equal(schedule_exponential.warmup, 0);
    assert_int_equal(schedule_plateau.warmup, 0);
}

/* Independent of epochs, updates and validations. */
TEST(schedule_constant_never_changes)
{
    struct schedule s = make(&schedule_constant);
    s.decay = 0;
    for (int epoch = 1; epoch < 30; epoch++) {
        assert_true(schedule_rate(&s, epoch * 1000L, epoch) == 0.02);
        schedule_validated(&s, epoch % 2);
    }
}

TEST(schedule_warmup_invsqrt_falls_as_the_inverse_root)
{
    struct schedule s = make(&schedule_warmup_invsqrt);
    s.warmup = 100;
    assert_near(schedule_rate(&s, 400, 1) / 0.02, 0.5, 1e-14);
    assert_near(schedule_rate(&s, 900, 7) / 0.02, 1.0 / 3, 1e-14);
    assert_near(schedule_rate(&s, 1000000, 7) / 0.02, 0.01, 1e-14);
    assert_true(schedule_rate(&s, 101, 1) < 0.02);
}

TEST(schedule_warmup_invsqrt_warms_up_for_4000_updates_unless_told)
{
    const struct schedule s = make(&schedule_warmup_invsqrt);
    assert_near(schedule_rate(&s, 1000, 1) / 0.02, 0.25, 1e-14);
    assert_true(schedule_rate(&s, 4000, 1) == 0.02);
    assert_near(schedule_rate(&s, 16000, 1) / 0.02, 0.5, 1e-14);
}

TEST(schedule_exponential_falls_each_epoch_from_the_one_named)
{
    static const double want[] = {1, 1, 0.5, 0.25, 0.125};
    struct schedule s = make(&schedule_exponential);
    for (int epoch = 1; epoch <= 5; epoch++) {
        assert_true(schedule_rate(&s, 1, epoch) == 0.02 * want[epoch - 1]);
        assert_true(schedule_rate(&s, 123456, epoch) == 0.02 * want[epoch - 1]);
        schedule_validated(&s, false);
    }
    s.decay_from = 1;
    assert_true(schedule_rate(&s, 1, 1) == 0.02 * 0.5);
}

TEST(schedule_plateau_falls_only_after_no_improvement)
{
    struct schedule s = make(&schedule_plateau);
    schedule_validated(&s, true);
    schedule_validated(&s, true);
    assert_true(schedule_rate(&s, 5000, 9) == 0.02);
    schedule_validated(&s, false);
    assert_true(schedule_rate(&s, 5001, 10) == 0.01);
    assert_true(schedule_rate(&s, 9000, 20) == 0.01); /* once per validation, not per update */
    schedule_validated(&s, true);
    assert_true(schedule_rate(&s, 9001, 21) == 0.01);
    schedule_validated(&s, false);
    schedule_validated(&s, false);
    assert_true(schedule_rate(&s, 9002, 22) == 0.0025);
}

/* The warm-up and the schedule multiply. */
TEST(schedule_warmup_and_decay_multiply)
{
    struct schedule s = make(&schedule_plateau);
    s.warmup = 10;
    schedule_validated(&s, false);
    assert_near(schedule_rate(&s, 5, 1) / 0.02, 0.25, 1e-14);
    s = make(&schedule_exponential);
    s.warmup = 10;
    assert_near(schedule_rate(&s, 5, 4) / 0.02, 0.125, 1e-14);
}

/* Refused before any other part of the job is checked. */
TEST(schedule_plateau_without_validation_data_is_refused)
{
    char optimizer[] = "adam", schedule[] = "plateau";
    const struct attend_train_options options = {.optimizer = optimizer, .schedule = schedule};
    struct trainer *trainer;
    struct attend_error err;
    assert_int_equal(trainer_new(&trainer, &(struct trainer_job){.options = &options}, &err),
                     ATTEND_USAGE);
    assert_string_equal(err.message,
                        "`schedule` plateau needs validation data (`valid_src` and `valid_tgt`)");
}

TEST(schedule_cosine_falls_to_nothing_at_the_end)
{
    struct schedule s = make(&schedule_cosine);
    double before = schedule_rate(&s, 1, 1);
    assert_true(before == 0.02);
    for (int i = 1; i <= 10; i++) {
        s.done = i / 10.0;
        const double rate = schedule_rate(&s, 1, 1);
        assert_true(rate < before);
        before = rate;
    }
    assert_near(before, 0, 1e-15);
    s.done = 0.5;
    assert_near(schedule_rate(&s, 1, 1), 0.01, 1e-15);
}
