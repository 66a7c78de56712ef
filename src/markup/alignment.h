/* How much of a target unit's attention goes to a part of the source.
 *
 * A unit's attention is the mean over its tokens, spread evenly over the bytes of each source
 * token, without </s>. A unit without attention looks at the same share of the source's length:
 * unit u of U at the bytes from u/U to (u+1)/U of it. This also decides between equal weights. */
#ifndef ATTEND_MARKUP_ALIGNMENT_H
#define ATTEND_MARKUP_ALIGNMENT_H

#include "markup/slots.h"

struct alignment {
    struct slots units; /* of the target */
    size_t length;      /* bytes of the source */
    int tokens;         /* source tokens with bytes, in order of their place */
    struct alignment_token {
        size_t from, to;
        int index; /* in the translation */
    } * token;     /* (tokens) */
    double *sum;   /* (units, tokens + 1) share of the attention before each token; NULL: none */
    bool *attends; /* (units) whether the unit has attention */
};

/* `best` has the source tokens and their spans; `t` is `best` or one of its `other`. False when out
 * of memory. */
bool alignment_init(struct alignment *, const char *source, const struct attend_translation *best,
                    const struct attend_translation *t);
void alignment_release(struct alignment *);
/* The share, 0 to 1, of a unit's attention that goes to the source before byte `at`. */
double alignment_before(const struct alignment *, int unit, size_t at);

#endif
