/* Training logs, and the curves of those that can be read.
 *
 * Aimed at: src/log/training_log.c src/log/log_plot.c */
#include "fuzz.h"

#include "log/training_log.h"
#include "attend/plot.h"

#include <math.h>

static void check_series(const struct log_series *s)
{
    for (int i = 0; i < s->count; i++) {
        FUZZ_CHECK(isfinite(s->point[i].value));
        FUZZ_CHECK(i == 0 || s->point[i - 1].update < s->point[i].update);
    }
    training_log_best(s);
}

static void check_log(const struct training_log *log)
{
    FUZZ_CHECK(log->metrics >= 0 && log->metrics <= LOG_METRICS);
    check_series(&log->train);
    check_series(&log->valid);
    check_series(&log->lr);
    for (int i = 0; i < log->metrics; i++) {
        check_series(&log->metric[i].series);
        fuzz_check_text(log->metric[i].name, true);
    }
}

static void check_curves(const char *path)
{
    const char *const paths[] = {path, path};
    struct attend_picture *picture = NULL;
    struct attend_error err = {.message = ""};
    char *text = NULL;
    const struct attend_style style = {.width = 40};
    FUZZ_CHECK(!attend_picture_logs(paths, 2, &(struct attend_style){0}, &picture, &err));
    char *svg = attend_picture_svg(picture);
    fuzz_check_text(svg, true);
    FUZZ_CHECK(!attend_terminal_logs(paths, 1, &style, &text, &err));
    fuzz_check_text(text, true);
    attend_text_free(svg);
    attend_text_free(text);
    attend_picture_free(picture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_compressed(data, size))
        return 0;
    struct training_log log = {0};
    struct attend_error err = {.message = ""};
    const char *path = fuzz_file(0, data, size);
    const enum attend_status status = training_log_read(&log, path, &err);
    fuzz_check_error(status, &err);
    if (!status) {
        check_log(&log);
        check_curves(path);
    }
    training_log_release(&log);
    return 0;
}
