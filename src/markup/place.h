/* Where the markers of a line go in its translation.
 *
 * An element takes the contiguous units u with the largest sum of inside(u) - around(u) / 2, where
 * inside(u) is the share of u's attention that goes to the element, and around(u) the share that
 * goes to the element around it (1 for none): a unit belongs to an element if it gives it more than
 * half. If no unit does, the element takes the unit that gives it most. Elements lie within the
 * element around them and do not overlap.
 *
 * Any other marker stands where it divides the attention best: before it, units that look at the
 * source before it, and after it those that look at the source after it; and beside units that look
 * at its neighbors in the source. */
#ifndef ATTEND_MARKUP_PLACE_H
#define ATTEND_MARKUP_PLACE_H

#include "markup/alignment.h"
#include "markup/line.h"

struct place {
    int from, to; /* units; from == to: before unit `from` */
};

/* Fill in the place of every marker but the end tags; false when out of memory. */
bool place_markers(struct place *, const struct attend_markup *, const struct alignment *,
                   const char *target);

#endif
