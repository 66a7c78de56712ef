/* The tags, terms and masks of a request's lines: taken out before the work, put back after it. */
#ifndef ATTEND_SERVE_TERMS_H
#define ATTEND_SERVE_TERMS_H

#include "attend/markup.h"

struct exchange;
struct params;
struct text_job;

/* Maximum terms in a request's own glossary. */
enum { TERMS_MAX = 1000 };

/* Read the parameter `glossary`, a list of {"source","target"} or an object of source and target;
 * NULL if it is absent. False after answering with an error. */
bool terms_take(struct attend_glossary **out, struct exchange *, const struct params *);
/* Take line k of a job apart: it becomes the text to translate. False after answering with an
 * error. */
bool terms_prepare(struct exchange *, struct text_job *, int k, enum attend_tags tags,
                   const struct attend_glossary *own);
/* Whether the lines of a request need this. */
bool terms_wanted(const struct exchange *, const struct text_job *, enum attend_tags tags,
                  const struct attend_glossary *own);

#endif
