/* What the writer writes, the reader reads, even after a run was killed. */
#include "log/log_writer.h"

#include "log/training_log.h"
#include "test.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char path[] = "train_log_test.jsonl";

static void write_run(bool append, long from, bool cut)
{
    struct train_log *log;
    struct attend_train_report r = {.event = ATTEND_TRAIN_STARTED, .resumed = from, .update = from};
    assert_int_equal(train_log_open(&log, path, append, "{\"emb\":8}", NULL), ATTEND_OK);
    train_log_write(log, &r);
    r.event = ATTEND_TRAIN_UPDATED;
    r.update = from + 10;
    r.update_loss = 4.5 - (double)from / 10;
    r.norm = (double)NAN; /* JSON has no NaN */
    train_log_write(log, &r);
    r.event = ATTEND_TRAIN_VALIDATED;
    r.valid_loss = 3.5;
    r.metric = "bleu";
    r.valid_metric = 12.25 + (double)from;
    r.best = true;
    r.sample[0] = (struct attend_train_sample){"a \"b\"", "c\\", "d\te"};
    r.samples = 1;
    train_log_write(log, &r);
    train_log_close(log);
    if (cut) {
        FILE *file = fopen(path, "a");
        assert_non_null(file);
        fputs("{\"event\":\"prog", file);
        fclose(file);
    }
}

TEST(train_log_is_what_plots_read)
{
    struct training_log got;
    write_run(false, 0, true);
    write_run(true, 10, false); /* resumed after a kill */
    struct attend_error err = {.message = ""};
    if (training_log_read(&got, path, &err))
        fail_msg("%s", err.message);
    assert_int_equal(got.train.count, 2);
    assert_near(got.train.point[0].value, 4.5, 1e-9);
    assert_near(got.train.point[1].value, 3.5, 1e-9);
    assert_int_equal(got.valid.count, 2);
    assert_int_equal(got.metrics, 1);
    assert_string_equal(got.metric[0].name, "bleu");
    assert_near(training_log_best(&got.metric[0].series)->value, 22.25, 1e-9);
    training_log_release(&got);
    unlink(path);
}

TEST(train_log_begun_anew_forgets_the_old_one)
{
    struct training_log got;
    write_run(false, 0, false);
    write_run(false, 50, false);
    assert_int_equal(training_log_read(&got, path, NULL), ATTEND_OK);
    assert_int_equal(got.train.count, 1);
    assert_int_equal((int)got.train.point[0].update, 60);
    training_log_release(&got);
    unlink(path);
}

TEST(train_log_ends_with_time_and_peak_memory)
{
    struct train_log *log;
    const struct attend_train_report r = {
        .event = ATTEND_TRAIN_FINISHED, .reason = "done", .seconds = 2.5};
    assert_int_equal(train_log_open(&log, path, false, "{}", NULL), ATTEND_OK);
    train_log_write(log, &r);
    train_log_close(log);
    char line[512] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    double seconds = 0, memory = 0;
    const char *at = strstr(line, "\"seconds\"");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\"seconds\":%lf,\"memory_mb\":%lf}", &seconds, &memory), 2);
    assert_near(seconds, 2.5, 1e-9);
    assert_true(memory > 0.5); /* no program is smaller */
    unlink(path);
}

TEST(train_log_beyond_a_limit_tells_once_and_keeps_whole_lines)
{
    struct train_log *log;
    struct attend_train_report r = {.event = ATTEND_TRAIN_UPDATED};
    struct training_log got;
    struct rlimit saved;
    assert_int_equal(train_log_open(&log, path, false, "{}", NULL), ATTEND_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &saved), 0);
    const struct rlimit low = {.rlim_cur = 300, .rlim_max = saved.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    int told = 0;
    for (r.update = 1; r.update <= 10; r.update++) {
        const char *trouble = train_log_write(log, &r);
        told += trouble && strstr(trouble, "File too large");
    }
    setrlimit(RLIMIT_FSIZE, &saved);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(told, 1);
    assert_null(train_log_write(log, &r)); /* the disk has space again */
    train_log_close(log);
    assert_int_equal(training_log_read(&got, path, NULL), ATTEND_OK);
    assert_in_range(got.train.count, 2, 9);
    assert_int_equal((int)got.train.point[got.train.count - 1].update, 11);
    training_log_release(&got);
    unlink(path);
}

TEST(train_log_in_a_folder_that_is_not_there_is_an_error)
{
    struct train_log *log = NULL;
    struct attend_error err;
    assert_int_equal(train_log_open(&log, "no/such/log", false, "{}", &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "no/such/log"));
    assert_null(log);
}
