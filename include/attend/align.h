/* Word alignment: links from a model's attention or from a file, two directions merged into one,
 * and the error rate against gold links. */
#ifndef ATTEND_ALIGN_H
#define ATTEND_ALIGN_H

#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Required: src and tgt with model, reverse_model or both; or else links, reverse_links or
 * both. */
struct attend_frame_modules;
struct attend_align_options {
    size_t size;
    const char *src, *tgt;             /**< sentences and their translations, line for line */
    const char *model, *reverse_model; /**< model files: source to target, target to source */
    const char *links, *reverse_links; /**< or files of links; src and tgt then only check them */
    const char *symmetrize;       /**< how to merge two directions; NULL: "grow-diag-final-and" */
    const char *gold;             /**< reference links, for attend_aligner_judge */
    int gold_base;                /**< the number of the first word in `gold`, 0 or 1 */
    bool words;                   /**< link words instead of the model's pieces */
    int batch_sentences, threads; /**< as in attend_translator_options */
    const char *from, *to; /**< languages of src and tgt, for models of several pairs; NULL: any */
    /** For models that read files of frames, whose paths are the lines of src (attend/frames.h);
     * NULL: none. */
    const struct attend_frame_modules *modules;
};
ATTEND_DEFAULTS(align)

/** Reads the files and aligns the pairs, a block of lines at a time. */
struct attend_aligner;

/** The options may be freed afterwards. Options that contradict each other are ATTEND_USAGE. */
ATTEND_API enum attend_status attend_aligner_open(struct attend_aligner **out,
                                                  const struct attend_align_options *options,
                                                  struct attend_error *err);
/** The links of the next pair as "0-0 2-1": source-target, both from 0, sorted by target and then
 * source. The text is valid until the next call; NULL after the last pair. */
ATTEND_API enum attend_status attend_aligner_next(struct attend_aligner *aligner,
                                                  const char **links, struct attend_error *err);

/** Alignment error rate (Och and Ney 2003) and its parts, each from 0 to 1. */
struct attend_aer {
    double rate, precision, recall;
    long links; /**< number of links compared with the gold ones */
    void *reserved[2];
};
/** Compare the links of all pairs that attend_aligner_next has not read with `gold`. */
ATTEND_API enum attend_status attend_aligner_judge(struct attend_aligner *aligner,
                                                   struct attend_aer *out,
                                                   struct attend_error *err);
ATTEND_API void attend_aligner_close(struct attend_aligner *aligner);

#ifdef __cplusplus
}
#endif

#endif
