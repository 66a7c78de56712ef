/* Counts how often each source word is linked to each target word, and makes a shortlist of that.
 * Counts are whole numbers, so their order does not matter. */
#ifndef ATTEND_TEXT_LINK_COUNTS_H
#define ATTEND_TEXT_LINK_COUNTS_H

#include "attend/status.h"

#include <stdint.h>

struct strbuf;

struct link_counts {
    struct link_count {
        int source, target;
        uint64_t count;
    } * item;
    size_t used, size;
};

enum attend_status link_counts_add(struct link_counts *, int source, int target, uint64_t count,
                                   struct attend_error *err);
/* Append the lists of text/shortlist.h: the `words` likeliest targets of each source, and the
 * `frequent` targets of the largest frequency[], (targets), above 0. Of equal ones the smaller id
 * comes first. */
enum attend_status link_counts_write(struct link_counts *, int sources, int words,
                                     const uint64_t *frequency, int targets, int frequent,
                                     struct strbuf *out, struct attend_error *err);
void link_counts_release(struct link_counts *);

#endif
