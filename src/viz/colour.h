/* Colours of a weight: a sequential scale from white (0) to dark blue (1) whose lightness only
 * falls, so that it keeps its order for colour-blind readers and in grey print. Between its nine
 * anchors it is interpolated in Oklab, where equal steps look equally large. */
#ifndef ATTEND_VIZ_COLOUR_H
#define ATTEND_VIZ_COLOUR_H

struct colour {
    unsigned char r, g, b; /* sRGB */
};

/* The colour of a weight, clamped to 0..1; NaN is a grey that is not on the scale. */
struct colour colour_scale(double weight);
/* Perceived lightness (L of Oklab): 0 black, 1 white. */
double colour_lightness(struct colour);
/* How well one colour reads on the other: 1 not at all, 21 black on white. */
double colour_contrast(struct colour, struct colour);
/* Near black or white, whichever reads better on the background. */
struct colour colour_ink(struct colour background);

#endif
