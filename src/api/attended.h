/* Word links from the attention of a model, a block of pairs at a time. */
#ifndef ATTEND_API_ATTENDED_H
#define ATTEND_API_ATTENDED_H

#include "attend/align.h"
#include "attend/translate.h"
#include "metric/links.h"

struct attended {
    struct attend_model *model;
    struct attend_translator *translator;
    int block;
    bool words;                        /* link words instead of pieces */
    struct links *links;               /* (block) in the direction of the model */
    int *sources, *targets;            /* (block) tokens or words of each pair, without </s> */
    struct attend_translation *result; /* (block) used only during a call */
};

/* Load a model, from target to source if it is the `reverse` one. One without attention is
 * ATTEND_FORMAT. */
enum attend_status attended_open(struct attended *, const char *path, int block,
                                 const struct attend_align_options *, bool reverse,
                                 struct attend_error *err);
/* Replace the links by those of `count` pairs, at most `block`. An error about a line has the
 * argument "source" or "target" and the item. */
enum attend_status attended_read(struct attended *, char **source, char **target, int count,
                                 struct attend_error *err);
void attended_close(struct attended *);

#endif
