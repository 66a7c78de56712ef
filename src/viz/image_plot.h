/* Attention over an image: the image once for each target word, under a veil that is thick where the
 * word did not attend and absent where it attended most. Lines of writing, which are read column by
 * column, stand below one another with the word on their left; images that are read in patches stand
 * side by side with the word below. The image without a veil comes first.
 *
 *     veil = 1 - weight / (largest weight of the word)
 *     pixel = (1 - c veil) image + c veil V           V: the color of the veil, c < 1: its thickness
 *
 * So a reader sees through the veil what was there but not attended to. */
#ifndef ATTEND_VIZ_IMAGE_PLOT_H
#define ATTEND_VIZ_IMAGE_PLOT_H

#include "viz/term.h"

struct display_list;
struct panel;

/* The origin is the upper left corner of the image without a veil. */
void image_plot_measure(struct panel *);
void image_plot_draw(struct display_list *, const struct panel *, double x, double y);
/* Lines of writing as text: the image in blocks, then a row of weights for each word. Patches: their
 * weights as squares, for each word. */
void image_columns_term_add(struct strbuf *, const struct panel *, enum term_palette);
void image_patches_term_add(struct strbuf *, const struct panel *, enum term_palette);

/* ---- Shared by both ---- */

/* The veil of target word t over pixel (row, column) of the image, when its largest weight is `most`:
 * 1 where the weight is 0. */
double image_veil(const struct panel *, int t, double most, int row, int column);
/* The rows of patches. */
int image_down(const struct panel *);

#endif
