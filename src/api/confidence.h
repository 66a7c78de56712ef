/* The confidence of translations and their shares. */
#ifndef ATTEND_API_CONFIDENCE_H
#define ATTEND_API_CONFIDENCE_H

struct attend_scaling;
struct attend_translation;

/* Fill in confidence and share of a translation and of its other hypotheses. */
void confidence_fill(struct attend_translation *, const struct attend_scaling *);

#endif
