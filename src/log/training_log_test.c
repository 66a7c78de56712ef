#include "log/training_log.h"

#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum attend_status read_text(struct training_log *log, const char *text, size_t length,
                                    struct attend_error *err)
{
    char path[] = "training_log_test.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, length), length);
    assert_int_equal(close(fd), 0);
    const enum attend_status status = training_log_read(log, path, err);
    assert_int_equal(unlink(path), 0);
    return status;
}

static struct training_log log_of(const char *text)
{
    struct training_log log;
    struct attend_error err;
    if (read_text(&log, text, strlen(text), &err))
        fail_msg("%s", err.message);
    return log;
}

static void assert_refused(const char *text, const char *message)
{
    struct training_log log;
    struct attend_error err;
    assert_int_equal(read_text(&log, text, strlen(text), &err), ATTEND_FORMAT);
    assert_int_equal(strncmp(err.message, "training_log_test.", 18), 0);
    if (!strstr(err.message, message))
        fail_msg("'%s' is not in '%s'", message, err.message);
}

static void assert_series(const struct log_series *s, int count, const double *updates,
                          const double *values)
{
    assert_int_equal(s->count, count);
    for (int i = 0; i < count; i++) {
        assert_near(s->point[i].update, updates[i], 0);
        assert_near(s->point[i].value, values[i], 0);
    }
}

#define PROGRESS(update, loss)                                                                     \
    "{\"event\":\"progress\",\"update\":" #update ",\"loss\":" #loss "}\n"

TEST(training_log_takes_losses_rates_and_metrics)
{
    struct training_log log =
        log_of("{\"event\":\"start\",\"update\":1,\"loss\":7,\"config\":{\"lr\":1}}\n"
               "{\"event\":\"progress\",\"update\":10,\"epoch\":1,\"loss\":5.5,\"lr\":0.25}\n"
               "{\"event\":\"validation\",\"update\":12,\"train_loss\":9,\"loss\":4.5,"
               "\"metric\":\"bleu\",\"value\":12.5,\"best\":true,\"samples\":[{\"a\":[]}]}\n"
               "{\"event\":\"progress\",\"update\":20,\"loss\":4,\"lr\":0.5}\n"
               "{\"event\":\"end\",\"update\":20}\n");
    assert_series(&log.train, 2, (const double[]){10, 20}, (const double[]){5.5, 4});
    assert_series(&log.lr, 2, (const double[]){10, 20}, (const double[]){0.25, 0.5});
    assert_series(&log.valid, 1, (const double[]){12}, (const double[]){4.5});
    assert_int_equal(log.metrics, 1);
    assert_string_equal(log.metric[0].name, "bleu");
    assert_series(&log.metric[0].series, 1, (const double[]){12}, (const double[]){12.5});
    training_log_release(&log);
}

TEST(training_log_last_line_of_an_update_counts)
{
    struct training_log log =
        log_of(PROGRESS(10, 5) PROGRESS(20, 4)
                   PROGRESS(30, 3) "{\"event\":\"resume\",\"update\":10}\n" PROGRESS(20, 4.5)
                       PROGRESS(30, 3.5) PROGRESS(40, 2));
    assert_series(&log.train, 4, (const double[]){10, 20, 30, 40},
                  (const double[]){5, 4.5, 3.5, 2});
    training_log_release(&log);
}

TEST(training_log_cut_last_line_is_passed_over)
{
    static const char *const ends[] = {"{\"event\":\"progress\",\"upd", "{",
                                       "{\"samples\":[\"\xe0\xa4", "{\"event\":\"progr\n"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s%s", PROGRESS(10, 5), ends[i]);
        struct training_log log = log_of(text);
        assert_int_equal(log.train.count, 1);
        training_log_release(&log);
    }
}

TEST(training_log_cut_line_before_a_resume_is_passed_over)
{
    struct training_log log =
        log_of(PROGRESS(10, 5) "{\"event\":\"pro\n"
                               "{\"event\":\"resume\",\"update\":10}\n" PROGRESS(20, 4));
    assert_int_equal(log.train.count, 2);
    training_log_release(&log);
    assert_refused(PROGRESS(10, 5) "{\"event\":\"pro\n" PROGRESS(20, 4), ": line 2 is not JSON");
}

TEST(training_log_missing_or_odd_members_are_no_points)
{
    struct training_log log = log_of(PROGRESS(
        10, 5) "{}\n\n{\"event\":7}\n{\"event\":\"news\",\"update\":3,\"loss\":1}\n"
               "{\"event\":\"progress\",\"loss\":1}\n{\"event\":\"progress\",\"update\":9}"
               "\n" PROGRESS(-1, 1) PROGRESS(3, null) PROGRESS("3", 1) PROGRESS(3, 1e300) PROGRESS(
                   1e300,
                   1) "{\"event\":\"validation\",\"update\":9,\"metric\":3,\"value\":1}\n"
                      "{\"event\":\"validation\",\"update\":9,\"metric\":\"\",\"value\":1}\n");
    assert_int_equal(log.train.count, 1);
    assert_int_equal(log.valid.count, 0);
    assert_int_equal(log.metrics, 0);
    training_log_release(&log);
}

TEST(training_log_without_progress_takes_the_losses_of_validations)
{
    struct training_log log =
        log_of("{\"event\":\"validation\",\"update\":9,\"train_loss\":3,\"loss\":4}\n");
    assert_series(&log.train, 1, (const double[]){9}, (const double[]){3});
    assert_series(&log.valid, 1, (const double[]){9}, (const double[]){4});
    training_log_release(&log);
}

TEST(training_log_best_is_the_last_that_says_so)
{
    struct training_log log = log_of(
        "{\"event\":\"validation\",\"update\":1,\"metric\":\"ter\",\"value\":9,\"best\":true}\n"
        "{\"event\":\"validation\",\"update\":2,\"metric\":\"ter\",\"value\":7,\"best\":true}\n"
        "{\"event\":\"validation\",\"update\":3,\"metric\":\"ter\",\"value\":8,\"best\":false}\n");
    assert_near(training_log_best(&log.metric[0].series)->update, 2, 0);
    assert_null(training_log_best(&log.train));
    training_log_release(&log);
}

TEST(training_log_that_is_none_is_refused)
{
    struct training_log log;
    struct attend_error err;
    assert_refused("", ": the training log is empty");
    assert_refused("hello\n", ": line 1 is not JSON");
    assert_refused("hello\nworld\n", ": line 1 is not JSON");
    assert_refused(PROGRESS(10, 5) "[1]\n" PROGRESS(20, 4), ": line 2 is not a JSON object");
    assert_refused("{\"a\":1}\n", ": nothing to draw");
    assert_refused("{\"event\":\"start\"}\n", ": nothing to draw");
    assert_int_equal(read_text(&log, "\0\xff\n\0", 4, &err), ATTEND_FORMAT);
    assert_int_equal(training_log_read(&log, "no/such/file", &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "no/such/file: cannot be opened"));
}
