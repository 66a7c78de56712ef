/* Converting a model file. */
#ifndef ATTEND_CONVERT_H
#define ATTEND_CONVERT_H

#include "attend/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct attend_scaling;

/** Pairs of text from which lists of words are counted (the option `shortlist` of
 * attend_translator_options). */
struct attend_shortlist_text {
    const char *src, *tgt; /**< files, line for line, such as the training text */
    const char *links; /**< word links of the lines, as attend align --words prints them; NULL: the
                          attention of the model counts */
    int words;         /**< words of a list, at most 1000; 0: 100 */
    int threads;       /**< 0: one for each physical core that the process may use */
    void *reserved[2];
};
/** For each source word, the target words that belong to it; and the frequent target words. */
struct attend_shortlist;
/** Count the lists of the model in the file `model`, over its vocabularies. Models of frames or
 * strokes, of several pairs of languages, and with monotonic attention cannot have lists, and one
 * without attention needs `links`: otherwise ATTEND_USAGE. */
ATTEND_API enum attend_status attend_shortlist_count(struct attend_shortlist **out,
                                                     const char *model,
                                                     const struct attend_shortlist_text *text,
                                                     struct attend_error *err);
ATTEND_API void attend_shortlist_free(struct attend_shortlist *shortlist);

/** What to change. */
struct attend_conversion {
    bool int8; /**< round the matrices to int8: about a quarter of the size, and faster. The result
                  loads like any other model, but training cannot start from it */
    const char *source_lang, *target_lang;    /**< language codes; NULL: keep what the model has */
    const struct attend_scaling *calibration; /**< of its confidence; NULL: keep what it has */
    const struct attend_shortlist *shortlist; /**< lists of words; NULL: keep what it has */
};
/** Read a model from the file `from` and write the converted model to `to`. ATTEND_USAGE when `to`
 * is `from` itself or belongs to an unfinished run (`to`.ckpt exists), and for lists that were
 * counted for other vocabularies. The same model gives the same bytes. */
ATTEND_API enum attend_status attend_convert(const char *from, const char *to,
                                             const struct attend_conversion *conversion,
                                             struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
