/* Pictures of where a model looked, of how well it does, and of how it learnt.
 *
 * A picture is drawn once and written in any form: as SVG here, as PNG and PDF by attend/paint.h.
 * The terminal has forms of its own. All texts may hold any bytes: what cannot be drawn is left
 * out. */
#ifndef ATTEND_PLOT_H
#define ATTEND_PLOT_H

#include "attend/eval.h"
#include "attend/model.h"
#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Weights with their words: what pictures are drawn from; all borrowed. */
struct attend_matrix {
    const char *title; /**< of its panel; or NULL */
    const char *const *source, *const *target;
    int source_count, target_count; /**< either may be 0 */
    const float *weight; /**< (target_count, source_count) from 0 to 1; a NaN has its own colour */
};

enum attend_view {
    ATTEND_VIEW_HEATMAP,  /**< a row of cells for each target word, a column for each source word */
    ATTEND_VIEW_LINKS,    /**< two rows of words with curves between them, as wide as the weight;
                             weights under 0.05 are left out */
    ATTEND_VIEW_SALIENCE, /**< the source as running text; a word's background is the sum of its
                             weights over all targets, by the largest such sum of its matrix */
};

enum attend_values { ATTEND_VALUES_AUTO, ATTEND_VALUES_ALWAYS, ATTEND_VALUES_NEVER };

/** How pictures look. All zero is a good default: a heatmap on white in the first scale. */
struct attend_look {
    const char *title; /**< of the whole picture; or NULL */
    enum attend_view view;
    enum attend_values values; /**< numbers in cells and under words. AUTO: in heatmaps of up to 12
                                  words either way, under all words; links have none */
    bool dark;         /**< on a dark ground, where 0 is the ground's colour and 1 the bright end */
    const char *scale; /**< colour scale by name; NULL, or a name that is none: the first */
};

/** The names of the colour scales, then NULL. In each, lightness goes one way only: they keep their
 * order in grey print and for colour-blind readers. */
ATTEND_API const char *const *attend_scale_names(void);

/** A finished picture; it borrows nothing. */
struct attend_picture;

/** Matrices (count >= 0) as panels of one picture, in a grid when there are several, with one
 * legend. Where most source words are written from right to left, a heatmap is mirrored: its
 * columns run from right to left, and the target words stand to their right. Rows of words and
 * running text go the way in which most of their words are written. NULL: out of memory. */
ATTEND_API struct attend_picture *attend_picture_matrices(const struct attend_matrix *matrices,
                                                          int count,
                                                          const struct attend_look *look);
/** Scores against source length (the middle of each row), a curve for each output with its label.
 * Of the look, title and dark count. NULL: out of memory. */
ATTEND_API struct attend_picture *attend_picture_by_length(const struct attend_length_table *table,
                                                           const char *const *labels,
                                                           const struct attend_look *look);
/** Learning curves of training logs (count >= 1) over the number of updates: training and
 * validation loss above, below them a panel for each validation metric with its best value, and the
 * learning rate if it changes. Runs are called by their file's name without folder and ending. Of
 * the look, title and dark count. A file that is no training log is ATTEND_FORMAT; the message
 * names file and line. */
ATTEND_API enum attend_status attend_picture_logs(const char *const *paths, int count,
                                                  const struct attend_look *look,
                                                  struct attend_picture **out,
                                                  struct attend_error *err);
ATTEND_API void attend_picture_free(struct attend_picture *picture);

/** A standalone SVG document in which text stays text. Free it with attend_text_free; NULL: out of
 * memory. */
ATTEND_API char *attend_picture_svg(const struct attend_picture *picture);

/** The matrices one after another as lines of text, in any view: with block characters, or with
 * colour for a terminal that has 24 bits of it. Free the text with attend_text_free; NULL: out of
 * memory. */
ATTEND_API char *attend_terminal_matrices(const struct attend_matrix *matrices, int count,
                                          const struct attend_look *look, bool colour);
/** The curves of attend_picture_by_length as text; title may be NULL. Free and NULL as above. */
ATTEND_API char *attend_terminal_by_length(const struct attend_length_table *table,
                                           const char *const *labels, const char *title);
/** The curves of attend_picture_logs as text; title may be NULL. Free *out with attend_text_free.
 */
ATTEND_API enum attend_status attend_terminal_logs(const char *const *paths, int count,
                                                   const char *title, char **out,
                                                   struct attend_error *err);

/** Write a text so that the file is either the old one or the new one, whole. */
ATTEND_API enum attend_status attend_plot_save(const char *path, const char *text,
                                               struct attend_error *err);
/** The same for bytes, such as attend_paint makes. */
ATTEND_API enum attend_status attend_plot_save_bytes(const char *path, const unsigned char *bytes,
                                                     size_t size, struct attend_error *err);

/** One HTML document with everything in it, which works without a network: the matrices (count
 * >= 1) drawn as heatmaps or links, with the words and the weight under the pointer. Several are a
 * list to search and choose from. The look says how it opens; readers can switch view, numbers and
 * darkness. Free the text with attend_text_free; NULL when memory runs out. */
ATTEND_API char *attend_page(const struct attend_matrix *matrices, int count,
                             const struct attend_look *look);

#ifdef __cplusplus
}
#endif

#endif
