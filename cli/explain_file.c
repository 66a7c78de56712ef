#include "explain.h"
#include "pairs.h"
#include "picture.h"

#include <limits.h>

static enum attend_status measure(struct explain_job *job, const struct pairs *pairs,
                                  struct attend_faithfulness *out, struct attend_error *err)
{
    const struct flags *o = job->flags;
    const struct attend_faithfulness_job wanted = {
        .source = pairs_sources(pairs),
        .target = pairs_targets(pairs),
        .count = pairs->source_block.count,
        .mask = job->flags->mask,
        .ig_steps = o->ig_steps,
        .resamples = o->resamples,
        .seed = o->search.seed,
    };
    const enum attend_status status =
        attend_faithfulness(out, job->session.translator, &wanted, err);
    if (status)
        pairs_name_line(pairs, err);
    return status;
}

/* --output draws the deletion curves, --curves prints them; otherwise all results are printed. */
static int show(const struct explain_job *job, const struct attend_faithfulness *result)
{
    const struct attend_style style = picture_style(job->flags);
    const char *output = job->flags->output;
    if (output)
        return picture_save(job->command, attend_faithfulness_picture(result, &style), output);
    if (job->flags->json)
        return explain_print(job, attend_faithfulness_json(result));
    return explain_print(job, job->flags->curves ? attend_faithfulness_curves(result, &style)
                                                 : attend_faithfulness_text(result, style.width));
}

int explain_file(struct explain_job *job)
{
    const char *src = job->flags->src, *tgt = job->flags->tgt;
    const int limit = job->flags->limit;
    struct pairs pairs = {0};
    struct attend_faithfulness result;
    struct attend_error err;
    enum attend_status status = pairs_open(&pairs, src, tgt, &err);
    if (!status)
        status = pairs_read(&pairs, limit ? limit : INT_MAX, &err);
    if (!status && pairs.source_block.count == 0) {
        snprintf(err.message, sizeof err.message, "%.200s has no lines", src);
        status = ATTEND_DATA;
    }
    if (!status)
        status = measure(job, &pairs, &result, &err);
    pairs_close(&pairs);
    return status ? args_fail(job->command, status, &err) : show(job, &result);
}
