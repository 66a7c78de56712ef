#include "attend/explain.h"

#include "api/direction.h"

#include "api/translation.h"
#include "base/error.h"
#include "explain/faithfulness.h"

#include <math.h>
#include <string.h>

static enum attend_status check_lengths(const struct tokenized *side, const char *name,
                                        struct attend_error *err)
{
    for (int i = 0; i < side->ids.count; i++)
        if (tokenized_count(side, i) > ATTEND_EXPLAIN_LONGEST)
            return error_item(err, ATTEND_USAGE, name, i,
                              "has %d tokens; up to %d can be explained", tokenized_count(side, i),
                              ATTEND_EXPLAIN_LONGEST);
    return ATTEND_OK;
}

_Static_assert((int)ATTEND_SHARES == (int)FAITHFULNESS_SHARES, "the same shares inside and out");

static struct attend_mean mean_of(struct faithfulness_mean m)
{
    return (struct attend_mean){m.mean, m.low, m.high};
}

static void copy(struct attend_faithfulness *to, const struct faithfulness *from)
{
    *to = (struct attend_faithfulness){.pairs = from->pairs,
                                       .words = from->words,
                                       .agreement = mean_of(from->agreement),
                                       .incompleteness = from->incompleteness};
    for (int k = 0; k < ATTEND_MEASURES; k++) {
        to->kendall[k] = mean_of(from->kendall[k]);
        to->spearman[k] = mean_of(from->spearman[k]);
    }
    for (int c = 0; c < ATTEND_ORDERS; c++)
        to->area[c] = mean_of(from->area[c]);
    memcpy(to->curve, from->curve, sizeof to->curve);
}

enum attend_status attend_faithfulness(struct attend_faithfulness *out, struct attend_translator *t,
                                       const struct attend_faithfulness_job *job,
                                       struct attend_error *err)
{
    struct tokenized source = {0}, target = {0};
    struct faithfulness f;
    if (t->model->source.frames)
        return error_set(err, ATTEND_USAGE,
                         "the model reads frames, and only words can be explained so far");
    enum attend_status status =
        direction_tokenize(&source, t, job->source, NULL, job->count, "source", err);
    if (!status)
        status = translation_tokenize(&target, &t->model->target, TOKENIZED_TEXT, job->target,
                                      job->count, "target", err);
    if (!status)
        status = check_lengths(&source, "source", err);
    if (!status)
        status = check_lengths(&target, "target", err);
    if (!status)
        status = faithfulness_run(
            &f, t->team,
            &(struct faithfulness_job){.net = &t->model->net,
                                       .source = &source.ids,
                                       .target = &target.ids,
                                       .mask = job->mask,
                                       .ig_steps = job->ig_steps ? job->ig_steps : 32,
                                       .resamples = job->resamples ? job->resamples : 1000,
                                       .seed = job->seed,
                                       .stop = t->setup.stop},
            err);
    if (!status)
        copy(out, &f);
    tokenized_release(&source);
    tokenized_release(&target);
    return status;
}
