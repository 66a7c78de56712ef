#include "api/pair.h"

#include "attend/explain.h"
#include "attend/model.h"
#include "base/error.h"

#include <stdlib.h>

/* The target's ids from its pieces, which the search chose from the vocabulary. */
static enum attend_status encode_found(struct pair *p, const struct model *m,
                                       struct attend_error *err)
{
    char *pieces = attend_translation_pieces(&p->translation);
    const char *const line = pieces;
    const enum attend_status status =
        pieces ? translation_encode_pieces(&p->target, &m->target, &line, 1, "translation", err)
               : error_set(err, ATTEND_NO_MEMORY, "out of memory for a translation");
    free(pieces);
    return status;
}

static enum attend_status check_length(const struct sequences *side, const char *name,
                                       struct attend_error *err)
{
    const int length = sequences_length(side, 0);
    return length <= ATTEND_EXPLAIN_LONGEST
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE, "the %s has %d tokens; up to %d can be explained",
                           name, length, ATTEND_EXPLAIN_LONGEST);
}

enum attend_status pair_make(struct pair *p, struct attend_translator *t, const char *source,
                             const char *target, const struct attend_wish *wish,
                             struct attend_error *err)
{
    const struct attend_wish none = {0};
    *p = (struct pair){0};
    enum attend_status status =
        translation_encode(&p->source, &t->model->source, &source, 1, "source", err);
    if (!status && sequences_length(&p->source, 0) == 0)
        status = error_set(err, ATTEND_USAGE, "the sentence has no words");
    if (!status)
        status = check_length(&p->source, "source", err);
    if (!status && target)
        status = translation_encode(&p->target, &t->model->target, &target, 1, "target", err);
    if (!status)
        status = target ? attend_force(t, &source, &target, 1, &p->translation, err)
                        : attend_translate_wishes(t, &source, wish ? wish : &none, 1,
                                                  &p->translation, err);
    if (!status && !target)
        status = encode_found(p, t->model, err);
    return status ? status : check_length(&p->target, "target", err);
}

void pair_release(struct pair *p)
{
    sequences_release(&p->source);
    sequences_release(&p->target);
    attend_translation_release(&p->translation);
}
