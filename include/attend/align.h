/* Word alignments of pairs: where models look, or links that exist already; of two directions made
 * one, and judged against gold ones. */
#ifndef ATTEND_ALIGN_H
#define ATTEND_ALIGN_H

#include "attend/option.h"
#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Reads the files of a run, a block of lines at a time. */
struct attend_aligner;

/** By the settings of attend_options_new("align", ...), which may be freed afterwards: `src` and
 * `tgt` with `model`, `reverse-model` or both; or `links`, `reverse-links` or both. Settings that
 * do not go together are ATTEND_USAGE. */
ATTEND_API enum attend_status attend_aligner_open(struct attend_aligner **out,
                                                  const struct attend_options *options,
                                                  struct attend_error *err);
/** The links of the next pair as "0-0 2-1": source-target from 0, in the order of target, then
 * source. They are valid until the next call; NULL past the last pair. */
ATTEND_API enum attend_status attend_aligner_next(struct attend_aligner *aligner,
                                                  const char **links, struct attend_error *err);

/** Alignment error rate (Och and Ney 2003) and its parts, each from 0 to 1. */
struct attend_aer {
    double rate, precision, recall;
    long links; /**< judged */
};
/** Judge the pairs that were not read yet against `gold`. */
ATTEND_API enum attend_status attend_aligner_judge(struct attend_aligner *aligner,
                                                   struct attend_aer *out,
                                                   struct attend_error *err);
ATTEND_API void attend_aligner_close(struct attend_aligner *aligner);

#ifdef __cplusplus
}
#endif

#endif
