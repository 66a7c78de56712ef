/* Attention over sound, or over any frames in time: the spectrogram, below it one row of weights for
 * each target word on the same time axis, and seconds (or frame numbers) as ticks.
 *
 * The spectrogram is one image and each row of weights is another, with one pixel per frame or, if
 * there are more frames than SPECTROGRAM_MOST, one per several: their mean in the spectrogram and
 * their maximum in the rows, so that a peak is never lost. So the size of the picture is bounded. */
#ifndef ATTEND_VIZ_SPECTROGRAM_PLOT_H
#define ATTEND_VIZ_SPECTROGRAM_PLOT_H

#include "viz/term.h"

struct display_list;
struct panel;

enum { SPECTROGRAM_MOST = 900 };

/* The origin is the upper left corner of the rows of weights. */
void spectrogram_plot_measure(struct panel *);
void spectrogram_plot_draw(struct display_list *, const struct panel *, double x, double y);
/* The same as lines of text: as many frames share a column as are needed to fit the width. */
void spectrogram_term_add(struct strbuf *, const struct panel *, enum term_palette);

/* ---- Shared by both ---- */

/* The bands that are drawn, at most SPECTROGRAM_BANDS. */
enum { SPECTROGRAM_BANDS = 128 };
int spectrogram_bands(const struct panel *);
/* Pixel or text column i of `columns` stands for the frames from `from` up to, but without, the
 * returned one. */
int spectrogram_span(const struct panel *, int i, int columns, int *from);
/* The mean of a band over frames, and the largest share of a target word there. */
double spectrogram_mean(const struct panel *, int from, int end, int first, int last);
double spectrogram_peak(const struct panel *, int from, int end, int t, double most);
/* The time axis: ticks up to the end, in seconds if these are known. */
struct axis spectrogram_axis(const struct panel *, int most, double *end);

#endif
