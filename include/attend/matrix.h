/* Matrices of attention from outside: files of them, and lists that own what they hold. */
#ifndef ATTEND_MATRIX_H
#define ATTEND_MATRIX_H

#include "attend/plot.h"
#include "attend/status.h"
#include "attend/translate.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A translation's weights, borrowed from it. hypothesis: 0 is the translation itself, then
 * `other`; head: from 0, or -1 for the mean of all. Without weights it has no words either. */
ATTEND_API struct attend_matrix attend_matrix_of(const struct attend_translation *translation,
                                                 int hypothesis, int head);

/** Matrices with everything that they point to. All zero is an empty list. */
struct attend_matrices {
    struct attend_matrix *item; /**< (count) */
    long *number;               /**< (count) of the sentence, from 1: hypotheses of one share it */
    int count, size;            /**< size: room */
};
/** A copy of a matrix to the end of the list. */
ATTEND_API enum attend_status attend_matrices_add(struct attend_matrices *list,
                                                  const struct attend_matrix *matrix, long number,
                                                  struct attend_error *err);
/** Divide the weights of every matrix in which one is above 1 by its largest, so that pictures,
 * which show 0 to 1, tell them apart. */
ATTEND_API void attend_matrices_scale(struct attend_matrices *list);
/** Free what the list holds and empty it; the struct itself is the caller's. */
ATTEND_API void attend_matrices_release(struct attend_matrices *list);

/** A file of matrices, in one of two forms, told apart by its first character:
 *
 * JSON lines, as attend_translation_json writes them: `source` and `target` are arrays of texts,
 * `attention` has a row for each target word with a number for each source word (null, if there are
 * no words); hypotheses in `alternatives` have the source of their object. Other members are not
 * looked at.
 *
 * Blocks as Nematus and attend_translation_matrix write them: a line
 * `id ||| target ||| score ||| source ||| source-length target-length`, a row of numbers for each
 * target word, an empty line. A length may count one word more than its text has: that is `</s>`.
 * Blocks of one id in a row are hypotheses of one sentence.
 *
 * Weights are any finite numbers, whatever their sums. Files that gzip or zstd compressed are read
 * too. */
struct attend_matrix_file;
/** Standard input when path is "-". */
ATTEND_API enum attend_status attend_matrix_file_open(struct attend_matrix_file **out,
                                                      const char *path, struct attend_error *err);
/** All hypotheses of the next sentence, added to the list; none at the end of the file. What does
 * not fit together is ATTEND_FORMAT; the message names file and line. */
ATTEND_API enum attend_status attend_matrix_file_next(struct attend_matrix_file *file,
                                                      struct attend_matrices *list,
                                                      struct attend_error *err);
/** NULL is fine. */
ATTEND_API void attend_matrix_file_close(struct attend_matrix_file *file);

#ifdef __cplusplus
}
#endif

#endif
