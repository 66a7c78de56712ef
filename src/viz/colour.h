/* Colours, and the scales that show a weight as a colour. A scale begins at the colour of the paper
 * (0) and goes away from it in even steps of lightness, so that it keeps its order for colour-blind
 * readers and in grey print. Between its nine anchors it is interpolated in Oklab, where equal
 * steps look equally large. */
#ifndef ATTEND_VIZ_COLOUR_H
#define ATTEND_VIZ_COLOUR_H

#include <stdbool.h>

struct colour {
    unsigned char r, g, b; /* sRGB */
};

enum { COLOUR_ANCHORS = 9 };

/* One scale on one kind of paper. */
struct colour_scale {
    unsigned anchor[COLOUR_ANCHORS]; /* 0xrrggbb */
    unsigned not_a_number;           /* no colour of the scale */
};

/* The names of the scales, then NULL; the first is the default. */
extern const char *const colour_scale_names[];
/* The scale of that name for light or dark paper; the first one for NULL and unknown names. */
const struct colour_scale *colour_scale_find(const char *name, bool dark);
/* The colour of a weight, clamped to 0..1. */
struct colour colour_scale_at(const struct colour_scale *, double weight);
/* Perceived lightness (L of Oklab): 0 black, 1 white. */
double colour_lightness(struct colour);
/* How well one colour reads on the other: 1 not at all, 21 black on white. */
double colour_contrast(struct colour, struct colour);
/* Near black or white, whichever reads better on the background. */
struct colour colour_ink(struct colour background);

#endif
