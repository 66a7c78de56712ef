/* Rescores n-best lists in the format of Moses, `id ||| text ||| features ||| score`: adds the
 * feature `attend= X`, the log-probability of the text. */
#ifndef ATTEND_CLI_RESCORE_H
#define ATTEND_CLI_RESCORE_H

#include "session.h"

struct rescoring {
    struct attend_translator *translator;
    const char *src, *nbest; /* files; ids are line numbers of src, from 0, and never decrease */
    bool pieces;             /* the texts are pieces separated by spaces */
    bool sort;               /* sort each list, the most probable first */
};

/* Write the lists to standard output. Returns EXIT_DONE, or an exit code after an error message. */
int rescore(const struct command *, const struct rescoring *);

#endif
