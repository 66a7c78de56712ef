/* What marks look like, for all outputs: corners in units of the radius, chosen so that all forms
 * look equally large. */
#ifndef ATTEND_VIZ_FORMS_H
#define ATTEND_VIZ_FORMS_H

#include "viz/display_list.h"

static const struct form {
    int corners; /* 0: a circle */
    double corner[4][2];
} forms[DISPLAY_FORMS] = {
    [FORM_SQUARE] = {4, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}},
    [FORM_TRIANGLE] = {3, {{0, -1.3}, {1.2, 0.85}, {-1.2, 0.85}}},
    [FORM_DIAMOND] = {4, {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}}},
};

#endif
