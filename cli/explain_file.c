#include "block.h"
#include "explain.h"
#include "picture.h"

#include <limits.h>

static enum attend_status read_lines(struct block *block, const char *path, int most,
                                     struct attend_error *err)
{
    struct attend_lines *lines = NULL;
    enum attend_status status = attend_lines_open(&lines, path, err);
    if (!status)
        status = block_read(block, lines, most, err);
    attend_lines_close(lines);
    return status;
}

static enum attend_status check_counts(const struct block *source, const struct block *target,
                                       const char *src, const char *tgt, struct attend_error *err)
{
    if (source->count != target->count) {
        const bool longer = source->count > target->count;
        snprintf(err->message, sizeof err->message,
                 "%.200s has more lines than %.200s: they must pair line for line",
                 longer ? src : tgt, longer ? tgt : src);
        return ATTEND_DATA;
    }
    if (source->count > 0)
        return ATTEND_OK;
    snprintf(err->message, sizeof err->message, "%.200s has no lines", src);
    return ATTEND_DATA;
}

static enum attend_status measure(struct explain_job *job, const struct block *source,
                                  const struct block *target, struct attend_faithfulness *out,
                                  struct attend_error *err)
{
    const struct attend_options *o = job->options;
    const struct attend_faithfulness_job wanted = {
        .source = (const char *const *)source->line,
        .target = (const char *const *)target->line,
        .count = source->count,
        .mask = explain_has(job, "mask"),
        .ig_steps = (int)attend_options_number(o, "ig-steps"),
        .resamples = (int)attend_options_number(o, "resamples"),
        .seed = (int)attend_options_number(o, "seed"),
    };
    const enum attend_status status =
        attend_faithfulness(out, job->session.translator, &wanted, err);
    if (status) {
        block_name_line(source, "source", attend_options_text(o, "src"), NULL, err);
        block_name_line(target, "target", attend_options_text(o, "tgt"), NULL, err);
    }
    return status;
}

/* --output and --curves show the deletion curves; otherwise everything is printed. */
static int show(const struct explain_job *job, const struct attend_faithfulness *result)
{
    const struct attend_look look = picture_look(job->options);
    const char *output = attend_options_text(job->options, "output");
    if (output)
        return picture_save(job->command, attend_faithfulness_picture(result, &look), output);
    if (explain_has(job, "json"))
        return explain_print(job, attend_faithfulness_json(result));
    return explain_print(job, explain_has(job, "curves")
                                  ? attend_faithfulness_curves(result, look.title)
                                  : attend_faithfulness_text(result));
}

int explain_file(struct explain_job *job)
{
    const char *src = attend_options_text(job->options, "src"),
               *tgt = attend_options_text(job->options, "tgt");
    const int limit = (int)attend_options_number(job->options, "limit");
    struct block source = {0}, target = {0};
    struct attend_faithfulness result;
    struct attend_error err;
    enum attend_status status = read_lines(&source, src, limit ? limit : INT_MAX, &err);
    if (!status)
        status = read_lines(&target, tgt, limit ? limit : INT_MAX, &err);
    if (!status)
        status = check_counts(&source, &target, src, tgt, &err);
    if (!status)
        status = measure(job, &source, &target, &result, &err);
    block_release(&source);
    block_release(&target);
    return status ? args_fail(job->command, status, &err) : show(job, &result);
}
