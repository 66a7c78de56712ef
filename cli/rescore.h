/* N-best lists in Moses form, `id ||| text ||| features ||| score`, with the feature `attend= X`,
 * the log-probability of the text, added. */
#ifndef ATTEND_CLI_RESCORE_H
#define ATTEND_CLI_RESCORE_H

#include "session.h"

struct rescoring {
    struct attend_translator *translator;
    const char *src, *nbest; /* files; ids are line numbers of src from 0 and do not fall */
    bool pieces;             /* the texts are pieces */
    bool sort;               /* each list, the most probable first */
};

/* Write the lists to standard output. The exit code, after saying what is wrong. */
int rescore(const struct command *, const struct rescoring *);

#endif
