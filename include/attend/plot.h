/* Pictures of attention, of scores by source length, and of training logs.
 *
 * A picture is drawn once and can then be written in any format: as SVG here, as PNG and PDF by
 * attend/paint.h. For the terminal there are separate functions. Texts may contain any bytes; those
 * that cannot be drawn are left out. */
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

/** What the frames of a source are. It decides which picture a matrix gets. */
enum attend_frames_kind {
    ATTEND_FRAMES_ARRAY, /**< any numbers; one row per time */
    ATTEND_FRAMES_SOUND, /**< a spectrogram: one row per time, low bands first */
    ATTEND_FRAMES_INK,   /**< the trace of a pen: rows of dx, dy (down) and whether the pen goes up
                              after the point */
    ATTEND_FRAMES_COLUMNS, /**< an image that is read column by column, in rows of pixels: the
                              larger, the lighter */
    ATTEND_FRAMES_PATCHES, /**< an image that is read in square patches, row by row */
};

/** The source of a matrix when it is frames, as a picture shows it. */
struct attend_frames_view {
    enum attend_frames_kind kind;
    int rows, width;    /**< either may be 0 */
    const float *value; /**< (rows, width), in any units; borrowed */
    int stride;         /**< rows that a column of the matrix stands for; of the last, there may be
                           fewer. In an image read by columns: columns of pixels */
    double seconds;     /**< sound: from one row to the next; 0: not known */
    int across;         /**< patches: how many stand side by side */
    void *reserved[1];
};

/** Attention weights with their words. All pointers are borrowed. */
struct attend_matrix {
    const char *title; /**< title of its panel; or NULL */
    const char *const *source, *const *target;
    int source_count, target_count; /**< either may be 0 */
    const float *weight; /**< (target_count, source_count) from 0 to 1; a NaN has its own color */
    const struct attend_frames_view *frames; /**< the source is frames, and `source` may be NULL; or
                                                NULL: the source is words */
};

enum attend_view {
    ATTEND_VIEW_HEATMAP,  /**< one row of cells per target word, one column per source word */
    ATTEND_VIEW_LINKS,    /**< two rows of words joined by curves; a curve is as wide as its weight,
                             and weights under 0.05 are left out */
    ATTEND_VIEW_SALIENCE, /**< the source as running text; the background of a word is the sum of
                             its weights over all target words, divided by the largest such sum */
};

enum attend_values { ATTEND_VALUES_AUTO, ATTEND_VALUES_ALWAYS, ATTEND_VALUES_NEVER };

/** How pictures look. All zero is the default: a heatmap on white in the first color scale. */
struct attend_style {
    const char *title; /**< title of the whole picture; or NULL */
    enum attend_view view;
    enum attend_values values; /**< whether to print the weights as numbers. AUTO: in heatmaps of at
                                  most 12 by 12 words, and in salience. Links never have numbers */
    bool dark;         /**< dark background; 0 is the background color and 1 the bright end */
    const char *scale; /**< name of the color scale; NULL or an unknown name: the first one */
    int width; /**< columns of the terminal, for the functions whose name has `terminal`, `text` or
                  `curves`. Labels are cut, numbers dropped and tables continued below as needed; 40
                  are enough. 0: lines of about 100, longer if needed, and nothing is cut */
    int reserved_width;
    void *reserved[1];
};

/** The names of the color scales, NULL-terminated. Lightness is monotonic in every scale, so that
 * pictures stay readable in gray print and for color-blind readers. */
ATTEND_API const char *const *attend_scale_names(void);

/** A finished picture; it borrows nothing. */
struct attend_picture;

/** Draw matrices (count >= 0) as panels of one picture with one legend; several panels form a grid.
 * If the source is frames, their kind decides the picture, not the style's view: the spectrogram
 * with a row of weights for each target word below it; the ink in the colors of the target words
 * that attended to it most; the image once for each target word, dark where the word did not attend.
 * Only matrices that all have the same kind of source are drawn so.
 * If most source words are written from right to left, a heatmap is mirrored: its columns run from
 * right to left, and the target words stand to the right. Rows of words and running text follow the
 * direction of most of their words. NULL when out of memory. */
ATTEND_API struct attend_picture *attend_picture_matrices(const struct attend_matrix *matrices,
                                                          int count,
                                                          const struct attend_style *style);
/** Plot scores against source length, with one labeled curve per output and one point per row of
 * the table, at the middle of its lengths. Only the style's `title` and `dark` are used. NULL when
 * out of memory. */
