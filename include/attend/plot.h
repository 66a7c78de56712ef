/* Drawing where a model looked, how well it does, and how it learnt. */
#ifndef ATTEND_PLOT_H
#define ATTEND_PLOT_H

#include "attend/eval.h"
#include "attend/status.h"
#include "attend/translate.h"

#ifdef __cplusplus
extern "C" {
#endif

enum attend_plot_format {
    ATTEND_PLOT_SVG,
    ATTEND_PLOT_BLOCKS, /**< plain text with block characters */
    ATTEND_PLOT_COLOUR, /**< for a terminal with 24-bit colour */
};

/** A heatmap: source words along the top, target words down the side. title may be NULL. Free the
 * text with attend_text_free; NULL when memory runs out. */
ATTEND_API char *attend_plot_heatmap(const struct attend_translation *translation,
                                     enum attend_plot_format format, const char *title);
/** Scores against source length (the middle of each row), a curve for each output with its label.
 * Only SVG is drawn in colour. title may be NULL. Free the text with attend_text_free; NULL when
 * memory runs out. */
ATTEND_API char *attend_plot_by_length(const struct attend_length_table *table,
                                       const char *const *labels, enum attend_plot_format format,
                                       const char *title);
/** Learning curves of training logs (count >= 1) over the number of updates: training and
 * validation loss above, below them a panel for each validation metric with its best value, and the
 * learning rate if it changes. Runs are called by their file's name without folder and ending. Only
 * SVG is drawn in colour. title may be NULL. Free *out with attend_text_free. A file that is no
 * training log is ATTEND_FORMAT; the message names file and line. */
ATTEND_API enum attend_status attend_plot_logs(const char *const *paths, int count,
                                               enum attend_plot_format format, const char *title,
                                               char **out, struct attend_error *err);
/** Write a text so that the file is either the old one or the new one, whole. */
ATTEND_API enum attend_status attend_plot_save(const char *path, const char *text,
                                               struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
