/* Which languages texts are in, found out by a thread of its own: judging a text costs time in
 * proportion to its length, which the thread that accepts requests does not have. */
#ifndef ATTEND_SERVE_DETECTION_H
#define ATTEND_SERVE_DETECTION_H

#include "serve/work.h"

struct detection {
    struct task task; /* first; to be submitted by routes_submit_detection */
    const struct catalog *catalog;
    char **text; /* (count) to be filled in */
    int count;
    bool together; /* short texts say little: they go by all texts together */
    /* ---- What became of it ---- */
    struct attend_guess *guess; /* (count, room) best first; languages are the catalog's models' */
    int *found;                 /* (count) guesses of each */
    int room;
    int judged; /* texts that were looked at; short ones that go together are one */
};

/* `room`: guesses wanted of each text. NULL: out of memory. Freeing it frees the texts. */
struct detection *detection_new(struct exchange *, int count, int room);
void detection_free(struct detection *);

#endif