ATTEND_API struct attend_picture *attend_picture_by_length(const struct attend_length_table *table,
                                                           const char *const *labels,
                                                           const struct attend_style *style);
/** Plot the learning curves of training logs (count >= 1) against the number of updates: training
 * and validation loss at the top, then a panel for each validation metric with its best value, then
 * the learning rate if it changes. A run is labeled by its file name without folder and extension.
 * Only the style's `title` and `dark` are used. A file that is not a training log is ATTEND_FORMAT;
 * the message names the file and the line. */
ATTEND_API enum attend_status attend_picture_logs(const char *const *paths, int count,
                                                  const struct attend_style *style,
                                                  struct attend_picture **out,
                                                  struct attend_error *err);
ATTEND_API void attend_picture_free(struct attend_picture *picture);

/** A standalone SVG document in which text stays text. Free it with attend_text_free; NULL when out
 * of memory. */
ATTEND_API char *attend_picture_svg(const struct attend_picture *picture);

/** The matrices one after another as lines of text, in any view: with block characters, or in color
 * for terminals with 24-bit color. Free the text with attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_terminal_matrices(const struct attend_matrix *matrices, int count,
                                          const struct attend_style *style, bool color);
/** The curves of attend_picture_logs as text. Only the style's `title` and `width` are used. Free
 * *out with attend_text_free. */
ATTEND_API enum attend_status attend_terminal_logs(const char *const *paths, int count,
                                                   const struct attend_style *style, char **out,
                                                   struct attend_error *err);

/** The number of terminal columns that a text takes. It may contain any bytes; what a terminal cannot
 * show does not count. */
ATTEND_API int attend_terminal_columns(const char *text);
/** The text, made safe for a terminal; if it is wider than `columns`, its beginning and an ellipsis.
 * Letters keep their marks. Free it with attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_terminal_fit(const char *text, int columns);
/** The text with its lines broken at blanks where they are wider than `width`; the rest of a line is
 * indented. 0: nothing is broken. It must be valid UTF-8. Free it with attend_text_free; NULL when
 * out of memory. */
ATTEND_API char *attend_terminal_wrap(const char *text, int width);

/** Write a text file atomically: afterwards either the old or the new file is there, complete. */
ATTEND_API enum attend_status attend_plot_save(const char *path, const char *text,
                                               struct attend_error *err);
/** The same for bytes, such as those of attend_paint. */
ATTEND_API enum attend_status attend_plot_save_bytes(const char *path, const unsigned char *bytes,
                                                     size_t size, struct attend_error *err);

/** A self-contained HTML page that works offline. It draws the matrices (count >= 1) in the style's
 * view and shows the words and the weight under the pointer. Several matrices become a list to
 * search and choose from. If all sources are frames, the page has their pictures instead, one below
 * the other. The style says how the page opens; readers can switch the view, the
 * numbers and dark mode. Free the text with attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_page(const struct attend_matrix *matrices, int count,
                             const struct attend_style *style);

/* ---- Writing by hand ---- */

/** A trace of a pen, and where its writer looked. All pointers are borrowed. */
struct attend_trace {
    const char *title;         /**< the text that is written; or NULL */
    const char *const *source; /**< (source_count) the tokens of that text */
    int source_count;          /**< may be 0 */
    int count;                 /**< strokes, may be 0 */
    const float *stroke;       /**< (count, 3) dx and dy from the point before, y down; and 1 if the
                                  pen is lifted after this point, else 0 */
    const float *weight;       /**< (count, source_count) attention at each stroke; or NULL */
    void *reserved[2];
};

/** Draw traces (count >= 0) below one another, each with its title. Only the style's `title` and
 * `dark` are used. NULL when out of memory. */
ATTEND_API struct attend_picture *attend_picture_writing(const struct attend_trace *traces,
                                                         int count,
                                                         const struct attend_style *style);
/** A self-contained HTML page that works offline: the pen moves, and the tokens that it looks at
 * light up. Readers can pause, replay and move to any stroke. Free the text with attend_text_free;
 * NULL when out of memory. */
ATTEND_API char *attend_writing_page(const struct attend_trace *traces, int count,
                                     const struct attend_style *style);
/** Traces as an InkML document of the W3C, one group for each. Free it with attend_text_free; NULL
 * when out of memory. */
ATTEND_API char *attend_writing_inkml(const struct attend_trace *traces, int count);

#ifdef __cplusplus
}
#endif

#endif
