/* What callers ask of translations (struct attend_constraint), in tokens and steps, as the search
 * takes it. */
#ifndef ATTEND_API_TRANSLATE_CONSTRAINTS_H
#define ATTEND_API_TRANSLATE_CONSTRAINTS_H

#include "attend/translate.h"
#include "decode/search.h"
#include "text/tokenized.h"

struct focus_plan;
struct model;

/* The first phrase of a sentence is its prefix; the required ones follow. */
struct translate_constraints {
    struct tokenized phrases;
    struct search_constraint *constraint; /* (count); null: nothing is asked */
    struct focus_plan *plan;              /* (count) */
};

/* Of every sentence of the source. `w` is zeroed before, and released after failures, too.
 * `constraint` may be NULL. */
enum attend_status translate_constraints_make(struct translate_constraints *w, const struct model *,
                                              const struct tokenized *source,
                                              const struct attend_constraint *constraint,
                                              struct attend_error *err);
void translate_constraints_release(struct translate_constraints *, int count);

#endif
