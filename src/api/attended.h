/* Links of pairs as the attention of a model has them, a block of pairs at a time. */
#ifndef ATTEND_API_ATTENDED_H
#define ATTEND_API_ATTENDED_H

#include "attend/translate.h"

struct attended {
    struct attend_model *model;
    struct attend_translator *translator;
    int block;
    bool words;                        /* links are between words, not between pieces */
    char **links;                      /* (block) Pharaoh links of the model's own direction */
    int *sources, *targets;            /* (block) tokens, or words, of each pair, `</s>` left out */
    struct attend_translation *result; /* (block) held during a call only */
};

/* The settings are those of "align". A model without attention is ATTEND_FORMAT. */
enum attend_status attended_open(struct attended *, const char *path, int block,
                                 const struct attend_options *, struct attend_error *err);
/* Replace the links by those of `count` pairs, at most `block`. A message about a line begins
 * `source:N` or `target:N` with N from 1 in these. */
enum attend_status attended_read(struct attended *, char **source, char **target, int count,
                                 struct attend_error *err);
void attended_close(struct attended *);

#endif
