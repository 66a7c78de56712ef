#include "api/translate_constraints.h"

#include "api/focus.h"
#include "api/translation.h"
#include "base/error.h"
#include "text/vocab.h"

#include <stdlib.h>

static enum attend_status check_known(const struct tokenized *phrases, const char *const *text,
                                      const char *what, struct attend_error *err)
{
    const struct sequences *ids = &phrases->ids;
    for (int i = 0; i < ids->count; i++)
        for (size_t k = ids->start[i]; k < ids->start[i + 1]; k++)
            if (ids->ids[k] == VOCAB_UNK)
                return error_set(err, ATTEND_DATA,
                                 "%s '%.200s' has a token that the model does not know", what,
                                 text[i]);
    return ATTEND_OK;
}

static enum attend_status encode_known(struct tokenized *out, const struct model *m,
                                       const char *const *text, int count, const char *what,
                                       struct attend_error *err)
{
    const enum attend_status status =
        translation_tokenize(out, &m->target, TOKENIZED_TEXT, text, count, what, err);
    return status ? status : check_known(out, text, what, err);
}

static void set_constraints(struct translate_constraints *w,
                            const struct attend_constraint *constraint, int count)
{
    const struct sequences *phrases = &w->phrases.ids;
    for (int i = 0, at = 0; i < count; at += 1 + constraint[i++].require_count)
        w->constraint[i] = (struct search_constraint){
            .prefix = phrases->ids + phrases->start[at],
            .prefix_length = sequences_length(phrases, at),
            .phrases = phrases,
            .from = at + 1,
            .to = at + 1 + constraint[i].require_count,
        };
}

static enum attend_status encode_constraints(struct translate_constraints *w, const struct model *m,
                                             const struct attend_constraint *constraint, int count,
                                             struct attend_error *err)
{
    size_t phrases = (size_t)count;
    for (int i = 0; i < count; i++) {
        if (constraint[i].require_count < 0 || constraint[i].require_count > ATTEND_MAX_PHRASES)
            return error_set(err, ATTEND_USAGE, "line %d requires %d phrases, more than %d", i + 1,
                             constraint[i].require_count, ATTEND_MAX_PHRASES);
        phrases += (size_t)constraint[i].require_count;
    }
    const char **text = calloc(phrases + 1, sizeof *text);
    w->constraint = calloc((size_t)count + 1, sizeof *w->constraint);
    for (int i = 0, at = 0; text && i < count; i++) {
        text[at++] = constraint[i].prefix ? constraint[i].prefix : "";
        for (int k = 0; k < constraint[i].require_count; k++)
            text[at++] = constraint[i].require[k];
    }
    enum attend_status status =
        text && w->constraint
            ? encode_known(&w->phrases, m, text, (int)phrases, "the constraint", err)
            : error_set(err, ATTEND_NO_MEMORY, "out of memory for constraints");
    if (!status)
        set_constraints(w, constraint, count);
    free(text);
    return status;
}

/* Plan the given weights of every line. */
static enum attend_status plan_focus(struct translate_constraints *w, const struct model *m,
                                     const struct tokenized *source,
                                     const struct attend_constraint *constraint,
                                     struct attend_error *err)
{
    const int count = source->ids.count;
    w->plan = calloc((size_t)count + 1, sizeof *w->plan);
    enum attend_status status =
        w->plan ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for constraints");
    for (int i = 0; i < count && !status; i++) {
        status = focus_plan_make(&w->plan[i], m, translation_columns(source, i, m),
                                 constraint[i].focus, constraint[i].focus_count, err);
        w->constraint[i].focus = w->plan[i].step;
        w->constraint[i].focus_steps = w->plan[i].steps;
    }
    return status;
}

static bool any(const struct attend_constraint *constraint, int count)
{
    for (int i = 0; constraint && i < count; i++)
        if (constraint[i].prefix || constraint[i].require_count || constraint[i].focus_count)
            return true;
    return false;
}

enum attend_status translate_constraints_make(struct translate_constraints *w,
                                              const struct model *m, const struct tokenized *source,
                                              const struct attend_constraint *constraint,
                                              struct attend_error *err)
{
    const int count = source->ids.count;
    if (!any(constraint, count))
        return ATTEND_OK;
    const enum attend_status status = encode_constraints(w, m, constraint, count, err);
    return status ? status : plan_focus(w, m, source, constraint, err);
}

void translate_constraints_release(struct translate_constraints *w, int count)
{
    for (int i = 0; w->plan && i < count; i++)
        focus_plan_release(&w->plan[i]);
    tokenized_release(&w->phrases);
    free(w->plan);
    free(w->constraint);
}
