/* The languages of a corpus of several pairs: their tags in the vocabularies, and a letter
 * distribution for each. */
#ifndef ATTEND_CORPUS_TAGGING_H
#define ATTEND_CORPUS_TAGGING_H

#include "attend/status.h"
#include "text/side.h"

#include <stdbool.h>

struct languages;
struct pairs;

/* Set the languages of side[0]. Without `given`, the sides are new: their vocabularies get the tags
 * (that of the target only if it is `joint`, the same as the source's), and the letters of the
 * training pairs are counted. Otherwise both exist already, as in a model that is trained on. */
enum attend_status tagging_make(struct text_side side[2], const struct languages *,
                                struct pairs *train, bool joint, bool given,
                                struct attend_error *err);

#endif
