/* Which pair of languages a line is translated in. */
#ifndef ATTEND_API_DIRECTION_H
#define ATTEND_API_DIRECTION_H

#include "api/translation.h"
#include "text/languages.h"

/* Use these languages, NULL: any, from now on, unless a line has its own. ATTEND_USAGE, and nothing
 * changes, if the model lacks one. */
enum attend_status direction_set(struct attend_translator *, const char *from, const char *to,
                                 struct attend_error *err);
/* Tokenize sources, with the tags of their languages: those of the constraints (NULL: none), or
 * else the translator's. ATTEND_USAGE if they leave a choice of several pairs. */
enum attend_status direction_tokenize(struct tokenized *out, const struct attend_translator *,
                                      const char *const *text,
                                      const struct attend_constraint *constraints, int count,
                                      const char *name, struct attend_error *err);

#endif
