/* The longest source that a model has learned to read. */
#ifndef ATTEND_API_FIT_H
#define ATTEND_API_FIT_H

struct model;

/* Its tokens, without </s>: what the model records, or else the limit of its training, or else 100.
 * At least 1. */
int fit_limit(const struct model *);

#endif
