/* The shapes of marks, for all outputs: corners in units of the radius, chosen so that all marks
 * look equally large. */
#ifndef ATTEND_VIZ_MARKS_H
#define ATTEND_VIZ_MARKS_H

#include "viz/display_list.h"

static const struct mark_shape {
    int corners; /* 0: a circle */
    double corner[4][2];
} mark_shapes[DISPLAY_MARKS] = {
    [MARK_SQUARE] = {4, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}},
    [MARK_TRIANGLE] = {3, {{0, -1.3}, {1.2, 0.85}, {-1.2, 0.85}}},
    [MARK_DIAMOND] = {4, {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}}},
};

#endif
