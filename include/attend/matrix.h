/* Attention matrices: taken from a translation, read from files, and kept in lists. */
#ifndef ATTEND_MATRIX_H
#define ATTEND_MATRIX_H

#include "attend/plot.h"
#include "attend/status.h"
#include "attend/translate.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The weights of a translation as a matrix that borrows its memory. hypothesis 0 is the
 * translation itself, hypothesis i is other[i - 1]. head counts from 0; -1 is the mean of all
 * heads. If the translation does not have these weights, the matrix has no words either. */
ATTEND_API struct attend_matrix attend_matrix_of(const struct attend_translation *translation,
                                                 int hypothesis, int head);

struct attend_frames;
/** The source of a matrix as pictures show it, if the model of the translator reads frames: the file
 * that a line names (attend_translator_files). *out is NULL if the model reads text. */
ATTEND_API enum attend_status attend_frames_view_file(struct attend_frames_view **out,
                                                      const struct attend_translator *translator,
                                                      const char *line, struct attend_error *err);
/** The same for frames of the caller, as for attend_translate_frames. */
ATTEND_API enum attend_status attend_frames_view_of(struct attend_frames_view **out,
                                                    const struct attend_model *model,
                                                    const struct attend_frames *frames,
                                                    struct attend_error *err);
/** `view` may be NULL. */
ATTEND_API void attend_frames_view_free(struct attend_frames_view *view);

/** A list that owns its matrices and their words. All zero is an empty list. */
struct attend_matrices {
    struct attend_matrix *item; /**< (count) */
    long *number;    /**< (count) sentence number, from 1; hypotheses of one sentence share it */
    int count, size; /**< size: matrices that fit before the list must grow */
};
/** Append a copy of a matrix. */
ATTEND_API enum attend_status attend_matrices_add(struct attend_matrices *list,
                                                  const struct attend_matrix *matrix, long number,
                                                  struct attend_error *err);
/** Append the attention of a trace: its tokens are the target, the strokes of its pen the frames of
 * the source, so that pictures show the ink in the colors of the tokens. A trace without attention
 * is a matrix without words. */
ATTEND_API enum attend_status attend_matrices_add_trace(struct attend_matrices *list,
                                                        const struct attend_trace *trace,
                                                        long number, struct attend_error *err);
/** Divide each matrix that has a weight above 1 by its largest weight, because pictures show
 * weights from 0 to 1. */
ATTEND_API void attend_matrices_scale(struct attend_matrices *list);
/** Free the matrices and empty the list; the struct itself is the caller's. */
ATTEND_API void attend_matrices_release(struct attend_matrices *list);

/** One JSON object without a line end, as a file of matrices has it: `title` if there is one, `source`,
 * `target` and `attention`. Frames without words get their numbers from 0. Free it with
 * attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_matrix_json(const struct attend_matrix *matrix);

/** A file of matrices. Its first character tells which of two formats it has:
 *
 * JSON lines, as attend_translation_json writes them. `source` and `target` are arrays of words.
 * `attention` has one row per target word with one number per source word, or is null if there are
 * no words. Each hypothesis in `alternatives` has the same source. Other members are ignored.
 *
 * Blocks, as Nematus and attend_translation_matrix write them: a line
 * `id ||| target ||| score ||| source ||| source-length target-length`, one row of numbers per
 * target word, and an empty line. A length may count one word more than its text has, which is then
 * `</s>`. Consecutive blocks with the same id are hypotheses of one sentence.
 *
 * Weights may be any finite numbers; rows need not sum to 1. Files compressed by gzip or zstd are
 * read too. */
struct attend_matrix_file;
/** Open a file, or standard input when path is "-". */
ATTEND_API enum attend_status attend_matrix_file_open(struct attend_matrix_file **out,
                                                      const char *path, struct attend_error *err);
/** Append the matrices of all hypotheses of the next sentence to the list. At the end of the file
 * nothing is appended. A matrix whose rows, words or lengths disagree is ATTEND_FORMAT; the message
 * names the file and the line. */
ATTEND_API enum attend_status attend_matrix_file_next(struct attend_matrix_file *file,
                                                      struct attend_matrices *list,
                                                      struct attend_error *err);
ATTEND_API void attend_matrix_file_close(struct attend_matrix_file *file);

#ifdef __cplusplus
}
#endif

#endif
