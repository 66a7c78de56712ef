/* Language detection of texts, on a thread of its own. Its cost grows with the length of the text,
 * so it must not run on the thread that accepts requests. */
#ifndef ATTEND_SERVE_DETECTION_H
#define ATTEND_SERVE_DETECTION_H

#include "serve/work.h"

struct detection {
    struct task task; /* must be first; submit it with routes_submit_detection */
    const struct catalog *catalog;
    char **text; /* (count) filled in by the caller */
    int count;
    bool together; /* classify short texts by the concatenation of all texts */
    /* ---- Results ---- */
    /* (count, room) best first; the languages are borrowed from the catalog's models */
    struct attend_guess *guess;
    int *found; /* (count) guesses of each */
    int room;
    int detected; /* calls of attend_detect; all short texts together are one */
};

/* `room`: guesses per text. NULL: out of memory. detection_free frees the texts too. */
struct detection *detection_new(struct exchange *, int count, int room);
void detection_free(struct detection *);

#endif
