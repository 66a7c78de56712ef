#include "api/explain_pair.h"

#include "api/direction.h"
#include "api/frame_lines.h"
#include "attend/explain.h"
#include "base/error.h"
#include "frames/source.h"

static enum attend_status check_length(const struct tokenized *side, const char *name,
                                       struct attend_error *err)
{
    const int length = tokenized_count(side, 0);
    return length <= ATTEND_EXPLAIN_LONGEST
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE, "the %s has %d tokens; up to %d can be explained",
                           name, length, ATTEND_EXPLAIN_LONGEST);
}

/* The rest of a pair whose source has been read. */
static enum attend_status read_target(struct explain_pair *p, struct attend_translator *t,
                                      const char *target,
                                      const struct attend_constraint *constraint,
                                      struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    if (target)
        status = translation_tokenize(&p->target, &t->model->target, TOKENIZED_TEXT, &target, 1,
                                      "target", err);
    if (!status && target)
        status = check_length(&p->target, "target", err);
    if (!status)
        status = target
                     ? translation_force(t, &p->source, &p->target, &target, &p->translation, err)
                     : translation_search(t, &p->source, constraint, &p->translation,
                                          &p->target.ids, err);
    return status ? status : check_length(&p->target, "target", err);
}

enum attend_status explain_pair_read(struct explain_pair *p, struct attend_translator *t,
                                     const char *source, const char *target,
                                     const struct attend_constraint *constraint,
                                     struct attend_error *err)
{
    *p = (struct explain_pair){0};
    enum attend_status status =
        direction_tokenize(&p->source, t, &source, constraint, 1, "source", err);
    if (!status && tokenized_count(&p->source, 0) == 0)
        status = error_set(err, ATTEND_USAGE, "the sentence has no words");
    if (!status && !p->source.ids.width)
        status = check_length(&p->source, "source", err);
    return status ? status : read_target(p, t, target, constraint, err);
}

enum attend_status explain_pair_take(struct explain_pair *p, struct attend_translator *t,
                                     const struct attend_frames *frames, const char *target,
                                     struct attend_error *err)
{
    *p = (struct explain_pair){0};
    const enum attend_status status = frame_lines_take(&p->source, t, frames, 1, err);
    return status ? status : read_target(p, t, target, NULL, err);
}

enum attend_status explain_pair_make(struct explain_pair *p, struct attend_translator *t,
                                     const char *source, const char *target,
                                     const struct attend_constraint *constraint,
                                     struct attend_error *err)
{
    if (!t->model->source.frames)
        return explain_pair_read(p, t, source, target, constraint, err);
    *p = (struct explain_pair){0};
    return error_set(err, ATTEND_USAGE,
                     "the model reads frames (%s), and the steps of its decoder can be followed "
                     "only for words so far",
                     frame_source_reader(t->model->source.frames));
}

void explain_pair_release(struct explain_pair *p)
{
    tokenized_release(&p->source);
    tokenized_release(&p->target);
    attend_translation_release(&p->translation);
}
